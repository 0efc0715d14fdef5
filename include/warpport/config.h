/* warpport/config.h: what the user may define before including warpport.h, and the choice of the backend.
 *
 *   WARPPORT_BACKEND         one of the numbers below; default: detected from the compiler
 *   WARPPORT_BACKEND_FILE    a backend file of your own, in quotes: -DWARPPORT_BACKEND_FILE='"my_chip.h"' (docs/backend_contract.md)
 *   WARPPORT_WARP_SIZE       1, 2, 4 ... 64: logical warps of that many lanes, on any chip whose warps are at least that large
 *   WARPPORT_NO_SHORT_NAMES  do not define SAFE_SHUFFLE, SAFE_SHUFFLE_UP, ... (WP_SAFE_SHUFFLE ... stay)
 */
#ifndef WARPPORT_CONFIG_H
#define WARPPORT_CONFIG_H

#define WARPPORT_VERSION_MAJOR 0
#define WARPPORT_VERSION_MINOR 1
#define WARPPORT_VERSION_PATCH 0

#define WARPPORT_BACKEND_HOST 1   /* plain C or C++ on a CPU: the warp emulator */
#define WARPPORT_BACKEND_CUDA 2   /* nvcc, clang's CUDA mode, NVRTC */
#define WARPPORT_BACKEND_HIP 3    /* hipcc, clang's HIP mode, hipRTC */
#define WARPPORT_BACKEND_OPENCL 4 /* OpenCL C */
#define WARPPORT_BACKEND_CUSTOM 100

/* Order matters: several toolchains also define the macros of those below them. */
#ifndef WARPPORT_BACKEND
#if defined(WARPPORT_BACKEND_FILE)
#define WARPPORT_BACKEND WARPPORT_BACKEND_CUSTOM
#elif defined(__MUSA__) || defined(__MUSACC__)
#error "warpport: no backend for Moore Threads MUSA in this version; define WARPPORT_BACKEND_FILE (docs/backend_contract.md)"
#elif defined(__MACA__) || defined(__MACACC__)
#error "warpport: no backend for MetaX MACA in this version; define WARPPORT_BACKEND_FILE (docs/backend_contract.md)"
#elif defined(__ILUVATAR__)
#error "warpport: no backend for Iluvatar CoreX in this version; define WARPPORT_BACKEND_FILE (docs/backend_contract.md)"
#elif defined(__SUPA__) || defined(__SUPACC__)
#error "warpport: no backend for Biren SUPA in this version; define WARPPORT_BACKEND_FILE (docs/backend_contract.md)"
#elif defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)
#define WARPPORT_BACKEND WARPPORT_BACKEND_OPENCL
#elif defined(__HIPCC__) || defined(__HIP__) || defined(__HIP_PLATFORM_AMD__)
#define WARPPORT_BACKEND WARPPORT_BACKEND_HIP
#elif defined(__CUDACC__) || defined(__CUDA__)
#define WARPPORT_BACKEND WARPPORT_BACKEND_CUDA
#elif defined(__GNUC__)
#define WARPPORT_BACKEND WARPPORT_BACKEND_HOST
#else
#error "warpport: unknown toolchain. Define WARPPORT_BACKEND to one of WARPPORT_BACKEND_HOST (1), _CUDA (2), _HIP (3), _OPENCL (4), or WARPPORT_BACKEND_FILE to a backend file of your own"
#endif
#endif

/* The language of this pass. */
#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)
#define WP__LANG_OPENCL 1
#elif defined(__cplusplus)
#define WP__LANG_CXX 1
#else
#define WP__LANG_C 1
#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define WP__LANG_C11 1
#endif
#endif

#ifdef WARPPORT_WARP_SIZE
#if WARPPORT_WARP_SIZE < 1 || WARPPORT_WARP_SIZE > 64 || (WARPPORT_WARP_SIZE & (WARPPORT_WARP_SIZE - 1)) != 0
#error "warpport: WARPPORT_WARP_SIZE must be 1, 2, 4, 8, 16, 32 or 64"
#endif
#endif

/* What wpb_note_shuffle() is told. */
#define WP__NOTE_SHFL 0
#define WP__NOTE_UP 1
#define WP__NOTE_DOWN 2
#define WP__NOTE_XOR 3
#define WP__NOTE_ROTATE 4
#define WP__NOTE_BROADCAST 5
#define WP__NOTE_GUARDED 6 /* one of the _or forms: any argument is legal */

#endif
