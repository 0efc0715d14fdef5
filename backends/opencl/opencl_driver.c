/* The ICD loader, opened when it is first needed: a program with this backend starts on a machine without OpenCL. */
#include "opencl_backend.h"

#include "gpu.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static wp__cl cl;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void open_loader(void) {
  static const char *const names[] = {"libOpenCL.so.1", "libOpenCL.so"};
  void *library = NULL;
  char why[160] = "";
  for (size_t i = 0; library == NULL && i < sizeof names / sizeof *names; i++) {
    library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL && i == 0) {
      const char *error = dlerror();
      snprintf(why, sizeof why, "%.150s", error != NULL ? error : names[i]);
    }
  }
  if (library == NULL) {
    snprintf(cl.problem, sizeof cl.problem, "no OpenCL loader here (%s); on Debian the package ocl-icd-libopencl1 has one", why);
    return;
  }
#define LOAD(member, symbol, result, parameters)                                                      \
  if (!wp__look_up(library, symbol, &cl.member)) {                                                        \
    snprintf(cl.problem, sizeof cl.problem, "the OpenCL loader is too old: it has no %s", symbol);    \
    return;                                                                                           \
  }
  CL_FUNCTIONS(LOAD)
#undef LOAD
#define LOAD(member, symbol, result, parameters) (void)wp__look_up(library, symbol, &cl.member);
  CL_OPTIONAL(LOAD)
#undef LOAD
}

const wp__cl *wp__cl_driver(void) {
  pthread_once(&once, open_loader);
  return cl.problem[0] == 0 ? &cl : NULL;
}

const char *wp__cl_problem(void) { return cl.problem; }

const char *wp__cl_error_name(cl_int error) {
  static const struct { cl_int error; const char *name; } names[] = {
#define NAME(e) {e, #e}
      NAME(CL_SUCCESS), NAME(CL_DEVICE_NOT_FOUND), NAME(CL_DEVICE_NOT_AVAILABLE), NAME(CL_COMPILER_NOT_AVAILABLE),
      NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE), NAME(CL_OUT_OF_RESOURCES), NAME(CL_OUT_OF_HOST_MEMORY),
      NAME(CL_PROFILING_INFO_NOT_AVAILABLE), NAME(CL_BUILD_PROGRAM_FAILURE), NAME(CL_LINK_PROGRAM_FAILURE),
      NAME(CL_KERNEL_ARG_INFO_NOT_AVAILABLE), NAME(CL_INVALID_VALUE), NAME(CL_INVALID_PLATFORM), NAME(CL_INVALID_DEVICE),
      NAME(CL_INVALID_CONTEXT), NAME(CL_INVALID_BINARY), NAME(CL_INVALID_BUILD_OPTIONS), NAME(CL_INVALID_PROGRAM),
      NAME(CL_INVALID_PROGRAM_EXECUTABLE), NAME(CL_INVALID_KERNEL_NAME), NAME(CL_INVALID_KERNEL), NAME(CL_INVALID_ARG_INDEX),
      NAME(CL_INVALID_ARG_VALUE), NAME(CL_INVALID_ARG_SIZE), NAME(CL_INVALID_KERNEL_ARGS), NAME(CL_INVALID_WORK_DIMENSION),
      NAME(CL_INVALID_WORK_GROUP_SIZE), NAME(CL_INVALID_WORK_ITEM_SIZE), NAME(CL_INVALID_BUFFER_SIZE), NAME(CL_INVALID_OPERATION),
      NAME(CL_INVALID_MEM_OBJECT), NAME(CL_INVALID_GLOBAL_WORK_SIZE), NAME(CL_INVALID_COMPILER_OPTIONS),
#undef NAME
      {-1001, "CL_PLATFORM_NOT_FOUND_KHR"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (names[i].error == error) return names[i].name;
  return "OpenCL error";
}
