/* Internal to the OpenCL backend: the driver's functions, and what a device can do. */
#ifndef WARPPORT_OPENCL_BACKEND_H
#define WARPPORT_OPENCL_BACKEND_H

#include "backend.h"

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <stdbool.h>

/* X(member, symbol, result, parameters): in every OpenCL 1.2 loader. */
#define CL_FUNCTIONS(X)                                                                                                          \
  X(platform_ids, "clGetPlatformIDs", cl_int, (cl_uint, cl_platform_id *, cl_uint *))                                            \
  X(platform_info, "clGetPlatformInfo", cl_int, (cl_platform_id, cl_platform_info, size_t, void *, size_t *))                    \
  X(device_ids, "clGetDeviceIDs", cl_int, (cl_platform_id, cl_device_type, cl_uint, cl_device_id *, cl_uint *))                  \
  X(device_info, "clGetDeviceInfo", cl_int, (cl_device_id, cl_device_info, size_t, void *, size_t *))                            \
  X(create_context, "clCreateContext", cl_context,                                                                               \
    (const cl_context_properties *, cl_uint, const cl_device_id *, void (*)(const char *, const void *, size_t, void *), void *, \
     cl_int *))                                                                                                                  \
  X(release_context, "clReleaseContext", cl_int, (cl_context))                                                                   \
  X(create_queue, "clCreateCommandQueue", cl_command_queue, (cl_context, cl_device_id, cl_command_queue_properties, cl_int *))   \
  X(release_queue, "clReleaseCommandQueue", cl_int, (cl_command_queue))                                                          \
  X(create_buffer, "clCreateBuffer", cl_mem, (cl_context, cl_mem_flags, size_t, void *, cl_int *))                               \
  X(release_memory, "clReleaseMemObject", cl_int, (cl_mem))                                                                      \
  X(write, "clEnqueueWriteBuffer", cl_int,                                                                                       \
    (cl_command_queue, cl_mem, cl_bool, size_t, size_t, const void *, cl_uint, const cl_event *, cl_event *))                    \
  X(read, "clEnqueueReadBuffer", cl_int,                                                                                         \
    (cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *, cl_uint, const cl_event *, cl_event *))                          \
  X(program_with_source, "clCreateProgramWithSource", cl_program, (cl_context, cl_uint, const char **, const size_t *, cl_int *)) \
  X(program_with_binary, "clCreateProgramWithBinary", cl_program,                                                                \
    (cl_context, cl_uint, const cl_device_id *, const size_t *, const unsigned char **, cl_int *, cl_int *))                     \
  X(build, "clBuildProgram", cl_int,                                                                                             \
    (cl_program, cl_uint, const cl_device_id *, const char *, void (*)(cl_program, void *), void *))                             \
  X(build_info, "clGetProgramBuildInfo", cl_int, (cl_program, cl_device_id, cl_program_build_info, size_t, void *, size_t *))    \
  X(program_info, "clGetProgramInfo", cl_int, (cl_program, cl_program_info, size_t, void *, size_t *))                           \
  X(release_program, "clReleaseProgram", cl_int, (cl_program))                                                                   \
  X(create_kernel, "clCreateKernel", cl_kernel, (cl_program, const char *, cl_int *))                                            \
  X(release_kernel, "clReleaseKernel", cl_int, (cl_kernel))                                                                      \
  X(kernel_info, "clGetKernelInfo", cl_int, (cl_kernel, cl_kernel_info, size_t, void *, size_t *))                               \
  X(arg_info, "clGetKernelArgInfo", cl_int, (cl_kernel, cl_uint, cl_kernel_arg_info, size_t, void *, size_t *))                  \
  X(group_info, "clGetKernelWorkGroupInfo", cl_int,                                                                              \
    (cl_kernel, cl_device_id, cl_kernel_work_group_info, size_t, void *, size_t *))                                              \
  X(set_arg, "clSetKernelArg", cl_int, (cl_kernel, cl_uint, size_t, const void *))                                               \
  X(launch, "clEnqueueNDRangeKernel", cl_int,                                                                                    \
    (cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *, cl_uint, const cl_event *,            \
     cl_event *))                                                                                                                \
  X(finish, "clFinish", cl_int, (cl_command_queue))                                                                              \
  X(wait, "clWaitForEvents", cl_int, (cl_uint, const cl_event *))                                                                \
  X(event_times, "clGetEventProfilingInfo", cl_int, (cl_event, cl_profiling_info, size_t, void *, size_t *))                     \
  X(event_info, "clGetEventInfo", cl_int, (cl_event, cl_event_info, size_t, void *, size_t *))                                   \
  X(release_event, "clReleaseEvent", cl_int, (cl_event))
/* OpenCL 2.1 */
#define CL_OPTIONAL(X)                                                                                                           \
  X(program_with_il, "clCreateProgramWithIL", cl_program, (cl_context, const void *, size_t, cl_int *))                          \
  X(sub_group_info, "clGetKernelSubGroupInfo", cl_int,                                                                           \
    (cl_kernel, cl_device_id, cl_kernel_sub_group_info, size_t, const void *, size_t, void *, size_t *))

typedef struct wp__cl {
#define MEMBER(member, symbol, result, parameters) result(CL_API_CALL *member) parameters;
  CL_FUNCTIONS(MEMBER)
  CL_OPTIONAL(MEMBER)
#undef MEMBER
  char problem[256]; /* why it cannot be used; "" if it can */
} wp__cl;
/* Opens the loader when first called. NULL: see wp__cl_problem(). */
const wp__cl *wp__cl_driver(void);
const char *wp__cl_problem(void);
const char *wp__cl_error_name(cl_int error);

/* The numbers of include/warpport/backend/opencl.h. */
typedef enum wp__dialect {
  DIALECT_AUTO,
  DIALECT_KHR,
  DIALECT_INTEL,
  DIALECT_NVIDIA,
  DIALECT_AMD,
  DIALECT_QUALCOMM,
  DIALECT_EMULATED
} wp__dialect;

/* What stands behind "opencl:" in a device's name. */
typedef struct wp__cl_choice {
  char name[48];  /* part of the platform's, vendor's or device's name; "" any */
  int index;      /* among the devices that match; -1 the first */
  int sub_group;  /* required sub-group size; 0 the driver's choice */
  int warp;       /* lanes of emulated warps; 0 default */
  int dialect;    /* a wp__dialect */
  char standard[8]; /* "CL1.2"; "" the highest */
} wp__cl_choice;

/* What a device says about itself, and what follows from it. */
typedef struct wp__cl_traits {
  cl_platform_id platform;
  cl_device_id id;
  char platform_name[96], device_name[96], driver[96], version[96];
  int standard;          /* of OpenCL C: 120, 200, 300 */
  bool pocl, nvidia, rusticl;
  int pocl_major;
  int nv_sm;             /* compute capability times 10 */
  bool sub_groups;       /* core sub-groups */
  bool khr_shuffle, intel_sub_groups, required_size, qcom_shuffle, il;
  bool rows;             /* sub-groups never reach over the end of a row of threads: Intel's CPU runtime */
  bool exact_division;   /* -cl-fp32-correctly-rounded-divide-sqrt */
  int sizes[16], size_count; /* sub-group sizes that may be required */
  int max_sub_group;     /* of a probe kernel; 0 unknown */
} wp__cl_traits;

const char *wp__cl_dialect_name(wp__dialect dialect);
wp_status wp__cl_parse(const char *selector, wp__cl_choice *choice);
void wp__cl_query(cl_platform_id platform, cl_device_id id, wp__cl_traits *traits);

/* Binaries of programs built before, in files. All of it is best effort: a failure only means building again. */
typedef struct wp__cl_cache_key { char text[33]; } wp__cl_cache_key;
bool wp__cl_cache_on(void);
wp__cl_cache_key wp__cl_cache_hash(const char *const *texts, const size_t *lengths, int count);
unsigned char *wp__cl_cache_read(const wp__cl_cache_key *key, size_t *bytes); /* NULL: none; to be freed */
void wp__cl_cache_write(const wp__cl_cache_key *key, const unsigned char *data, size_t bytes);

#endif
