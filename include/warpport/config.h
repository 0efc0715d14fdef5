/* warpport/config.h: what the user may define before including warpport.h, and the choice of the backend.
 *
 *   WARPPORT_BACKEND         one of the numbers below; default: detected from the compiler
 *   WARPPORT_BACKEND_FILE    a backend file of your own, in quotes: -DWARPPORT_BACKEND_FILE='"my_chip.h"' (docs/backend_contract.md)
 *   WARPPORT_WARP_SIZE       1, 2, 4 ... 64: logical warps of that many lanes, on any chip whose warps are at least that large
 *   WARPPORT_CHIP_LANES      lanes of the chip's warp, and WARPPORT_CHIP_MASK_BITS, 32 or 64: instead of what MUSA, MACA, COREX, DTK,
 *                            SUPA and MINIMAL assume
 *   WARPPORT_NATIVE_...      on those: trust the chip's own MATCH, REDUCE, BALLOT, ACTIVE_MASK (1), see the backend's file
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
#define WARPPORT_BACKEND_MUSA 5    /* Moore Threads: mcc, clang++ -x musa */
#define WARPPORT_BACKEND_MACA 6    /* MetaX: mxcc, cucc */
#define WARPPORT_BACKEND_COREX 7   /* Iluvatar CoreX: clang++ -x ivcore, .cu */
#define WARPPORT_BACKEND_DTK 8     /* Hygon DCU: hipcc, the nvcc shim; not detected (backend/dtk.h) */
#define WARPPORT_BACKEND_SUPA 9    /* Biren: brcc */
#define WARPPORT_BACKEND_MINIMAL 10 /* any other chip with CUDA's language: the template; not detected (docs/new_chip.md) */
#define WARPPORT_BACKEND_CUSTOM 100

/* Order matters: several toolchains also define the macros of those below them. */
#ifndef WARPPORT_BACKEND
#if defined(WARPPORT_BACKEND_FILE)
#define WARPPORT_BACKEND WARPPORT_BACKEND_CUSTOM
#elif defined(__MUSA__) || defined(__MUSACC__)
#define WARPPORT_BACKEND WARPPORT_BACKEND_MUSA
#elif defined(__MACA__) || defined(__MACACC__)
#define WARPPORT_BACKEND WARPPORT_BACKEND_MACA
#elif defined(__ILUVATAR__)
#define WARPPORT_BACKEND WARPPORT_BACKEND_COREX
#elif defined(__SUPA__) || defined(__SUPACC__)
#define WARPPORT_BACKEND WARPPORT_BACKEND_SUPA
#elif defined(__DLGPUC64__)
#error "warpport: too little is known about Denglin's chips to detect one; define WARPPORT_BACKEND=10 and check with warpport-selftest (docs/new_chip.md)"
#elif defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)
#define WARPPORT_BACKEND WARPPORT_BACKEND_OPENCL
#elif defined(__HIPCC__) || defined(__HIP__) || defined(__HIP_PLATFORM_AMD__)
#define WARPPORT_BACKEND WARPPORT_BACKEND_HIP
#elif (defined(__CUDACC__) || defined(__CUDA__)) && defined(__AMDGCN__)
#error "warpport: CUDA sources for an AMD-like chip, as Hygon's nvcc shim compiles them; define WARPPORT_BACKEND=8 (backend/dtk.h)"
#elif defined(__CUDACC__) || defined(__CUDA__)
#define WARPPORT_BACKEND WARPPORT_BACKEND_CUDA
#elif defined(__GNUC__)
#define WARPPORT_BACKEND WARPPORT_BACKEND_HOST
#else
#error "warpport: unknown toolchain. Define WARPPORT_BACKEND to one of WARPPORT_BACKEND_HOST (1), _CUDA (2), _HIP (3), _OPENCL (4), or WARPPORT_BACKEND_FILE to a backend file of your own"
#endif
#endif

/* The language of this pass, each 0 or 1; functions are overloaded in all but C. */
#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)
#define WP__LANG_OPENCL 1
#else
#define WP__LANG_OPENCL 0
#endif
#if defined(__cplusplus) && !WP__LANG_OPENCL
#define WP__LANG_CXX 1
#else
#define WP__LANG_CXX 0
#endif
#if !WP__LANG_OPENCL && !WP__LANG_CXX && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define WP__LANG_C11 1
#else
#define WP__LANG_C11 0
#endif
#define WP__OVERLOADS (WP__LANG_OPENCL || WP__LANG_CXX)

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
#define WP__NOTE_WIDTH 7   /* no exchange: this width is none */
/* What wpb_note_same() is told: which argument it is that must be equal in all lanes of the mask. */
#define WP__SAME_ADDRESS 0
#define WP__SAME_BINS 1
#define WP__SAME_BITS 2
#define WP__SAME_BYTES 3

#endif
