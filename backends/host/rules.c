/* The rules, and how each vendor treats code that breaks them (docs/checker.md explains each; guideline: NVIDIA's safety guideline for
 * CUDA, chapter 2).
 *
 * The verdicts are about this library's code on that vendor: CUDA passes masks to the *_sync instructions; HIP and OpenCL have no
 * masks, a lane exchanges with those that execute the same instruction at that moment. "By luck" is what was seen on hardware though
 * the instruction set leaves it undefined (PTX ISA: shfl.sync, vote.sync, bar.warp.sync; measured on sm_90). */
#define _GNU_SOURCE
#include "emulator.h"

#include <string.h>

const char *const wp__vendors[WP__VENDORS] = {"CUDA before sm_70", "CUDA from sm_70 on", "HIP", "OpenCL", "constrained chips"};

#define VERDICT(cuda60, cuda70, hip, opencl, constrained)                                                                        \
  { cuda60, cuda70, hip, opencl, constrained }
#define NOWHERE                                                                                                                  \
  { NULL, NULL, NULL, NULL, NULL }

const wp__rule wp__rules[WP__RULE_COUNT] = {
    [WP__RULE_OUTSIDE_MASK] = {"WP101", "the caller is not in its own mask",
                               "every lane that makes the call must be named in mask", "2.3", false, false,
                               VERDICT("undefined", "undefined; by luck the lane gets a value like the others",
                                       "not noticed: a vote leaves the lane out, an exchange does not", "as HIP", "as HIP")},
    [WP__RULE_EMPTY_MASK] = {"WP102", "the mask is empty", "every lane that makes the call must be named in mask", "2.3", false,
                             false,
                             VERDICT("undefined", "undefined; wp_sync() then orders nothing", "not noticed: votes give 0",
                                     "as HIP", "as HIP")},
    [WP__RULE_BEYOND_WARP] = {"WP103", "the mask names lanes the warp does not have",
                              "wp_mask_all() has exactly the lanes of a warp", "2.1", false, false,
                              VERDICT("the bits are cut off", "the bits are cut off", "not noticed", "as HIP",
                                      "the mask may not fit its type")},
    [WP__RULE_BEYOND_BLOCK] =
        {"WP104", "the mask names lanes the block does not have",
         "the last warp of a block may be partial: wp_mask_present() has exactly its lanes", "2.1", false, false,
         VERDICT("undefined", "works by luck: lanes that do not exist count as exited; reading them gives 0",
                 "not noticed; reading them gives 0", "not noticed; reading them gives anything", "reading them gives anything")},
    [WP__RULE_RETURNED] = {"WP105", "the mask names a lane that has returned",
                           "take the lanes that stay with wp_ballot() before the others return", "2.1", false, false,
                           VERDICT("undefined", "works by luck: exited lanes are not waited for; reading them gives 0",
                                   "not noticed; reading them gives 0", "undefined value if read", "anything if read")},
    [WP__RULE_OTHER_CALL] = {"WP106", "lanes of one mask are at different operations",
                             "move the call out of the branch, or name in mask only the lanes that take the branch", "2.1", false,
                             false,
                             VERDICT("undefined: wrong values", "hangs (seen on sm_90), or pairs unlike operations",
                                     "no waiting: each branch sees only its own lanes, values of the others are 0",
                                     "each branch sees only its own lanes, the values of the others are undefined", "as OpenCL")},
    [WP__RULE_OTHER_MASK] = {"WP107", "lanes that wait for each other passed different masks",
                             "compute the mask before the branch, for instance with wp_ballot()", "2.1", false, false,
                             VERDICT("undefined", "undefined; by luck nothing shows while the lanes are together",
                                     "masks decide nothing but votes, which then differ", "as HIP", "as HIP")},
    [WP__RULE_OTHER_WIDTH] = {"WP108", "lanes of one mask passed different widths", "width must be equal in all lanes of mask",
                              "2.2", false, false,
                              VERDICT("each lane reads by its own width", "each lane reads by its own width", "as CUDA",
                                      "as CUDA where the index is computed; else undefined", "undefined")},
    [WP__RULE_WAITS_AT_BARRIER] = {"WP109", "a lane of the mask waits at the block barrier",
                                   "WP_BARRIER() must be reached by all threads of the block together", "2.1", false, false,
                                   VERDICT("hangs or goes on with wrong counts", "hangs",
                                           "the barrier may be passed by the warp as a whole: wrong order of memory",
                                           "undefined, often hangs", "undefined, often hangs")},
    [WP__RULE_OTHER_BARRIER] = {"WP110", "threads of a block wait at different barriers",
                                "all threads of the block must reach the same WP_BARRIER()", NULL, true, false,
                                VERDICT("works: barriers are counted by warp",
                                        "works: bar.sync counts arrivals, wherever they are",
                                        "works by luck: s_barrier counts waves",
                                        "undefined: each work-item must reach the same barrier", "undefined")},
    [WP__RULE_CIRCLE] = {"WP111", "lanes wait for each other in a circle", "lanes must make their calls in the same order", "2.1",
                         false, false,
                         VERDICT("undefined", "hangs", "no waiting: wrong values", "no waiting: undefined values",
                                 "undefined values")},
    [WP__RULE_BAD_WIDTH] = {"WP112", "the width is no power of two within the warp", "possible are 1, 2, 4, ... wp_warp_size()",
                            "2.2", false, false,
                            VERDICT("nonsense", "nonsense, no error (seen on sm_90)", "nonsense", "nonsense", "nonsense")},
    [WP__RULE_XOR_RANGE] = {"WP113", "the lane mask of an xor shuffle is not below the width",
                            "wp_shfl_xor_or() has a fallback for it", "2.2", false, false,
                            VERDICT("lanes with a partner in an earlier segment read it, others keep their own value",
                                    "as before sm_70", "as CUDA, by another formula above the warp",
                                    "reads across segments, or undefined", "undefined")},
    [WP__RULE_SOURCE] = {"WP114", "the source lane is not in the mask",
                         "its value is unspecified; wp_shfl_or() and its kin give a fallback instead", "2.1", false, false,
                         VERDICT("undefined value", "by luck: the lane's value if it is at the call, else 0 (seen on sm_90)",
                                 "the lane's value if it is at the call, else 0", "undefined value",
                                 "anything, often the own value")},
    [WP__RULE_OTHER_SITE] =
        {"WP115", "lanes of one mask make the same operation at different calls",
         "move the call out of the branch; if the program is for sm_70 and later alone, WARPPORT_CHECK=-WP115", "2.4", true,
         false,
         VERDICT("undefined: lanes must be converged at one instruction", "legal: lanes meet wherever they come from",
                 "each call sees only its own lanes: others read as 0", "each call sees only its own lanes: others are undefined",
                 "wrong or undefined values")},
    [WP__RULE_NOT_UNIFORM] = {"WP116", "the lane to broadcast from differs within a segment",
                              "wp_shfl() takes a lane of its own in each lane", NULL, true, false,
                              VERDICT("each lane reads the lane it names", "each lane reads the lane it names",
                                      "the first lane's choice, or each its own, by the generation",
                                      "undefined: sub_group_broadcast needs one lane", "undefined")},
    [WP__RULE_HALF_MASK] = {"WP117", "a mask of 64 lanes has been stored in 32 bits",
                            "keep masks in wp_mask, which has the chip's width", NULL, true, false,
                            VERDICT("works: 32 lanes", "works: 32 lanes", "wrong on chips with 64 lanes",
                                    "wrong on chips with 64 lanes and more", "wrong where warps have 64 lanes")},
    [WP__RULE_ACTIVE_MASK] = {"WP118", "wp_active_mask() was used as a membership mask",
                              "it promises nothing about who comes to later calls: use wp_ballot() before the branch", "2.1",
                              false, false,
                              VERDICT("works by luck while lanes stay converged",
                                      "undefined: lanes may part at any time (compiler and scheduler decide)",
                                      "works by luck while lanes stay converged", "as HIP; some chips only know the caller",
                                      "some chips only know the caller")},
    [WP__RULE_BALLOT_MASK] = {"WP119", "a ballot's result is the mask, and not all its lanes come to the call",
                              "take the ballot with the very condition of the branch, right before it", "2.1", false, false,
                              VERDICT("undefined", "hangs, or works by luck if the lane has returned",
                                      "no waiting: the absent lanes read as 0", "absent lanes are undefined",
                                      "absent lanes are undefined")},
    [WP__RULE_NOT_SAME] = {"WP120", "an argument that must be equal in all lanes of mask differs",
                           "wp_match_any() gives the mask of the lanes that agree: make the call with that", NULL, false, false,
                           VERDICT("wrong: one lane's argument counts for all",
                                   "wrong, or hangs where the argument is a number of steps",
                                   "wrong: one lane's argument counts for all", "as HIP", "as HIP")},
    [WP__RULE_DELTA_RANGE] = {"WP121", "the delta of an up or down shuffle is not below the width",
                              "here the lane keeps its own value; the chips' own intrinsics differ, so code that is to be read "
                              "beside them stays below the width",
                              "2.2", true, true,
                              VERDICT("this library: own value; raw intrinsics take the delta modulo 32", "as before sm_70",
                                      "own value, a wrong lane for negative ones", "this library: own value; raw: undefined",
                                      "this library: own value")},
    [WP__RULE_RACE] = {"WP130", "a data race: two lanes use one place in memory, one of them writes, and nothing orders them",
                       "wp_sync(mask) orders lanes of a warp, WP_BARRIER() those of a block; shuffles and votes order no memory",
                       NULL, false, false,
                       VERDICT("works by luck while the warp is in lockstep", "undefined: lanes need not be in lockstep",
                               "the hardware is in lockstep, the compiler reorders all the same", "undefined", "undefined")},
    [WP__RULE_BOUNDS] = {"WP131", "an access outside of a buffer or of a shared array", NULL, NULL, false, false, NOWHERE},
    [WP__RULE_UNDEFINED] = {"WP132", "undefined behaviour of C in a kernel",
                            "wp_mask_first(n), wp_mask_lane(l) are right at every n; 1 << n is not", NULL, false, false, NOWHERE},
    [WP__RULE_STACK] = {"WP190", "stack overflow", "raise WARPPORT_HOST_STACK (bytes, or with K or M)", NULL, false, false,
                        NOWHERE},
    [WP__RULE_FAULT] = {"WP191", "invalid memory access or arithmetic", NULL, NULL, false, false, NOWHERE},
    [WP__RULE_NO_PROGRESS] = {"WP192", "no progress", "WARPPORT_HOST_TIMEOUT sets the limit in seconds; 0 means none", NULL,
                              false, false, NOWHERE},
};

int wp__rule_find(const char *id, size_t length) {
  int i;
  for (i = 0; i < WP__RULE_COUNT; i++) {
    if (strlen(wp__rules[i].id) == length && strncmp(wp__rules[i].id, id, length) == 0) return i;
  }
  return -1;
}
