/* The reference: what docs/spec.md says, in scalar C, evaluated one lane at a time on the host.
 *
 * It shares nothing with the library: its own value types, its own 16-bit conversions, its own trees. A value of any type is its
 * raw bits in the low end of a 64-bit word; a ref_pair holds the values of user-defined 16-byte structs too. */
#ifndef WARPPORT_TESTS_REFERENCE_H
#define WARPPORT_TESTS_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ref_type {
  REF_I8, REF_U8, REF_I16, REF_U16, REF_I32, REF_U32, REF_I64, REF_U64,
  REF_F32, REF_F64, REF_F16, REF_BF16, REF_F16X2, REF_BF16X2,
  REF_TYPE_COUNT
} ref_type;

#define REF_BIT(type) (1u << (type))
#define REF_INTS 0xffu
#define REF_FLOATS (REF_BIT(REF_F32) | REF_BIT(REF_F64) | REF_BIT(REF_F16) | REF_BIT(REF_BF16))
#define REF_PAIRS (REF_BIT(REF_F16X2) | REF_BIT(REF_BF16X2))
#define REF_SCALARS (REF_INTS | REF_FLOATS)
#define REF_ALL (REF_SCALARS | REF_PAIRS)

const char *ref_suffix(ref_type type); /* "f16x2" */
size_t ref_size(ref_type type);
bool ref_is_float(ref_type type);  /* the packed pairs, too */
bool ref_is_signed(ref_type type); /* signed integers */
uint64_t ref_trim(ref_type type, uint64_t bits); /* the bits the type has */
bool ref_has_nan(ref_type type, uint64_t bits);  /* pairs: either element */
/* want and got agree: the same bits or, if nan_ok, both NaN (element by element). */
bool ref_agree(ref_type type, uint64_t want, uint64_t got, bool nan_ok);
void ref_format(ref_type type, uint64_t bits, char *text, size_t size); /* "0x3f800000 (1)" */

/* Floating-point formats of 16 bits, through double (exact), to nearest, ties to even. */
double ref_decode16(bool brain, uint64_t bits);
uint64_t ref_encode16(bool brain, double value);

typedef enum ref_op { REF_ADD, REF_MUL, REF_MIN, REF_MAX, REF_AND, REF_OR, REF_XOR, REF_OP_COUNT } ref_op;
const char *ref_op_name(ref_op op);
uint64_t ref_apply(ref_op op, ref_type type, uint64_t a, uint64_t b); /* a on the left */
uint64_t ref_identity(ref_op op, ref_type type);

/* ---- trees ---- */

typedef struct ref_pair { uint64_t w[2]; } ref_pair;
typedef struct ref_operator {
  ref_pair (*combine)(const struct ref_operator *self, ref_pair a, ref_pair b);
  ref_op op;
  ref_type type;
} ref_operator;
ref_operator ref_builtin(ref_op op, ref_type type);

/* Section Reduce. mask is not empty. */
ref_pair ref_reduce(const ref_operator *op, int lanes, uint64_t mask, const ref_pair *v);
/* Section Scan: result[l] is meaningful where has[l] (some lane of mask up to l). */
void ref_scan(const ref_operator *op, int lanes, uint64_t mask, const ref_pair *v, ref_pair *result, bool *has);
/* Row C3 for one lane of mask; heads: the lanes with head set. */
ref_pair ref_scan_segmented(const ref_operator *op, int lanes, uint64_t mask, uint64_t heads, const ref_pair *v, int lane);
int ref_argbest(ref_type type, bool largest, int lanes, uint64_t mask, const uint64_t *v);

/* ---- lanes ---- */

uint64_t ref_lanes(int n); /* lanes 0 ... n-1, 0 <= n <= 64 */
bool ref_in(uint64_t mask, int64_t lane);
int ref_count(uint64_t mask);
int ref_lowest(uint64_t mask);  /* -1: empty */
int ref_highest(uint64_t mask); /* -1: empty */
int ref_rank(uint64_t mask, int64_t lane); /* members below lane */
int ref_nth(uint64_t mask, int64_t k);     /* -1: none */

/* The lane that rows S1 ... S5 read; the own lane where the row says own value. */
typedef enum ref_move { REF_MOVE_INDEX, REF_MOVE_UP, REF_MOVE_DOWN, REF_MOVE_XOR, REF_MOVE_ROTATE } ref_move;
int ref_source(ref_move move, int lane, int width, int32_t arg);
/* Rows G1 ... G4: the lane read, or -1 for the fallback. */
int ref_source_or(ref_move move, int lane, int width, int32_t arg, uint64_t mask);

/* Row D5's order: a before b. Equal bits: neither before the other. */
bool ref_before(ref_type type, uint64_t a, uint64_t b);
/* Row D6 for each lane of mask. */
void ref_sort_lanes(ref_type type, int lanes, uint64_t mask, const uint64_t *v, int *lane_of);

#endif
