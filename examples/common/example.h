/* example.h: what the host parts of the examples share.
 *
 * An example is three functions: prepare() builds input and the scalar reference from a file, once; run() computes the same on a
 * device and compares; release() frees. The helpers below take an ex_session and do nothing after its first error, so a host part
 * reads as a plain list of steps. */
#ifndef WARPPORT_EXAMPLES_EXAMPLE_H
#define WARPPORT_EXAMPLES_EXAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "warpport/launch.h"

#define EX_TEXT_SIZE 160
#define EX_ERROR_SIZE 4096
#define EX_MAX_BUFFERS 64

/* ---- the file ---- */

typedef struct ex_file {
  const char *path;
  unsigned char *bytes;
  size_t size; /* 1 ... EX_MAX_BYTES */
} ex_file;

#define EX_DEFAULT_FILE "/usr/share/common-licenses/GPL-3"
#define EX_DEFAULT_MAX_BYTES ((size_t)64 << 20)
#define EX_MAX_BYTES ((size_t)INT32_MAX / 4) /* of a file, so that kernels can count bytes in an int */

/* Reads the whole file, or its first `limit` bytes where limit is not 0. A file over EX_DEFAULT_MAX_BYTES without a limit,
 * an empty one, a directory: false, with the reason in why. */
bool ex_file_read(const char *path, size_t limit, ex_file *file, char *why, size_t why_size);
void ex_file_free(ex_file *file);

/* Lengths in bytes of the lines, without their '\n'; a last line without one counts. The caller frees; NULL: out of memory. */
uint32_t *ex_line_lengths(const ex_file *file, size_t *count);

/* ---- one run of one example ---- */

typedef struct ex_session {
  wp_device *device;
  unsigned block;              /* threads a block */
  double elapsed_ms;           /* of all launches */
  char result[EX_TEXT_SIZE];   /* for people */
  uint64_t digest;             /* of the output's bits: equal on every backend */
  const void *output;          /* the main output and its size; owned by the example's state, valid until the next run */
  size_t output_bytes;
  char difference[EX_TEXT_SIZE]; /* "" or where the device first differs from the reference */
  bool failed;                 /* a call failed; error holds its text */
  char error[EX_ERROR_SIZE];
  wp_buffer *buffers[EX_MAX_BUFFERS];
  int buffer_count;
} ex_session;

typedef struct ex_example {
  const char *name;
  const char *about;
  void *(*prepare)(const ex_file *file, char *why, size_t why_size); /* NULL: failed, reason in why */
  void (*run)(void *state, ex_session *session);
  void (*release)(void *state);
} ex_example;

/* Runs the example once on the device and leaves the outcome in *session. */
void ex_session_run(const ex_example *example, void *state, wp_device *device, unsigned block, ex_session *session);
bool ex_session_agrees(const ex_session *session);

/* A device buffer that lives until the run ends; data may be NULL. Zero bytes are rounded up to one. */
wp_buffer *ex_buffer(ex_session *session, const void *data, size_t bytes);
wp_buffer *ex_buffer_zeroed(ex_session *session, size_t bytes);
void ex_read(ex_session *session, wp_buffer *buffer, void *data, size_t bytes);

/* EX_LAUNCH(session, "kernel", blocks, wp_arg_buffer(x), wp_arg_i32(n)) */
#define EX_LAUNCH(session, kernel, blocks, ...)                                                       \
  ex_launch((session), (kernel), (blocks), (const wp_arg[]){__VA_ARGS__},                             \
            (int)(sizeof((const wp_arg[]){__VA_ARGS__}) / sizeof(wp_arg)))
void ex_launch(ex_session *session, const char *kernel, size_t blocks, const wp_arg *args, int arg_count);

/* The text for people, and the output that went into it. */
void ex_result(ex_session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));
void ex_output(ex_session *session, const void *data, size_t bytes);

/* Comparison with the reference, bit by bit; the first difference is kept. */
void ex_expect_u8(ex_session *session, const char *what, const uint8_t *got, const uint8_t *want, size_t n);
void ex_expect_u32(ex_session *session, const char *what, const uint32_t *got, const uint32_t *want, size_t n);
void ex_expect_f32(ex_session *session, const char *what, const float *got, const float *want, size_t n);
void ex_expect(ex_session *session, bool holds, const char *format, ...) __attribute__((format(printf, 3, 4)));

void ex_fail(ex_session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));

static inline size_t ex_ceil_div(size_t n, size_t d) { return (n + d - 1) / d; }
/* Zeroed memory of at least one byte, for prepare(); NULL is out of memory. */
void *ex_alloc(size_t count, size_t size);
/* A whole decimal number, 1 ... most. */
bool ex_parse_count(const char *text, size_t most, size_t *value);

/* All examples, NULL at the end (warpport-demo only). */
extern const ex_example *const ex_all[];

#endif
