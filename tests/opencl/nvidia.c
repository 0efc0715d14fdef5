/* On an NVIDIA device, through OpenCL and through CUDA: the same bits, no more than 1.05 times the time, and PTX that has the
 * instructions and keeps nothing in local memory.
 * usage: opencl_nvidia [FACTOR]   exits with 77, and says why, where one of the two cannot run. */
#define _POSIX_C_SOURCE 200809L
#include <warpport/launch.h>

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* 256 threads: the most that NVIDIA's OpenCL compiler prepares a kernel for unless a size is required. */
enum { BLOCKS = 1056, THREADS = 256, N = BLOCKS * THREADS, ROUNDS = 2048, REPEATS = 15 };
static const struct { const char *name, *instruction; } kernels[] = {
    {"nv_sum_f32", "shfl.sync.bfly.b32"}, {"nv_sum_u32", "redux.sync.add.u32"}, {"nv_scan_f32", "shfl.sync.up.b32"}, {"nv_scan_u32", "shfl.sync.up.b32"}};
enum { KERNELS = sizeof kernels / sizeof *kernels };

/* Runs the kernel on data that depends on nothing but i; the shortest time in ms, or a negative number. */
static double run(wp_device *d, const char *name, uint32_t *out) {
  wp_buffer *x;
  wp_kernel *k;
  double best = -1.0;
  uint32_t *start = malloc(sizeof *start * N);
  if (start == NULL || wp_kernel_find(d, name, &k) != WP_OK || wp_buffer_create(d, sizeof *start * N, &x) != WP_OK) goto failed;
  for (uint32_t i = 0; i < N; i++) {
    float f = (float)(i * 2654435761u >> 8) * 0x1p-24f;
    if (strstr(name, "f32") != NULL) memcpy(&start[i], &f, 4);
    else start[i] = i * 2654435761u;
  }
  wp_arg args[] = {wp_arg_buffer(x), wp_arg_i32(ROUNDS)};
  for (int turn = 0; turn < REPEATS; turn++) {
    double ms = 0.0;
    wp_launch_config c = {{BLOCKS, 1, 1}, {THREADS, 1, 1}, &ms};
    if (wp_buffer_write(x, 0, start, sizeof *start * N) != WP_OK || wp_launch(k, &c, args, 2) != WP_OK) goto failed;
    if (best < 0.0 || ms < best) best = ms;
  }
  if (wp_buffer_read(x, 0, out, sizeof *start * N) != WP_OK) goto failed;
  wp_buffer_destroy(x);
  free(start);
  return best;
failed:
  printf("%s, %s: %s\n", wp_device_name(d), name, wp_last_error());
  free(start);
  return -1.0;
}

/* The PTX of one kernel in a program's text; NULL if it is not there. Cut out in place. */
static char *entry(char *ptx, const char *name) {
  char wanted[96], *at, *end;
  snprintf(wanted, sizeof wanted, ".entry %s(", name);
  at = strstr(ptx, wanted);
  if (at == NULL) return NULL;
  end = strstr(at, "\n}");
  if (end != NULL) *end = 0;
  return at;
}

static int check_binaries(const char *dir) {
  int failed = 0, found = 0;
  DIR *d = opendir(dir);
  if (d == NULL) {
    printf("FAIL: no binary in %s\n", dir);
    return 1;
  }
  for (struct dirent *e; (e = readdir(d)) != NULL;) {
    char path[512];
    if (strstr(e->d_name, ".bin") == NULL) continue;
    snprintf(path, sizeof path, "%s/%.200s", dir, e->d_name);
    for (int k = 0; k < KERNELS; k++) {
      FILE *f = fopen(path, "rb");
      char *text = calloc(1, 4 << 20);
      size_t n = f != NULL && text != NULL ? fread(text, 1, (4 << 20) - 1, f) : 0;
      for (size_t i = 0; i < n; i++)
        if (text[i] == 0) text[i] = ' ';
      char *ptx = n > 0 ? entry(text, kernels[k].name) : NULL;
      if (ptx != NULL) {
        static const char *const never[] = {".local", "ld.local", "st.local", "call", "vprintf"};
        int count = 0;
        found++;
        for (const char *p = ptx; (p = strstr(p, kernels[k].instruction)) != NULL; p++) count++;
        printf("  %-12s %d %s\n", kernels[k].name, count, kernels[k].instruction);
        if (count == 0) {
          printf("FAIL: the PTX of %s lacks %s\n", kernels[k].name, kernels[k].instruction);
          failed++;
        }
        for (size_t i = 0; i < sizeof never / sizeof *never; i++) {
          if (strstr(ptx, never[i]) == NULL) continue;
          printf("FAIL: the PTX of %s has '%s'\n", kernels[k].name, never[i]);
          failed++;
        }
      }
      free(text);
      if (f != NULL) fclose(f);
    }
    (void)unlink(path);
  }
  closedir(d);
  (void)rmdir(dir);
  if (found != KERNELS) {
    printf("FAIL: %d of %d kernels found in the binaries\n", found, KERNELS);
    failed++;
  }
  return failed;
}

int main(int argc, char **argv) {
  const double factor = argc > 1 ? atof(argv[1]) : 1.05;
  wp_device *cl = NULL, *cu = NULL;
  char dir[64];
  int failed = 0;
  snprintf(dir, sizeof dir, "/tmp/warpport_nvidia_%ld", (long)getpid());
  setenv("WARPPORT_CACHE", dir, 1);
  if (wp_device_open("opencl:NVIDIA CUDA", &cl) != WP_OK) {
    printf("SKIPPED: %s\n", wp_last_error());
    return 77;
  }
  printf("%s\n", wp_device_description(cl));
  if (wp_device_open("cuda", &cu) != WP_OK) printf("SKIPPED, the comparison with CUDA: %s\n", wp_last_error());
  uint32_t *a = malloc(sizeof *a * N), *b = malloc(sizeof *b * N);
  if (a == NULL || b == NULL) return 1;
  for (int k = 0; k < KERNELS; k++) {
    double opencl = run(cl, kernels[k].name, a), cuda = cu != NULL ? run(cu, kernels[k].name, b) : 0.0;
    bool same = cu == NULL || memcmp(a, b, sizeof *a * N) == 0;
    if (opencl <= 0.0 || cuda < 0.0) {
      failed++;
      continue;
    }
    printf("  %-12s OpenCL %8.4f ms", kernels[k].name, opencl);
    if (cu != NULL) printf(", CUDA %8.4f ms, ratio %.3f, %s", cuda, opencl / cuda, same ? "same bits" : "DIFFERENT BITS");
    printf("\n");
    if (!same) failed++;
    if (cu != NULL && opencl > factor * cuda) {
      printf("FAIL: %s takes more than %.2f times as long\n", kernels[k].name, factor);
      failed++;
    }
  }
  if (cu != NULL) wp_device_close(cu);
  wp_device_close(cl);
  free(a);
  free(b);
  failed += check_binaries(dir);
  printf("%s\n", failed ? "FAILED" : "passed");
  return failed != 0;
}
