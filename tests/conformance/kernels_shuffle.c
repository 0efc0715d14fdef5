/* Rows S1-S8. */
#include "kernels.h"

#define SHUFFLES(T, S) \
  CONF_KERNEL(conf_shfl_##S, T, T, \
              CONF_SHORT(out[i] = wp_shfl(m, v[i], a), \
                         out[i] = CONF_FN(wp_shfl, S)(m, v[i], CONF_BREAK(a, a < 0 ? 0 : a < w ? a : w - 1), w))) \
  CONF_KERNEL(conf_shfl_up_##S, T, T, \
              CONF_SHORT(out[i] = wp_shfl_up(m, v[i], a), \
                         out[i] = CONF_FN(wp_shfl_up, S)(m, v[i], CONF_BREAK(a, a & 31), w))) \
  CONF_KERNEL(conf_shfl_down_##S, T, T, \
              CONF_SHORT(out[i] = wp_shfl_down(m, v[i], a), \
                         out[i] = CONF_BREAK(CONF_FN(wp_shfl_down, S)(m, v[i], a, w), \
                                             CONF_FN(wp_shfl_down_or, S)(m, v[i], a, mem[i], w)))) \
  CONF_KERNEL(conf_shfl_xor_##S, T, T, \
              CONF_SHORT(out[i] = wp_shfl_xor(m, v[i], a), \
                         out[i] = CONF_FN(wp_shfl_xor, S)(m, v[i], CONF_BREAK(a, a ^ (w > 1)), w))) \
  CONF_KERNEL(conf_rotate_##S, T, T, \
              CONF_SHORT(out[i] = wp_rotate(m, v[i], a), out[i] = CONF_FN(wp_rotate, S)(m, v[i], a, w))) \
  CONF_KERNEL(conf_broadcast_##S, T, T, \
              CONF_SHORT(out[i] = wp_broadcast(m, v[i], a), out[i] = CONF_FN(wp_broadcast, S)(m, v[i], a, w)))

#ifdef WP_TEST_BREAK /* lanes outside the mask write, too */
#define FIRST(T, S) \
  WP_KERNEL(conf_broadcast_first_##S, CONF_PARAMS(T, T)) { \
    CONF_COLLECTIVE_LOCALS; \
    out[i] = v[i]; \
    if (CONF_INSIDE(m)) out[i] = CONF_FN(wp_broadcast_first, S)(m, v[i]); \
  }
#else
#define FIRST(T, S) CONF_KERNEL(conf_broadcast_first_##S, T, T, out[i] = CONF_FN(wp_broadcast_first, S)(m, v[i]))
#endif

CONF_TYPES(SHUFFLES)
CONF_TYPES(FIRST)

/* S8: objects of w bytes, 1 ... 24, made of three words. op 1: in place. */
WP_DEVICE void conf_put(unsigned char *bytes, wp_u64 word) {
  int k;
  for (k = 0; k < 8; k++) bytes[k] = (unsigned char)((word >> (8 * k)) & 255u);
}

WP_DEVICE wp_u64 conf_get(const unsigned char *bytes) {
  wp_u64 word = 0;
  int k;
  for (k = 7; k >= 0; k--) word = word << 8 | bytes[k];
  return word;
}

WP_KERNEL(conf_shfl_bytes_u64, CONF_PARAMS(wp_u64, wp_u64)) {
  CONF_COLLECTIVE_LOCALS;
  if (CONF_INSIDE(m)) {
    unsigned char in[24];
    unsigned char result[24];
    int k;
    conf_put(in, v[i]);
    conf_put(in + 8, mem[i]);
    conf_put(in + 16, v[i] ^ ~mem[i]);
    for (k = 0; k < 24; k++) result[k] = 0xee;
    if ((op & 1) != 0) {
      wp_shfl_bytes(m, in, in, op >> 8, a, w);
      for (k = 0; k < op >> 8; k++) result[k] = in[k];
    } else {
      wp_shfl_bytes(m, result, in, op >> 8, a, w);
    }
    out[i * 3 + 0] = conf_get(result);
    out[i * 3 + 1] = conf_get(result + 8);
    out[i * 3 + 2] = conf_get(result + 16);
  }
}

/* Section 1: arguments are evaluated once. */
#ifdef CONF_TYPED
#define ONCE(name) name##_u32
#else
#define ONCE(name) name
#endif
/* Each argument counts its evaluations. Lane 0 need not take part, so the plain forms read the lowest lane of the group. */
#define ONCE_M (c0++, m)
#define ONCE_V (c1++, v[i])
#define ONCE_A (c2++, op == 0 || op == 5 ? wp_mask_lowest(m) : 0)
#define ONCE_W (c3++, w)
#define ONCE_F (c4++, v[i])
CONF_KERNEL(conf_once_u32, wp_u32, wp_u32, {
  int c0 = 0, c1 = 0, c2 = 0, c3 = 0, c4 = 0;
  wp_u32 x = 0;
  switch (op) {
    case 0: x = ONCE(wp_shfl)(ONCE_M, ONCE_V, ONCE_A, ONCE_W); c4++; break;
    case 1: x = ONCE(wp_shfl_up)(ONCE_M, ONCE_V, ONCE_A, ONCE_W); c4++; break;
    case 2: x = ONCE(wp_shfl_down)(ONCE_M, ONCE_V, ONCE_A, ONCE_W); c4++; break;
    case 3: x = ONCE(wp_shfl_xor)(ONCE_M, ONCE_V, ONCE_A, ONCE_W); c4++; break;
    case 4: x = ONCE(wp_rotate)(ONCE_M, ONCE_V, ONCE_A, ONCE_W); c4++; break;
    case 5: x = ONCE(wp_broadcast)(ONCE_M, ONCE_V, ONCE_A, ONCE_W); c4++; break;
    case 6: x = ONCE(wp_shfl_or)(ONCE_M, ONCE_V, ONCE_A, ONCE_F, ONCE_W); break;
    case 7: x = ONCE(wp_shfl_up_or)(ONCE_M, ONCE_V, ONCE_A, ONCE_F, ONCE_W); break;
    case 8: x = ONCE(wp_shfl_down_or)(ONCE_M, ONCE_V, ONCE_A, ONCE_F, ONCE_W); break;
    case 9: x = ONCE(wp_shfl_xor_or)(ONCE_M, ONCE_V, ONCE_A, ONCE_F, ONCE_W); break;
    case 10: x = ONCE(wp_reduce_add)(ONCE_M, ONCE_V); c2++; c3++; c4++; break;
    case 11: x = ONCE(wp_reduce_min)(ONCE_M, ONCE_V); c2++; c3++; c4++; break;
    case 12: x = ONCE(wp_scan_add)(ONCE_M, ONCE_V); c2++; c3++; c4++; break;
    case 13: x = ONCE(wp_scan_max_excl)(ONCE_M, ONCE_V); c2++; c3++; c4++; break;
    case 14: x = (wp_u32)(ONCE(wp_match_any)(ONCE_M, ONCE_V) != 0); c2++; c3++; c4++; break;
    case 15: x = (wp_u32)(wp_ballot(ONCE_M, ONCE_V != 0) != 0); c2++; c3++; c4++; break;
    case 16: x = ONCE(wp_sort)(ONCE_M, ONCE_V); c2++; c3++; c4++; break;
    case 17: x = ONCE(wp_broadcast_first)(ONCE_M, ONCE_V); c2++; c3++; c4++; break;
    case 18: x = ONCE(wp_compact_value)(ONCE_M, ONCE_V, (c2++, true)); c3++; c4++; break;
    default: break;
  }
  out[i * 2] = (wp_u32)(c0 | c1 << 4 | c2 << 8 | c3 << 12 | c4 << 16);
  out[i * 2 + 1] = x;
})
