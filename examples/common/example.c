/* example.c: files, buffers, launches and comparisons for the examples. */
#include "example.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- the file ---- */

static bool refuse(char *why, size_t why_size, const char *format, ...) __attribute__((format(printf, 3, 4)));
static bool refuse(char *why, size_t why_size, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(why, why_size, format, args);
  va_end(args);
  return false;
}

void *ex_alloc(size_t count, size_t size) {
  if (count == 0) count = 1;
  return calloc(count, size);
}

bool ex_parse_count(const char *text, size_t most, size_t *value) {
  char *end;
  errno = 0;
  if (text[0] < '0' || text[0] > '9') return false; /* no sign, no blanks */
  unsigned long long number = strtoull(text, &end, 10);
  if (*end != '\0' || errno != 0 || number < 1 || number > most) return false;
  *value = (size_t)number;
  return true;
}

/* Reads until `room` bytes are there or the file ends; pipes have no size to ask for, so the buffer grows. */
static bool read_stream(FILE *stream, size_t room, ex_file *file, char *why, size_t why_size) {
  size_t capacity = 0;
  while (file->size < room) {
    if (file->size == capacity) {
      capacity = capacity ? capacity * 2 : 65536;
      if (capacity > room) capacity = room;
      unsigned char *grown = realloc(file->bytes, capacity);
      if (!grown) return refuse(why, why_size, "%s: no memory for %zu bytes", file->path, capacity);
      file->bytes = grown;
    }
    size_t got = fread(file->bytes + file->size, 1, capacity - file->size, stream);
    file->size += got;
    if (got == 0) break;
  }
  if (ferror(stream)) return refuse(why, why_size, "%s: %s", file->path, strerror(errno));
  return true;
}

bool ex_file_read(const char *path, size_t limit, ex_file *file, char *why, size_t why_size) {
  memset(file, 0, sizeof *file);
  file->path = path;
  if (limit > EX_MAX_BYTES) return refuse(why, why_size, "limit of %zu bytes: at most %zu are possible", limit, EX_MAX_BYTES);
  FILE *stream = fopen(path, "rb");
  if (!stream) return refuse(why, why_size, "%s: %s", path, strerror(errno));
  struct stat info;
  bool fine = true;
  if (fstat(fileno(stream), &info) != 0) {
    fine = refuse(why, why_size, "%s: %s", path, strerror(errno));
  } else if (S_ISDIR(info.st_mode)) {
    fine = refuse(why, why_size, "%s: is a directory; give a file", path);
  } else {
    /* One byte more than allowed tells a file that is too large from one that just fits. */
    fine = read_stream(stream, limit ? limit : EX_DEFAULT_MAX_BYTES + 1, file, why, why_size);
  }
  fclose(stream);
  if (fine && file->size == 0) fine = refuse(why, why_size, "%s: is empty; give a file of at least one byte", path);
  if (fine && !limit && file->size > EX_DEFAULT_MAX_BYTES) {
    fine = refuse(why, why_size, "%s: is larger than %zu bytes; --limit BYTES uses the first BYTES of it", path,
                  EX_DEFAULT_MAX_BYTES);
  }
  if (!fine) ex_file_free(file);
  return fine;
}

void ex_file_free(ex_file *file) {
  free(file->bytes);
  file->bytes = NULL;
  file->size = 0;
}

uint32_t *ex_line_lengths(const ex_file *file, size_t *count) {
  size_t lines = 0;
  for (size_t i = 0; i < file->size; i++) lines += file->bytes[i] == '\n';
  if (file->bytes[file->size - 1] != '\n') lines++;
  uint32_t *lengths = ex_alloc(lines, sizeof *lengths);
  if (!lengths) return NULL;
  size_t line = 0;
  for (size_t i = 0; i < file->size; i++) {
    if (file->bytes[i] == '\n') line++;
    else lengths[line]++;
  }
  *count = lines;
  return lengths;
}

/* ---- one run ---- */

void ex_fail(ex_session *session, const char *format, ...) {
  if (session->failed) return;
  session->failed = true;
  va_list args;
  va_start(args, format);
  vsnprintf(session->error, sizeof session->error, format, args);
  va_end(args);
}

static bool check(ex_session *session, wp_status status, const char *what) {
  if (status == WP_OK) return true;
  ex_fail(session, "%s: %s: %s", what, wp_status_name(status), wp_last_error());
  return false;
}

void ex_session_run(const ex_example *example, void *state, wp_device *device, unsigned block, ex_session *session) {
  memset(session, 0, sizeof *session);
  session->device = device;
  session->block = block;
  if ((int)block > wp_device_max_block_threads(device)) {
    ex_fail(session, "blocks of %u threads: %s allows %d", block, wp_device_name(device), wp_device_max_block_threads(device));
    return;
  }
  example->run(state, session);
  for (int i = 0; i < session->buffer_count; i++) wp_buffer_destroy(session->buffers[i]);
  session->buffer_count = 0;
}

bool ex_session_agrees(const ex_session *session) { return !session->failed && session->difference[0] == '\0'; }

wp_buffer *ex_buffer(ex_session *session, const void *data, size_t bytes) {
  if (session->failed) return NULL;
  if (session->buffer_count == EX_MAX_BUFFERS) {
    ex_fail(session, "more than %d buffers in one run", EX_MAX_BUFFERS);
    return NULL;
  }
  wp_buffer *buffer = NULL;
  if (!check(session, wp_buffer_create(session->device, bytes ? bytes : 1, &buffer), "creating a buffer")) return NULL;
  session->buffers[session->buffer_count++] = buffer;
  if (data && bytes) check(session, wp_buffer_write(buffer, 0, data, bytes), "writing a buffer");
  return buffer;
}

wp_buffer *ex_buffer_zeroed(ex_session *session, size_t bytes) {
  wp_buffer *buffer = ex_buffer(session, NULL, bytes);
  if (buffer) check(session, wp_buffer_fill(buffer, 0), "clearing a buffer");
  return buffer;
}

void ex_read(ex_session *session, wp_buffer *buffer, void *data, size_t bytes) {
  if (session->failed || bytes == 0) return;
  check(session, wp_buffer_read(buffer, 0, data, bytes), "reading a buffer");
}

void ex_launch(ex_session *session, const char *kernel, size_t blocks, const wp_arg *args, int arg_count) {
  if (session->failed || blocks == 0) return;
  if (blocks > INT32_MAX) {
    ex_fail(session, "%s: %zu blocks are too many", kernel, blocks);
    return;
  }
  wp_kernel *found = NULL;
  if (!check(session, wp_kernel_find(session->device, kernel, &found), kernel)) return;
  double ms = 0;
  wp_launch_config config;
  memset(&config, 0, sizeof config);
  config.grid.x = (unsigned)blocks;
  config.block.x = session->block;
  config.elapsed_ms = &ms;
  if (check(session, wp_launch(found, &config, args, arg_count), kernel)) session->elapsed_ms += ms;
}

/* ---- outcome ---- */

void ex_result(ex_session *session, const char *format, ...) {
  if (session->failed) return;
  va_list args;
  va_start(args, format);
  vsnprintf(session->result, sizeof session->result, format, args);
  va_end(args);
}

void ex_output(ex_session *session, const void *data, size_t bytes) {
  if (session->failed) return;
  session->output = data;
  session->output_bytes = bytes;
  uint64_t hash = 14695981039346656037u; /* FNV-1a, 64 bits */
  for (size_t i = 0; i < bytes; i++) hash = (hash ^ ((const unsigned char *)data)[i]) * 1099511628211u;
  session->digest = hash;
}

void ex_expect(ex_session *session, bool holds, const char *format, ...) {
  if (session->failed || holds || session->difference[0]) return;
  va_list args;
  va_start(args, format);
  vsnprintf(session->difference, sizeof session->difference, format, args);
  va_end(args);
}

void ex_expect_u8(ex_session *session, const char *what, const uint8_t *got, const uint8_t *want, size_t n) {
  if (session->failed) return;
  for (size_t i = 0; i < n; i++) {
    if (got[i] == want[i]) continue;
    ex_expect(session, false, "%s[%zu]: got %u, want %u", what, i, got[i], want[i]);
    return;
  }
}

void ex_expect_u32(ex_session *session, const char *what, const uint32_t *got, const uint32_t *want, size_t n) {
  if (session->failed) return;
  for (size_t i = 0; i < n; i++) {
    if (got[i] == want[i]) continue;
    ex_expect(session, false, "%s[%zu]: got %" PRIu32 ", want %" PRIu32, what, i, got[i], want[i]);
    return;
  }
}

void ex_expect_f32(ex_session *session, const char *what, const float *got, const float *want, size_t n) {
  if (session->failed) return;
  for (size_t i = 0; i < n; i++) {
    uint32_t g, w;
    memcpy(&g, &got[i], sizeof g);
    memcpy(&w, &want[i], sizeof w);
    if (g == w) continue;
    ex_expect(session, false, "%s[%zu]: got %.9g (%08" PRIx32 "), want %.9g (%08" PRIx32 ")", what, i, (double)got[i], g,
              (double)want[i], w);
    return;
  }
}
