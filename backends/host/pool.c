/* The blocks of a launch on the cores: a pool of OS threads, the calling thread among them, and the watchdog. */
#define _GNU_SOURCE
#include "emulator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef WARPPORT_HAVE_VALGRIND
#include <valgrind/memcheck.h>
#else
#define VALGRIND_MAKE_MEM_UNDEFINED(at, bytes) ((void)0)
#endif

/* ---- workers ---- */

static pthread_mutex_t workers_lock = PTHREAD_MUTEX_INITIALIZER;
static wp__worker *workers; /* all, for the watchdog */
static pthread_key_t worker_key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void worker_destroy(void *user) {
  wp__worker *k = user, **at;
  pthread_mutex_lock(&workers_lock);
  for (at = &workers; *at != NULL && *at != k; at = &(*at)->next) continue;
  if (*at != NULL) *at = k->next;
  pthread_mutex_unlock(&workers_lock);
  while (k->stacks != NULL) {
    wp__host_stack *next = k->stacks->next;
    wp__stack_destroy(k->stacks);
    k->stacks = next;
  }
  while (k->shared != NULL) {
    wp__shared *next = k->shared->next;
    free(k->shared->memory);
    free(k->shared);
    k->shared = next;
  }
  free(k->lanes);
  free(k->warps);
  free(k->dynamic);
  free(k->soft);
#ifdef WP__TSAN
  wp__tsan_worker_end(k);
#endif
  free(k->own_altstack.ss_sp);
  free(k);
  wp__this_worker = NULL;
}

static wp__worker *worker_create(void) {
  void *memory = NULL;
  wp__worker *k;
  if (posix_memalign(&memory, 64, sizeof *k) != 0) return NULL;
  k = memory;
  memset(k, 0, sizeof *k);
  k->own_altstack.ss_size = 64 * 1024;
  k->own_altstack.ss_sp = malloc(k->own_altstack.ss_size);
  if (k->own_altstack.ss_sp == NULL) {
    free(k);
    return NULL;
  }
  k->thread = pthread_self();
  wp__stack_of_thread(&k->main_stack);
  k->main.stack = &k->main_stack;
  k->main.grid = &k->grid;
  k->main.warp_size = 1;
  k->main.warp = wp__outside_warp();
  pthread_mutex_lock(&workers_lock);
  k->next = workers;
  workers = k;
  pthread_mutex_unlock(&workers_lock);
  return k;
}

static wp__worker *worker_of_thread(void) {
  if (wp__this_worker == NULL) {
    wp__this_worker = worker_create();
    if (wp__this_worker != NULL) pthread_setspecific(worker_key, wp__this_worker);
  }
  return wp__this_worker;
}

static bool grow(void **memory, size_t bytes) {
  void *fresh = NULL;
  if (posix_memalign(&fresh, 64, bytes) != 0) return false;
  memset(fresh, 0, bytes);
  free(*memory);
  *memory = fresh;
  return true;
}

/* Lays the block of this launch out. */
static bool worker_prepare(wp__worker *k, wp__run *run) {
  int warps = (run->threads + run->warp_size - 1) / run->warp_size;
  int i, l;
  void *memory;
  k->run = run;
  if (run->threads > k->lane_capacity) {
    memory = k->lanes;
    if (!grow(&memory, (size_t)run->threads * sizeof *k->lanes)) return false;
    k->lanes = memory;
    k->lane_capacity = run->threads;
  }
  if (warps > k->warp_capacity) {
    memory = k->warps;
    if (!grow(&memory, (size_t)warps * sizeof *k->warps)) return false;
    k->warps = memory;
    k->warp_capacity = warps;
  }
  for (i = 0; i < warps; i++) {
    wp_u64 poison = 0xDEADBEEFDEADBEEFu ^ run->settings->poison * 0x9e3779b97f4a7c15u; /* no plausible value; as a float it is huge */
    for (l = 0; l < WP__MAX_LANES; l++) /* it differs from lane to lane */
      k->warps[i].value[WP__MAX_LANES + l] =
          run->settings->profile.unspecified == WP__UNSPECIFIED_ZERO ? 0 : poison ^ (wp_u64)l << 8 ^ (wp_u64)l << 40;
    /* valgrind follows them to where they matter */
    VALGRIND_MAKE_MEM_UNDEFINED(&k->warps[i].value[WP__MAX_LANES], WP__MAX_LANES * sizeof(wp_u64));
  }
  k->warp_count = warps;
  for (i = 0; i < run->threads; i++) {
    wp__host_lane *lane = &k->lanes[i];
    memset(lane, 0, sizeof *lane);
    lane->warp = &k->warps[i / run->warp_size];
    lane->grid = &k->grid;
    lane->lane = (wp_u8)(i % run->warp_size);
    lane->warp_size = (wp_u8)run->warp_size;
    lane->x = (wp_u16)(i % run->block_dim[0]);
    lane->y = (wp_u16)(i / run->block_dim[0] % run->block_dim[1]);
    lane->z = (wp_u8)(i / run->block_dim[0] / run->block_dim[1]);
  }
  for (i = 0; i < warps; i++) {
    wp__host_warp *w = &k->warps[i];
    int left = run->threads - i * run->warp_size;
    int n = left < run->warp_size ? left : run->warp_size;
    w->lanes = &k->lanes[i * run->warp_size];
    w->worker = k;
    w->id = i;
    w->present = n == 64 ? ~(wp_u64)0 : ((wp_u64)1 << n) - 1;
  }
  memcpy(k->grid.block_dim, run->block_dim, sizeof k->grid.block_dim);
  memcpy(k->grid.grid_dim, run->grid_dim, sizeof k->grid.grid_dim);
  if (k->stack_bytes != run->stack_bytes) {
    while (k->stacks != NULL) {
      wp__host_stack *next = k->stacks->next;
      wp__stack_destroy(k->stacks);
      k->stacks = next;
    }
    k->free_stacks = NULL;
    k->stack_count = 0;
    k->stack_bytes = run->stack_bytes;
  }
  memcpy(k->args, run->args, sizeof k->args);
  if (run->shared_param >= 0) {
    if (k->dynamic_bytes != run->shared_bytes || k->dynamic == NULL) {
      free(k->dynamic);
      k->dynamic = NULL;
      if (posix_memalign(&k->dynamic, 256, run->shared_bytes) != 0) {
        k->dynamic = NULL;
        return false;
      }
      k->dynamic_bytes = run->shared_bytes;
    }
    k->args[run->shared_param] = &k->dynamic;
  }
  return true;
}

void wp__run_report(wp__run *run, wp_u64 block, wp__report *report) {
  wp__report **at;
  report->number = block;
  pthread_mutex_lock(&run->lock);
  for (at = &run->reports; *at != NULL && (*at)->number <= block; at = &(*at)->next) continue;
  report->next = *at;
  *at = report;
  if (run->status == WP_OK || block < run->stop) run->status = report->status;
  if (!run->settings->collect && block < run->stop) __atomic_store_n(&run->stop, block, __ATOMIC_RELAXED);
  pthread_mutex_unlock(&run->lock);
}

void wp__run_failed(wp__run *run, wp_u64 block, wp_status status, char *text) {
  pthread_mutex_lock(&run->lock);
  if (run->status == WP_OK || block < run->stop) {
    free(run->text);
    run->text = text;
    run->status = status;
    __atomic_store_n(&run->stop, block, __ATOMIC_RELAXED);
  } else {
    free(text);
  }
  pthread_mutex_unlock(&run->lock);
}

static void work(wp__run *run) {
  wp__worker *k = worker_of_thread();
  wp__host_lane *outside = wp__host_self;
  wp__text text = {NULL, 0, 0};
  if (k == NULL || !worker_prepare(k, run)) {
    wp__say(&text, "kernel '%s': no memory for a block of %d threads", run->kernel->name, run->threads);
    wp__run_failed(run, 0, WP_ERROR_OUT_OF_MEMORY, text.s);
    return;
  }
  wp__faults_enter(k);
  __atomic_store_n(&k->expired, false, __ATOMIC_RELAXED);
  __atomic_store_n(&k->busy, true, __ATOMIC_RELEASE);
#ifdef WP__TSAN
  wp__tsan_run_begin(run);
#endif
  for (;;) {
    wp_u64 i = __atomic_fetch_add(&run->next, 1, __ATOMIC_RELAXED), block;
    if (i >= run->blocks) break;
    block = run->settings->schedule == WP__IN_ORDER ? i : wp__schedule_block(run, i);
    if (block <= __atomic_load_n(&run->stop, __ATOMIC_RELAXED)) wp__block_run(k, block);
  }
#ifdef WP__TSAN
  wp__tsan_run_end(run);
#endif
  __atomic_store_n(&k->busy, false, __ATOMIC_RELEASE);
  wp__faults_leave(k);
  wp__host_self = outside;
  k->run = NULL;
}

/* ---- the pool ---- */

static struct {
  pthread_mutex_t in_use; /* one launch at a time spreads over the pool; another one meanwhile runs on its own thread */
  pthread_mutex_t lock;
  pthread_cond_t wake, done;
  pthread_t *threads;
  int count, wanted, active;
  wp__run *run;
  bool ending;
} pool = {.in_use = PTHREAD_MUTEX_INITIALIZER,
          .lock = PTHREAD_MUTEX_INITIALIZER,
          .wake = PTHREAD_COND_INITIALIZER,
          .done = PTHREAD_COND_INITIALIZER};

static void block_signals(sigset_t *old) {
  sigset_t all;
  sigfillset(&all);
  sigdelset(&all, SIGSEGV);
  sigdelset(&all, SIGBUS);
  sigdelset(&all, SIGFPE);
  sigdelset(&all, SIGILL);
  sigdelset(&all, SIGABRT);
  sigdelset(&all, wp__watchdog_signal());
  pthread_sigmask(SIG_SETMASK, &all, old);
}

static void *pool_thread(void *user) {
  (void)user;
  pthread_mutex_lock(&pool.lock);
  for (;;) {
    wp__run *run;
    while (pool.wanted == 0 && !pool.ending) pthread_cond_wait(&pool.wake, &pool.lock);
    if (pool.ending) break;
    pool.wanted--;
    pool.active++;
    run = pool.run;
    pthread_mutex_unlock(&pool.lock);
    work(run);
    pthread_mutex_lock(&pool.lock);
    if (--pool.active == 0) pthread_cond_signal(&pool.done);
  }
  pthread_mutex_unlock(&pool.lock);
  return NULL;
}

/* Fewer threads than asked for is no failure: the calling thread alone suffices. */
static void pool_grow(int count) {
  sigset_t old;
  pthread_t *threads;
  if (count <= pool.count) return;
  threads = realloc(pool.threads, (size_t)count * sizeof *threads);
  if (threads == NULL) return;
  pool.threads = threads;
  block_signals(&old);
  while (pool.count < count && pthread_create(&pool.threads[pool.count], NULL, pool_thread, NULL) == 0) pool.count++;
  pthread_sigmask(SIG_SETMASK, &old, NULL);
}

/* ---- the watchdog: a worker without progress for too long is told so, and, if its lane does not give way, interrupted ---- */

static struct {
  pthread_mutex_t lock;
  pthread_cond_t wake;
  pthread_t thread;
  bool started, ending, asleep;
  double timeout;
} dog = {.lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool look_after(wp__worker *k, double timeout, double t) {
  wp_u64 progress = __atomic_load_n(&k->progress, __ATOMIC_RELAXED);
  if (!__atomic_load_n(&k->busy, __ATOMIC_ACQUIRE)) {
    k->seen_at = 0;
    return false;
  }
  if (k->seen_at == 0 || progress != k->seen_progress) {
    k->seen_progress = progress;
    k->seen_at = t;
  } else if (t - k->seen_at > timeout) {
    if (__atomic_load_n(&k->expired, __ATOMIC_RELAXED)) pthread_kill(k->thread, wp__watchdog_signal());
    __atomic_store_n(&k->expired, true, __ATOMIC_RELAXED); /* first a chance to notice it by itself */
  }
  return true;
}

static void *watchdog(void *user) {
  int idle = 0;
  (void)user;
  pthread_mutex_lock(&dog.lock);
  while (!dog.ending) {
    struct timespec until;
    wp__worker *k;
    bool busy = false;
    double period = dog.timeout < 1 ? 0.05 : 0.25;
    bool sleepy = idle > 8; /* nothing has run for some time: look seldom; a launch wakes it */
    if (sleepy) period = 5;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += (time_t)period;
    period -= (double)(time_t)period;
    until.tv_nsec += (long)(period * 1e9);
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    __atomic_store_n(&dog.asleep, sleepy, __ATOMIC_SEQ_CST);
    pthread_cond_timedwait(&dog.wake, &dog.lock, &until);
    __atomic_store_n(&dog.asleep, false, __ATOMIC_SEQ_CST);
    pthread_mutex_lock(&workers_lock);
    for (k = workers; k != NULL; k = k->next) busy |= look_after(k, dog.timeout, now());
    pthread_mutex_unlock(&workers_lock);
    idle = busy ? 0 : idle + 1;
  }
  pthread_mutex_unlock(&dog.lock);
  return NULL;
}

static void watch(double timeout) {
  bool awake;
  if (timeout <= 0) return;
  pthread_mutex_lock(&dog.lock);
  awake = __atomic_load_n(&dog.started, __ATOMIC_ACQUIRE) && !__atomic_load_n(&dog.asleep, __ATOMIC_SEQ_CST);
  if (awake && fabs(dog.timeout - timeout) <= 0) { /* the usual case */
    pthread_mutex_unlock(&dog.lock);
    return;
  }
  dog.timeout = timeout;
  if (!dog.started) {
    sigset_t old;
    block_signals(&old);
    __atomic_store_n(&dog.started, pthread_create(&dog.thread, NULL, watchdog, NULL) == 0, __ATOMIC_RELEASE);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
  }
  pthread_cond_signal(&dog.wake);
  pthread_mutex_unlock(&dog.lock);
}

/* ---- beginning and end ---- */

static void after_fork(void) { /* the child has none of the threads */
  wp__worker *k;
  pool.count = pool.wanted = pool.active = 0;
  dog.started = false;
  for (k = workers; k != NULL; k = k->next) k->busy = false;
}

static void begin(void) {
  pthread_key_create(&worker_key, worker_destroy);
  pthread_atfork(NULL, NULL, after_fork);
}

static __attribute__((destructor)) void end(void) {
  int i;
  if (wp__this_worker != NULL && wp__this_worker->run != NULL) return; /* exit() called by a kernel */
  pthread_mutex_lock(&pool.lock);
  pool.ending = true;
  pthread_cond_broadcast(&pool.wake);
  pthread_mutex_unlock(&pool.lock);
  for (i = 0; i < pool.count; i++) pthread_join(pool.threads[i], NULL);
  free(pool.threads);
  pool.threads = NULL;
  pool.count = 0;
  if (dog.started) {
    pthread_mutex_lock(&dog.lock);
    dog.ending = true;
    pthread_cond_signal(&dog.wake);
    pthread_mutex_unlock(&dog.lock);
    pthread_join(dog.thread, NULL);
    dog.started = false;
  }
  if (wp__this_worker != NULL) {
    pthread_setspecific(worker_key, NULL);
    worker_destroy(wp__this_worker);
  }
}

void wp__pool_run(wp__run *run, int threads, double timeout) {
  bool shared;
  pthread_once(&once, begin);
  wp__faults_install();
  /* A guard may cost two mappings, and Linux allows a process 65530 of them by default. */
  if (!wp__stack_guards_are_cheap() && threads > 1 && threads > 50000 / (2 * run->threads)) threads = 50000 / (2 * run->threads);
  if ((wp_u64)threads > run->blocks) threads = (int)run->blocks;
  watch(timeout);
  shared = threads > 1 && pthread_mutex_trylock(&pool.in_use) == 0;
  if (shared) {
    pthread_mutex_lock(&pool.lock);
    pool_grow(threads - 1);
    pool.run = run;
    pool.wanted = threads - 1 < pool.count ? threads - 1 : pool.count;
    pthread_cond_broadcast(&pool.wake);
    pthread_mutex_unlock(&pool.lock);
  }
  work(run);
  if (shared) {
    pthread_mutex_lock(&pool.lock);
    pool.wanted = 0;
    while (pool.active > 0) pthread_cond_wait(&pool.done, &pool.lock);
    pool.run = NULL;
    pthread_mutex_unlock(&pool.lock);
    pthread_mutex_unlock(&pool.in_use);
  }
}
