/* Included before a kernel file that a vendor's compiler builds for runtime_launch.cpp: registers each kernel by its name. */
#ifndef WARPPORT_SELFTEST_ENTRY_H
#define WARPPORT_SELFTEST_ENTRY_H
struct warpport_entry {
  const char *name;
  const void *function;
  warpport_entry *next;
  warpport_entry(const char *kernel, const void *stub); /* runtime_launch.cpp */
};
#define WPB_KERNEL_ENTRY(kernel) static warpport_entry warpport_entry_##kernel(#kernel, reinterpret_cast<const void *>(&kernel));
#endif
