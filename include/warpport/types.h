/* warpport/types.h: element types, their suffixes, and their bits as 32- or 64-bit words. */
#ifndef WARPPORT_TYPES_H
#define WARPPORT_TYPES_H

#include "config.h"

#if WP__LANG_OPENCL
typedef char wp_i8;
typedef uchar wp_u8;
typedef short wp_i16;
typedef ushort wp_u16;
typedef int wp_i32;
typedef uint wp_u32;
typedef long wp_i64;
typedef ulong wp_u64;
#if defined(cl_khr_fp64) || defined(__opencl_c_fp64) || defined(cl_amd_fp64)
#define WP_HAS_F64 1
#if defined(cl_khr_fp64) && __OPENCL_C_VERSION__ < 120
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#endif
#elif WARPPORT_BACKEND == WARPPORT_BACKEND_HOST
#include <stdint.h>
#ifndef __cplusplus
#include <stdbool.h>
#endif
typedef int8_t wp_i8;
typedef uint8_t wp_u8;
typedef int16_t wp_i16;
typedef uint16_t wp_u16;
typedef int32_t wp_i32;
typedef uint32_t wp_u32;
typedef int64_t wp_i64;
typedef uint64_t wp_u64;
#define WP_HAS_F64 1
#else /* device compilers, also without any system header (NVRTC, hipRTC) */
typedef signed char wp_i8;
typedef unsigned char wp_u8;
typedef short wp_i16;
typedef unsigned short wp_u16;
typedef int wp_i32;
typedef unsigned int wp_u32;
typedef long long wp_i64;
typedef unsigned long long wp_u64;
#define WP_HAS_F64 1
#endif
typedef float wp_f32;
#ifdef WP_HAS_F64
typedef double wp_f64;
#endif

/* 16-bit floating types are carried as bits, so that they exist on every chip and no conversion can touch them. */
typedef struct wp_f16 { wp_u16 bits; } wp_f16;
typedef struct wp_bf16 { wp_u16 bits; } wp_bf16;
typedef struct wp_f16x2 { wp_u32 bits; } wp_f16x2;   /* element 0 in the low half */
typedef struct wp_bf16x2 { wp_u32 bits; } wp_bf16x2;

#endif
