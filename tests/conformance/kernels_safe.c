/* Rows G1-G5. mem: the fallback. */
#include "kernels.h"

#define SAFE(T, S) \
  CONF_KERNEL(conf_shfl_or_##S, T, T, \
              CONF_SHORT(out[i] = wp_shfl_or(m, v[i], a, mem[i]), \
                         out[i] = CONF_FN(wp_shfl_or, S)(m, v[i], CONF_BREAK(a, a & (w - 1)), mem[i], w))) \
  CONF_KERNEL(conf_shfl_up_or_##S, T, T, \
              CONF_SHORT(out[i] = wp_shfl_up_or(m, v[i], a, mem[i]), \
                         out[i] = CONF_FN(wp_shfl_up_or, S)(m, v[i], a, mem[i], w))) \
  CONF_KERNEL(conf_shfl_down_or_##S, T, T, \
              CONF_SHORT(out[i] = wp_shfl_down_or(m, v[i], a, mem[i]), \
                         out[i] = CONF_FN(wp_shfl_down_or, S)(m, v[i], a, mem[i], w))) \
  CONF_KERNEL(conf_shfl_xor_or_##S, T, T, \
              CONF_SHORT(out[i] = wp_shfl_xor_or(m, v[i], a, mem[i]), \
                         out[i] = CONF_FN(wp_shfl_xor_or, S)(m, v[i], a, mem[i], w)))
CONF_TYPES(SAFE)

/* G5: op 0: the short names; 1: the prefixed ones. They need a way to tell the type. */
#ifndef CONF_TYPED
#define SHORT_NAMES(T, S) \
  CONF_KERNEL(conf_safe_shuffle_##S, T, T, if (op == 0) out[i] = SAFE_SHUFFLE(v[i], a); else out[i] = WP_SAFE_SHUFFLE(v[i], a)) \
  CONF_KERNEL(conf_safe_shuffle_up_##S, T, T, \
              if (op == 0) out[i] = SAFE_SHUFFLE_UP(v[i], a); else out[i] = WP_SAFE_SHUFFLE_UP(v[i], a)) \
  CONF_KERNEL(conf_safe_shuffle_down_##S, T, T, \
              if (op == 0) out[i] = SAFE_SHUFFLE_DOWN(v[i], a); else out[i] = WP_SAFE_SHUFFLE_DOWN(v[i], a)) \
  CONF_KERNEL(conf_safe_shuffle_xor_##S, T, T, \
              if (op == 0) out[i] = SAFE_SHUFFLE_XOR(v[i], a); else out[i] = WP_SAFE_SHUFFLE_XOR(v[i], a))
CONF_TYPES(SHORT_NAMES)
#endif
