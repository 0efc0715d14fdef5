/* warpport-demo: all examples on one file, on every device of this machine, at several block sizes, each against
 * the scalar reference. */
#include <argp.h>
#include <cjson/cJSON.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../common/example.h"

#define MAX_NAMES 64  /* devices, and examples asked for */
#define MAX_BLOCKS 16
#define NAME_SIZE 64

/* 100 is no multiple of any warp size above 4: most warps' last one in a block is partial. */
static const unsigned default_blocks[] = {64, 100, 256};

typedef struct demo_device {
  char name[NAME_SIZE];
  char *text; /* description, or why it cannot be used */
  wp_device *device;
} demo_device;

typedef struct demo {
  const char *file_path, *json_path;
  size_t limit;
  bool list;
  const char *examples[MAX_NAMES];
  int example_count;
  unsigned blocks[MAX_BLOCKS];
  int block_count;
  demo_device devices[MAX_NAMES];
  int device_count;
  bool devices_given;
  char *unusable[MAX_NAMES];
  int unusable_count;
  cJSON *json_runs;
  int runs, bad_runs;
} demo;

/* ---- options ---- */

static const struct argp_option option_table[] = {
  {"device", 'd', "NAME", 0,
   "Run on this device (repeatable), as wp_device_open() takes it: cpu:N for N lanes, cuda:0, ... (default: all)", 0},
  {"example", 'e', "NAME", 0, "Run this example (repeatable; default: all)", 0},
  {"block", 'b', "THREADS", 0, "Threads a block (repeatable; default: 64, 100 and 256)", 0},
  {"limit", 'l', "BYTES", 0, "Use the first BYTES of the file", 0},
  {"list", 'L', 0, 0, "List the examples and the devices of this machine, and run nothing", 0},
  {"json", 'j', "FILE", 0, "Write every single run to FILE", 0},
  {0, 0, 0, 0, 0, 0},
};

static char *copy_text(const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  if (!copy) {
    fprintf(stderr, "warpport-demo: out of memory\n");
    exit(2);
  }
  memcpy(copy, text, size);
  return copy;
}

static const ex_example *find_example(const char *name) {
  for (const ex_example *const *e = ex_all; *e; e++) {
    if (strcmp((*e)->name, name) == 0) return *e;
  }
  return NULL;
}

static error_t parse(int key, char *text, struct argp_state *state) {
  demo *d = state->input;
  size_t number;
  switch (key) {
    case 'd':
      if (d->device_count == MAX_NAMES) argp_error(state, "more than %d devices", MAX_NAMES);
      if (strlen(text) >= NAME_SIZE) argp_error(state, "--device: '%s' is no device name", text);
      memcpy(d->devices[d->device_count++].name, text, strlen(text) + 1);
      d->devices_given = true;
      return 0;
    case 'e':
      if (d->example_count == MAX_NAMES) argp_error(state, "more than %d examples", MAX_NAMES);
      if (!find_example(text)) argp_error(state, "--example: there is no '%s'; --list shows them all", text);
      d->examples[d->example_count++] = text;
      return 0;
    case 'b':
      if (d->block_count == MAX_BLOCKS) argp_error(state, "more than %d block sizes", MAX_BLOCKS);
      if (!ex_parse_count(text, 1024, &number)) argp_error(state, "--block: 1 ... 1024 threads, not '%s'", text);
      d->blocks[d->block_count++] = (unsigned)number;
      return 0;
    case 'l':
      if (!ex_parse_count(text, EX_MAX_BYTES, &d->limit)) {
        argp_error(state, "--limit: 1 ... %zu bytes, not '%s'", EX_MAX_BYTES, text);
      }
      return 0;
    case 'L': d->list = true; return 0;
    case 'j': d->json_path = text; return 0;
    case ARGP_KEY_ARG:
      if (d->file_path) argp_error(state, "one file, not '%s' and '%s'", d->file_path, text);
      d->file_path = text;
      return 0;
    default: return ARGP_ERR_UNKNOWN;
  }
}

/* ---- devices ---- */

static int note_device(const char *name, const char *description, void *user) {
  demo *d = user;
  if (!name) {
    if (d->unusable_count < MAX_NAMES) d->unusable[d->unusable_count++] = copy_text(description);
  } else if (d->device_count < MAX_NAMES && strlen(name) < NAME_SIZE) {
    demo_device *slot = &d->devices[d->device_count++];
    memcpy(slot->name, name, strlen(name) + 1);
    slot->text = copy_text(description);
  }
  return 0;
}

/* False if there is no device to run on, or one asked for by name cannot be opened. */
static bool open_devices(demo *d) {
  bool fine = true;
  for (int i = 0; i < d->device_count; i++) {
    demo_device *device = &d->devices[i];
    if (wp_device_open(device->name, &device->device) != WP_OK) {
      fprintf(stderr, "warpport-demo: %s: %s\n", device->name, wp_last_error());
      device->device = NULL;
      fine = false;
      continue;
    }
    free(device->text);
    device->text = copy_text(wp_device_description(device->device));
  }
  return fine;
}

static void print_devices(const demo *d) {
  for (int i = 0; i < d->device_count; i++) {
    printf("  %-12s %s\n", d->devices[i].name, d->devices[i].text ? d->devices[i].text : "");
  }
  for (int i = 0; i < d->unusable_count; i++) printf("  not usable:  %s\n", d->unusable[i]);
}

static bool is_wanted(const demo *d, const ex_example *example) {
  for (int i = 0; i < d->example_count; i++) {
    if (strcmp(d->examples[i], example->name) == 0) return true;
  }
  return d->example_count == 0;
}

/* ---- runs ---- */

static void note_run(demo *d, const ex_example *example, const ex_session *session) {
  d->runs++;
  if (!ex_session_agrees(session)) d->bad_runs++;
  if (!d->json_path) return;
  char bits[17];
  snprintf(bits, sizeof bits, "%016" PRIx64, session->digest);
  cJSON *run = cJSON_CreateObject();
  cJSON_AddStringToObject(run, "example", example->name);
  cJSON_AddStringToObject(run, "device", wp_device_name(session->device));
  cJSON_AddNumberToObject(run, "block", session->block);
  cJSON_AddStringToObject(run, "result", session->result);
  cJSON_AddStringToObject(run, "bits", bits);
  cJSON_AddBoolToObject(run, "agrees", ex_session_agrees(session));
  cJSON_AddStringToObject(run, "difference", session->difference);
  cJSON_AddStringToObject(run, "error", session->error);
  cJSON_AddNumberToObject(run, "ms", session->elapsed_ms);
  cJSON_AddItemToArray(d->json_runs, run);
}

static void print_row(const char *example, const char *device, const ex_session *session, double ms) {
  const char *agrees = session->failed ? "ERROR" : ex_session_agrees(session) ? "yes" : "NO";
  printf("%-18s %-10s %-72s %08" PRIx32 "  %-6s %10.3f ms\n", example, device, session->failed ? "-" : session->result,
         (uint32_t)(session->digest >> 32), agrees, ms);
  if (session->failed) printf("    %s\n", session->error);
  else if (session->difference[0]) printf("    first difference: %s\n", session->difference);
}

/* One row for the device if all block sizes gave the same and the right answer, else one for each block size. */
static void run_on_device(demo *d, const ex_example *example, void *state, demo_device *device, ex_session *sessions,
                          bool first) {
  bool alike = true;
  double best = 0;
  for (int b = 0; b < d->block_count; b++) {
    ex_session_run(example, state, device->device, d->blocks[b], &sessions[b]);
    note_run(d, example, &sessions[b]);
    alike = alike && ex_session_agrees(&sessions[b]) && sessions[b].digest == sessions[0].digest &&
            strcmp(sessions[b].result, sessions[0].result) == 0;
    if (b == 0 || sessions[b].elapsed_ms < best) best = sessions[b].elapsed_ms;
  }
  if (alike) {
    print_row(first ? example->name : "", device->name, &sessions[0], best);
  } else {
    for (int b = 0; b < d->block_count; b++) {
      char label[NAME_SIZE + 16];
      snprintf(label, sizeof label, "%s/%u", device->name, d->blocks[b]);
      print_row(first && b == 0 ? example->name : "", label, &sessions[b], sessions[b].elapsed_ms);
    }
  }
  fflush(stdout);
}

static bool run_all(demo *d, const ex_file *file) {
  ex_session *sessions = calloc(MAX_BLOCKS, sizeof *sessions);
  if (!sessions) return false;
  bool fine = true;
  printf("\n%-18s %-10s %-72s %-8s  %-6s %13s\n", "example", "device", "result", "bits", "agrees", "best time");
  for (const ex_example *const *e = ex_all; *e; e++) {
    if (!is_wanted(d, *e)) continue;
    char why[EX_ERROR_SIZE];
    void *state = (*e)->prepare(file, why, sizeof why);
    if (!state) {
      fprintf(stderr, "warpport-demo: %s\n", why);
      fine = false;
      continue;
    }
    bool first = true;
    for (int i = 0; i < d->device_count; i++) {
      if (!d->devices[i].device) continue;
      run_on_device(d, *e, state, &d->devices[i], sessions, first);
      first = false;
    }
    (*e)->release(state);
  }
  free(sessions);
  return fine;
}

/* ---- report ---- */

static bool write_json(const demo *d, const ex_file *file) {
  cJSON *root = cJSON_CreateObject();
  cJSON_AddStringToObject(root, "file", file->path);
  cJSON_AddNumberToObject(root, "bytes", (double)file->size);
  cJSON *devices = cJSON_AddArrayToObject(root, "devices");
  for (int i = 0; i < d->device_count; i++) {
    if (!d->devices[i].device) continue;
    cJSON *device = cJSON_CreateObject();
    cJSON_AddStringToObject(device, "name", d->devices[i].name);
    cJSON_AddStringToObject(device, "description", d->devices[i].text);
    cJSON_AddItemToArray(devices, device);
  }
  cJSON *unusable = cJSON_AddArrayToObject(root, "unusable");
  for (int i = 0; i < d->unusable_count; i++) cJSON_AddItemToArray(unusable, cJSON_CreateString(d->unusable[i]));
  cJSON_AddItemReferenceToObject(root, "runs", d->json_runs);
  cJSON_AddNumberToObject(root, "bad_runs", d->bad_runs);
  char *text = cJSON_Print(root);
  cJSON_Delete(root);

  FILE *stream = text ? fopen(d->json_path, "w") : NULL;
  bool fine = stream && fprintf(stream, "%s\n", text) > 0;
  if (stream && fclose(stream) != 0) fine = false;
  if (!fine) fprintf(stderr, "warpport-demo: %s: %s\n", d->json_path, text ? strerror(errno) : "out of memory");
  cJSON_free(text);
  return fine;
}

static int list_all(const demo *d) {
  printf("examples\n");
  for (const ex_example *const *e = ex_all; *e; e++) printf("  %-18s %s\n", (*e)->name, (*e)->about);
  printf("devices\n");
  print_devices(d);
  return 0;
}

static int run_file(demo *d) {
  ex_file file;
  char why[EX_ERROR_SIZE];
  if (!ex_file_read(d->file_path ? d->file_path : EX_DEFAULT_FILE, d->limit, &file, why, sizeof why)) {
    fprintf(stderr, "warpport-demo: %s\n", why);
    return 2;
  }
  bool fine = open_devices(d);
  printf("%s, %zu bytes; blocks of", file.path, file.size);
  for (int b = 0; b < d->block_count; b++) printf("%s %u", b ? "," : "", d->blocks[b]);
  printf(" threads\ndevices\n");
  print_devices(d);
  fine = run_all(d, &file) && fine;
  if (d->json_path) fine = write_json(d, &file) && fine;
  ex_file_free(&file);

  printf("\n%d runs, %d that disagree with the scalar reference or failed\n", d->runs, d->bad_runs);
  if (d->runs == 0) fprintf(stderr, "warpport-demo: nothing was run\n");
  return fine && d->bad_runs == 0 && d->runs > 0 ? 0 : 1;
}

int main(int argc, char **argv) {
  static const struct argp argp = {
    option_table, parse, "[FILE]",
    "Runs the warpport examples on FILE (default: " EX_DEFAULT_FILE ") on every device of this machine and compares each "
    "result, bit by bit, with a scalar reference. Exit status: 0 all agree, 1 a difference or a failed run, 2 an input that "
    "cannot be used.",
    0, 0, 0};
  static demo d; /* zeroed */
  argp_parse(&argp, argc, argv, 0, NULL, &d);
  if (d.block_count == 0) {
    d.block_count = (int)(sizeof default_blocks / sizeof default_blocks[0]);
    memcpy(d.blocks, default_blocks, sizeof default_blocks);
  }
  if (!d.devices_given && wp_device_list(note_device, &d) != WP_OK) {
    fprintf(stderr, "warpport-demo: %s\n", wp_last_error());
    return 2;
  }
  d.json_runs = cJSON_CreateArray();
  int code = d.list ? list_all(&d) : run_file(&d);
  cJSON_Delete(d.json_runs);
  for (int i = 0; i < d.device_count; i++) {
    if (d.devices[i].device) wp_device_close(d.devices[i].device);
    free(d.devices[i].text);
  }
  for (int i = 0; i < d.unusable_count; i++) free(d.unusable[i]);
  return code;
}
