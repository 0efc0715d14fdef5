/* How fast the warp emulator is: lane-collectives a second (a shuffle of 32 lanes counts 32), on one core and on all, and the
 * same loop with swapcontext() fibers and with an OS thread for each lane.
 *
 *     bench_emulator [MINIMUM]        MINIMUM: fail if the 32-lane shuffle loop makes fewer million a second on one core
 *     bench_emulator --checks [MOST]  what the checks cost in that loop: MOST: fail if they make it so many times as slow */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

#include <warpport/launch.h>

enum { LANES = 32, REPEATS = 7 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* CPU time of all threads of this program: on a busy machine it says more than the clock. */
static double own_time(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static _Noreturn void die(const char *what) {
  fprintf(stderr, "bench_emulator: %s: %s\n", what, wp_last_error());
  exit(1);
}

static void set_threads(int n) {
  char text[16];
  snprintf(text, sizeof text, "%d", n);
  setenv("WARPPORT_HOST_THREADS", text, 1);
}

/* Million lane-collectives a second, the best of some runs: by CPU time, or by the clock. */
static double emulator(const char *device, const char *kernel, unsigned blocks, unsigned threads, int rounds, int os_threads,
                       double (*time_of)(void)) {
  wp_device *d;
  wp_buffer *out;
  wp_kernel *k;
  wp_launch_config config = {{blocks, 1, 1}, {threads, 1, 1}, NULL};
  wp_arg args[2];
  double best = 1e30;
  int i;
  set_threads(os_threads);
  if (wp_device_open(device, &d) != WP_OK || wp_buffer_create(d, (size_t)blocks * threads * 4, &out) != WP_OK ||
      wp_kernel_find(d, kernel, &k) != WP_OK)
    die(kernel);
  args[0] = wp_arg_buffer(out);
  args[1] = wp_arg_i32(rounds);
  for (i = 0; i < REPEATS; i++) {
    double time = time_of();
    if (wp_launch(k, &config, args, 2) != WP_OK) die(kernel);
    time = time_of() - time;
    if (time < best) best = time;
  }
  wp_buffer_destroy(out);
  wp_device_close(d);
  return (double)blocks * threads * rounds / best * 1e-6;
}

/* ---- the same loop without checks, by other means ---- */

static uint32_t cell[2][LANES];

static ucontext_t scheduler, lane_context[LANES];
static int context_rounds;

static void context_lane(int lane) {
  uint32_t v = (uint32_t)lane;
  int i;
  for (i = 0; i < context_rounds; i++) {
    cell[i & 1][lane] = v + 1u;
    swapcontext(&lane_context[lane], &lane_context[(lane + 1) % LANES]); /* round robin: back when all have written */
    v = cell[i & 1][lane ^ 1];
  }
  swapcontext(&lane_context[lane], lane == LANES - 1 ? &scheduler : &lane_context[lane + 1]);
}

static void make_contexts(void) {
  static char stacks[LANES][32 * 1024];
  int l;
  for (l = 0; l < LANES; l++) {
    getcontext(&lane_context[l]);
    lane_context[l].uc_stack.ss_sp = stacks[l];
    lane_context[l].uc_stack.ss_size = sizeof stacks[l];
    lane_context[l].uc_link = &scheduler;
    makecontext(&lane_context[l], (void (*)(void))context_lane, 1, l);
  }
}

static double contexts(int rounds) {
  double best = 1e30;
  int i;
  context_rounds = rounds;
  for (i = 0; i < REPEATS; i++) {
    double time;
    make_contexts();
    time = own_time();
    swapcontext(&scheduler, &lane_context[0]);
    time = own_time() - time;
    if (time < best) best = time;
  }
  return (double)LANES * rounds / best * 1e-6;
}

static pthread_barrier_t meeting;
static int thread_rounds;

static void *thread_lane(void *user) {
  int lane = (int)(intptr_t)user, i;
  uint32_t v = (uint32_t)lane;
  for (i = 0; i < thread_rounds; i++) {
    cell[i & 1][lane] = v + 1u;
    pthread_barrier_wait(&meeting);
    v = cell[i & 1][lane ^ 1];
  }
  return NULL;
}

static double threads(int rounds) {
  pthread_t thread[LANES];
  double begin = now();
  int l, started = 0;
  thread_rounds = rounds;
  pthread_barrier_init(&meeting, NULL, LANES);
  for (l = 0; l < LANES; l++) started += pthread_create(&thread[l], NULL, thread_lane, (void *)(intptr_t)l) == 0;
  if (started != LANES) {
    fprintf(stderr, "bench_emulator: no %d threads\n", LANES);
    exit(1);
  }
  for (l = 0; l < LANES; l++) pthread_join(thread[l], NULL);
  pthread_barrier_destroy(&meeting);
  return (double)LANES * rounds / (now() - begin) * 1e-6;
}

/* ---- the table ---- */

static double line(const char *what, double rate, double base) {
  printf("  %-58s %9.2f M/s %9.2f ns", what, rate, 1e3 / rate);
  if (base > 0) printf("  %7.3g x", rate / base);
  printf("\n");
  return rate;
}

/* With and without checks by turns, so that a busy machine troubles both alike. */
static double checks(const char *device, unsigned lanes) {
  double on = 0, off = 0, raw = 0, rate;
  int i;
  for (i = 0; i < 6; i++) {
    rate = emulator(device, "bench_xor", 1, lanes, 10000, 1, own_time);
    if (rate > on) on = rate;
    setenv("WARPPORT_CHECK", "0", 1);
    rate = emulator(device, "bench_xor", 1, lanes, 10000, 1, own_time);
    if (rate > off) off = rate;
    rate = emulator(device, "bench_raw", 1, lanes, 10000, 1, own_time);
    if (rate > raw) raw = rate;
    unsetenv("WARPPORT_CHECK");
  }
  printf("%u lanes, shfl_xor, a lane and call: %.2f ns with checks, %.2f ns without (%.2f times), %.2f ns without the call that says what "
         "is shuffled (%.2f times)\n",
         lanes, 1e3 / on, 1e3 / off, off / on, 1e3 / raw, raw / on);
  return raw / on;
}

int main(int argc, char **argv) {
  cpu_set_t set;
  int cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1, n;
  double minimum = argc > 1 ? atof(argv[1]) : 0, base, one = 0;
  if (argc > 1 && strcmp(argv[1], "--checks") == 0) {
    double a = checks("cpu:32", 32), b = checks("cpu:64", 64), most = argc > 2 ? atof(argv[2]) : 0;
    if (most <= 0 || (a <= most && b <= most)) return 0;
    fprintf(stderr, "bench_emulator: more than %.2f times\n", most);
    return 1;
  }
  printf("lane-collectives, one core, all checks on:\n");
  base = line("32 lanes, shfl_xor, block of 32", emulator("cpu:32", "bench_xor", 1, 32, 60000, 1, own_time), 0);
  line("32 lanes, shfl_xor, block of 256", emulator("cpu:32", "bench_xor", 1, 256, 8000, 1, own_time), base);
  line("32 lanes, shfl_xor, block of 1024", emulator("cpu:32", "bench_xor", 1, 1024, 2000, 1, own_time), base);
  line("64 lanes, shfl_xor, block of 1024", emulator("cpu:64", "bench_xor", 1, 1024, 2000, 1, own_time), base);
  line("32 lanes, ballot, block of 32", emulator("cpu:32", "bench_ballot", 1, 32, 60000, 1, own_time), base);
  line("32 lanes, shfl_xor in tiles of 8, block of 32", emulator("cpu:32", "bench_tiles", 1, 32, 60000, 1, own_time), base);
  line("block barrier, 64 threads", emulator("cpu:32", "bench_barrier", 1, 64, 20000, 1, own_time), base);
  line("block barrier, 1024 threads", emulator("cpu:32", "bench_barrier", 1, 1024, 1000, 1, own_time), base);
  printf("the same shuffle loop, no checks:\n");
  line("swapcontext() fibers", contexts(20000), base);
  line("a thread a lane, pthread_barrier (all cores)", threads(300), base);
  printf("64 blocks of 32 threads on n cores, by the clock; and by CPU time, which says what more cores cost each other:\n");
  for (n = 1; n <= cores; n = n < cores && 2 * n > cores ? cores : 2 * n) {
    char text[64];
    double rate = emulator("cpu:32", "bench_xor", 64, 32, 2000, n, now);
    if (n == 1) one = rate;
    snprintf(text, sizeof text, "%d: %.2f ns of CPU time", n, 1e3 / emulator("cpu:32", "bench_xor", 64, 32, 2000, n, own_time));
    line(text, rate, one);
  }
  if (base < minimum) {
    fprintf(stderr, "bench_emulator: %.1f M/s, less than the %.1f asked for\n", base, minimum);
    return 1;
  }
  return 0;
}
