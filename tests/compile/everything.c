/* Calls every operation; compiled as C99 to C17 and, as it is, as C++11 to C++20. */
#include <warpport/warpport.h>
#include <warpport/warpport.h>

#include "typed.h"
#if defined(__cplusplus) || __STDC_VERSION__ >= 201112L
#include "generic.h"
#endif
