/* The byte code of the fuzz test, for the kernel and the host: 32 bits an instruction.
 *
 *   bits 0-7 operation, 8-15 type, 16-17 source register x, 18-19 source register y, 20-21 destination, 22: argument from y */
#ifndef WARPPORT_TESTS_FUZZ_CODE_H
#define WARPPORT_TESTS_FUZZ_CODE_H

#define FUZZ_REGISTERS 4
#define FUZZ_ARG_FROM_Y 0x400000u

/* F(NAME): operations for every type; I(NAME): for integers; U(NAME): on 64-bit words, whatever the type */
#define FUZZ_OPERATIONS(F, I, U) \
  F(SHFL) F(UP) F(DOWN) F(XOR) F(ROTATE) F(BROADCAST) F(FIRST) F(SHFL_OR) F(UP_OR) F(DOWN_OR) F(XOR_OR) \
  F(REDUCE_ADD) F(REDUCE_MUL) F(REDUCE_MIN) F(REDUCE_MAX) F(SCAN_ADD) F(SCAN_MIN) F(SCAN_ADD_EXCL) F(SCAN_MAX_EXCL) \
  F(SCAN_ADD_SEG) \
  F(MATCH_ANY) F(MATCH_ALL) F(IS_FIRST) F(COMPACT) F(LABELLED_ADD) F(LABELLED_SHFL) \
  I(REDUCE_AND) I(REDUCE_OR) I(REDUCE_XOR) I(SCAN_XOR) \
  U(BALLOT) U(ANY) U(ALL) U(UNIFORM) U(ELECT) U(COUNT_KEPT) U(HISTOGRAM) U(SORT) U(EXCHANGE) U(MATCH_BITS)
#define FUZZ_ENUM(name) FUZZ_##name,
enum { FUZZ_OPERATIONS(FUZZ_ENUM, FUZZ_ENUM, FUZZ_ENUM) FUZZ_OPERATION_COUNT };

/* X(T, S, kind): kind is INT, F32, F64, F16, or PAIR of bf16 */
#define FUZZ_TYPES(X) \
  X(wp_u32, u32, INT) X(wp_i8, i8, INT) X(wp_i32, i32, INT) X(wp_u64, u64, INT) X(wp_f32, f32, F32) X(wp_f16, f16, F16) \
  X(wp_bf16x2, bf16x2, PAIR)
#define FUZZ_TYPE_ENUM(T, S, kind) FUZZ_TYPE_##S,
enum { FUZZ_TYPES(FUZZ_TYPE_ENUM) FUZZ_TYPE_f64, FUZZ_TYPE_COUNT };

#endif
