/* What the fake driver has been asked to do, and what is still alive; exported as `fake`. */
#ifndef WARPPORT_TESTS_FAKE_DRIVER_H
#define WARPPORT_TESTS_FAKE_DRIVER_H

typedef struct fake_state {
  int contexts, depth, buffers, modules, events; /* alive */
  int loads, launches;                           /* ever */
  int lost, fail_retain;
  unsigned grid[3], block[3], shared; /* of the last launch */
  unsigned long long params[16][2];
} fake_state;

#endif
