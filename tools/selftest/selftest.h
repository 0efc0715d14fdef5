/* Questions of warpport-selftest, for the kernel and the host. Macros only: OpenCL C reads it too. */
#ifndef WARPPORT_SELFTEST_H
#define WARPPORT_SELFTEST_H

#define PROBE_VALUE(thread) (0x81000007u + (thread) * 0x00010003u) /* 25 bits or more: does not survive a float */
#define PROBE_NOTHING 0x0ddba11u

/* Probes that this build has. */
#define HAS_SHFL 1
#define HAS_WIDTH 2
#define HAS_UP 4
#define HAS_DOWN 8
#define HAS_XOR 16
#define HAS_F32 32
#define HAS_BALLOT 64
#define HAS_ACTIVE 128
#define HAS_MATCH 256
#define HAS_REDUCE 512
#define HAS_NAMES 1024
#define HAS_UNIFORM_FLOW 2048 /* every thread must reach every collective: no question about lanes that do not */

/* The backend's functions: right or wrong. */
#define ASK_LANE 0
#define ASK_EXCHANGE 1
#define ASK_EXCHANGE_HALF 2
#define ASK_BALLOT_ALL 3
#define ASK_BALLOT_GROUPS 4
#define ASK_ACTIVE_BRANCH 5
#define ASK_SYNC 6
#define ASK_FLOAT_BITS 7
#define ASK_U64 8
/* The chip's own: what do they do? */
#define RAW_SHFL 20
#define RAW_SHFL_BRANCH 21
#define RAW_SHFL_EXITED 22
#define RAW_SHFL_GROUPS 23
#define RAW_UP 24
#define RAW_DOWN 25
#define RAW_DOWN_BRANCH 26
#define RAW_XOR 27
#define RAW_F32 28
#define RAW_F32_INTEGER 29
#define RAW_BALLOT 30
#define RAW_BALLOT_GROUPS 31
#define RAW_ACTIVE 32
#define RAW_MATCH 33
#define RAW_MATCH_GROUPS 34
#define RAW_REDUCE 35
#define RAW_REDUCE_GROUPS 36

#endif
