/* Signals in a lane: a stack overflow, an invalid access, a division by zero, and the watchdog's. Each ends the block, not
 * the process. The lane may have held a lock of the C library at that moment; the report is worth that risk. */
#define _GNU_SOURCE
#include "emulator.h"

#include <string.h>
#include <ucontext.h>

#ifdef WARPPORT_HAVE_VALGRIND
#include <valgrind/valgrind.h>
#else
#define RUNNING_ON_VALGRIND 0
#endif

enum { SIGNALS = 4 };
static int signals[SIGNALS] = {SIGSEGV, SIGBUS, SIGFPE, 0};
static struct sigaction old_actions[SIGNALS];

int wp__watchdog_signal(void) { return SIGRTMIN + 7; }

static void *pc_of(const ucontext_t *context) {
#if defined(__x86_64__) && !defined(__ILP32__)
  return (void *)(uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  return (void *)(uintptr_t)context->uc_mcontext.pc;
#else
  (void)context;
  return NULL;
#endif
}

static char *sp_of(const ucontext_t *context) {
#if defined(__x86_64__) && !defined(__ILP32__)
  return (char *)(uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
  return (char *)(uintptr_t)context->uc_mcontext.sp;
#else
  (void)context;
  return NULL;
#endif
}

/* Not ours: what would have happened without this handler. */
static void pass_on(int signal, siginfo_t *info, void *context) {
  int i;
  for (i = 0; i < SIGNALS && signals[i] != signal; i++) continue;
  if (i < SIGNALS && (old_actions[i].sa_flags & SA_SIGINFO) != 0 && old_actions[i].sa_sigaction != NULL) {
    old_actions[i].sa_sigaction(signal, info, context);
  } else if (i < SIGNALS && old_actions[i].sa_handler != SIG_DFL && old_actions[i].sa_handler != SIG_IGN) {
    old_actions[i].sa_handler(signal);
  } else if (signal != wp__watchdog_signal()) {
    struct sigaction plain;
    memset(&plain, 0, sizeof plain);
    plain.sa_handler = SIG_DFL;
    sigaction(signal, &plain, NULL); /* and the instruction faults once more */
  }
}

static void on_signal(int signal, siginfo_t *info, void *context) {
  wp__worker *k = wp__this_worker;
  wp__host_lane *lane = wp__host_self;
  bool in_lane = k != NULL && k->run != NULL && lane != &k->main && lane->warp->worker == k;
  if (!in_lane) {
    pass_on(signal, info, context);
    return;
  }
  if (signal == wp__watchdog_signal() && !__atomic_load_n(&k->expired, __ATOMIC_RELAXED)) return;
  /* The handler does not return, so what was blocked meanwhile must not stay so. */
  pthread_sigmask(SIG_SETMASK, &((const ucontext_t *)context)->uc_sigmask, NULL);
  if (!k->in_fault) { /* unwinding a broken stack may fault as well, and then does without */
    k->in_fault = true;
    k->fault_signal = signal;
    k->fault_address = info->si_addr;
    k->fault_pc = pc_of(context);
    k->fault_sp = sp_of(context);
    k->fault_code = info->si_code;
    k->fault_lane = lane;
    k->trace_count = 0;
    if (!RUNNING_ON_VALGRIND) wp__trace_here(k); /* its signal frames cannot be unwound */
  }
  k->in_fault = false;
  wp__leave(k, WP__REASON_FAULT);
}

/* At each launch, since a test framework may have put its own handlers in place. */
void wp__faults_install(void) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  struct sigaction action, now;
  int i;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER; /* the handler is left without returning */
  sigemptyset(&action.sa_mask);
  pthread_mutex_lock(&lock);
  signals[SIGNALS - 1] = wp__watchdog_signal();
  for (i = 0; i < SIGNALS; i++) {
    if (sigaction(signals[i], NULL, &now) == 0 && ((now.sa_flags & SA_SIGINFO) == 0 || now.sa_sigaction != on_signal))
      sigaction(signals[i], &action, &old_actions[i]);
  }
  pthread_mutex_unlock(&lock);
}

/* A handler needs a stack of its own: that of the lane may be the one that is full. */
void wp__faults_enter(wp__worker *k) {
  k->altstack_set = false;
  if (sigaltstack(NULL, &k->old_altstack) == 0 && (k->old_altstack.ss_flags & SS_DISABLE) != 0)
    k->altstack_set = sigaltstack(&k->own_altstack, NULL) == 0;
}

void wp__faults_leave(wp__worker *k) {
  if (k->altstack_set) sigaltstack(&k->old_altstack, NULL);
}
