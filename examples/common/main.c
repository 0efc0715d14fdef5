/* main.c: main() of the single examples: one device, one block size, one file.
 *
 * Compiled once for each of them, with EX_EXAMPLE naming its ex_example. */
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "example.h"

extern const ex_example EX_EXAMPLE;

typedef struct options {
  const char *device, *file, *output;
  size_t limit;
  unsigned block;
  bool result_only;
} options;

static const struct argp_option option_table[] = {
  {"device", 'd', "NAME", 0, "Device, as wp_device_open() takes it (default: cpu:32)", 0},
  {"block", 'b', "THREADS", 0, "Threads a block (default: 256)", 0},
  {"limit", 'l', "BYTES", 0, "Use the first BYTES of the file", 0},
  {"output", 'o', "FILE", 0, "Write the output's bytes to FILE", 0},
  {"result", 'r', 0, 0, "Print the result alone", 0},
  {0, 0, 0, 0, 0, 0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
  options *o = state->input;
  size_t number;
  switch (key) {
    case 'd': o->device = text; return 0;
    case 'o': o->output = text; return 0;
    case 'r': o->result_only = true; return 0;
    case 'b':
      if (!ex_parse_count(text, 1024, &number)) argp_error(state, "--block: 1 ... 1024 threads, not '%s'", text);
      o->block = (unsigned)number;
      return 0;
    case 'l':
      if (!ex_parse_count(text, EX_MAX_BYTES, &o->limit)) {
        argp_error(state, "--limit: 1 ... %zu bytes, not '%s'", EX_MAX_BYTES, text);
      }
      return 0;
    case ARGP_KEY_ARG:
      if (o->file) argp_error(state, "one file, not '%s' and '%s'", o->file, text);
      o->file = text;
      return 0;
    default: return ARGP_ERR_UNKNOWN;
  }
}

static bool write_output(const char *path, const ex_session *session) {
  FILE *stream = fopen(path, "wb");
  bool fine = stream && fwrite(session->output, 1, session->output_bytes, stream) == session->output_bytes;
  if (stream && fclose(stream) != 0) fine = false;
  if (!fine) fprintf(stderr, "%s: %s: %s\n", EX_EXAMPLE.name, path, strerror(errno));
  return fine;
}

/* The exit code: 0, or 1 for a difference or a failed call. */
static int report(const options *o, const ex_session *session) {
  if (session->failed) {
    fprintf(stderr, "%s: %s\n", EX_EXAMPLE.name, session->error);
    return 1;
  }
  printf("%s\n", session->result);
  if (!o->result_only) {
    printf("device %s, blocks of %u threads, %.3f ms, output bits %016" PRIx64 "\n", wp_device_name(session->device),
           session->block, session->elapsed_ms, session->digest);
    printf("agrees with the scalar reference: %s%s\n", ex_session_agrees(session) ? "yes" : "NO: ", session->difference);
  }
  if (!ex_session_agrees(session)) {
    fprintf(stderr, "%s: differs from the scalar reference: %s\n", EX_EXAMPLE.name, session->difference);
    return 1;
  }
  return o->output && !write_output(o->output, session) ? 1 : 0;
}

int main(int argc, char **argv) {
  static const struct argp argp = {
    option_table, parse, "[FILE]", "Runs one warpport example on FILE (default: " EX_DEFAULT_FILE ").", 0, 0, 0};
  options o = {"cpu:32", NULL, NULL, 0, 256, false};
  argp_parse(&argp, argc, argv, 0, NULL, &o);

  char why[EX_ERROR_SIZE];
  ex_file file;
  if (!ex_file_read(o.file ? o.file : EX_DEFAULT_FILE, o.limit, &file, why, sizeof why)) {
    fprintf(stderr, "%s: %s\n", EX_EXAMPLE.name, why);
    return 2;
  }
  int code = 2;
  wp_device *device = NULL;
  void *state = EX_EXAMPLE.prepare(&file, why, sizeof why);
  ex_session *session = calloc(1, sizeof *session);
  if (!state || !session) {
    fprintf(stderr, "%s: %s\n", EX_EXAMPLE.name, state ? "out of memory" : why);
  } else if (wp_device_open(o.device, &device) != WP_OK) {
    fprintf(stderr, "%s: %s\n", EX_EXAMPLE.name, wp_last_error());
  } else {
    ex_session_run(&EX_EXAMPLE, state, device, o.block, session);
    code = report(&o, session);
    wp_device_close(device);
  }
  free(session);
  if (state) EX_EXAMPLE.release(state);
  ex_file_free(&file);
  return code;
}
