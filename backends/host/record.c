/* WARPPORT_RECORD=FILE: what the host reads back from the device, and which launches came before, for warpport-check to compare runs.
 *
 * The file is a list of records: a letter, the length of what follows as 8 bytes in the machine's order, and that.
 *   D  lanes of a device that was opened, 4 bytes
 *   L  a launch: status (4 bytes), whether it used atomics (4), the kernel's name
 *   S  where a block's random order differed from the usual one, as text
 *   P  the same, but all choices from there on, as the schedule "picks" takes them
 *   R  a read: offset and size (8 each), hash of all the bytes (8), the first MAX_BYTES of them */
#define _GNU_SOURCE
#include "emulator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BYTES = 1 << 20 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *file;
static bool tried;

static bool begin(char letter, wp_u64 length) {
  const char *path = getenv("WARPPORT_RECORD");
  if (path == NULL || *path == 0) return false;
  pthread_mutex_lock(&lock);
  if (!tried) {
    file = fopen(path, "wbe");
    if (file == NULL) fprintf(stderr, "warpport: WARPPORT_RECORD: %s cannot be written\n", path);
  }
  tried = true;
  if (file == NULL) {
    pthread_mutex_unlock(&lock);
    return false;
  }
  fputc(letter, file);
  fwrite(&length, sizeof length, 1, file);
  return true;
}

static void end(void) {
  fflush(file); /* the program may die */
  pthread_mutex_unlock(&lock);
}

void wp__record_device(int lanes) {
  if (!begin('D', sizeof lanes)) return;
  fwrite(&lanes, sizeof lanes, 1, file);
  end();
}

void wp__record_launch(const wp__run *run, wp_status status) {
  int numbers[2] = {(int)status, run->atomics};
  size_t n = strlen(run->kernel->name);
  if (!begin('L', sizeof numbers + n)) return;
  fwrite(numbers, sizeof numbers, 1, file);
  fwrite(run->kernel->name, n, 1, file);
  end();
}

void wp__record_choices(const wp__worker *k) {
  const wp__settings *s = k->run->settings;
  wp__text text = {NULL, 0, 0};
  wp_u64 choices = 0;
  int i;
  enum { FEW = 64 };
  for (i = 0; i < s->windows; i++) choices += s->random[i].to - s->random[i].from;
  if (k->deviations == 0 || (s->schedule == WP__RANDOM && (s->windows == 0 || choices > FEW))) return;
  for (i = 0; i < k->deviations; i++)
    wp__say(&text, "    kernel '%s', block (%d,%d,%d): choice %llu: lane %d of warp %d goes on instead of lane %d\n", k->run->kernel->name,
            k->grid.block[0], k->grid.block[1], k->grid.block[2], (unsigned long long)k->deviation[i].choice, k->deviation[i].lane,
            k->deviation[i].warp, k->deviation[i].usual);
  if (text.s != NULL && begin('S', text.length)) {
    fwrite(text.s, text.length, 1, file);
    end();
  }
  text.length = 0;
  wp__say(&text, "picks:%llu", (unsigned long long)k->picked.from);
  for (i = 0; i < k->picked.count; i++) wp__say(&text, "%c%d", i == 0 ? ':' : ',', k->picked.lane[i]);
  if (text.s != NULL && begin('P', text.length)) {
    fwrite(text.s, text.length, 1, file);
    end();
  }
  free(text.s);
}

/* FNV-1a */
static wp_u64 hash_of(const unsigned char *data, size_t bytes) {
  wp_u64 h = 0xcbf29ce484222325u;
  size_t i;
  for (i = 0; i < bytes; i++) h = (h ^ data[i]) * 0x100000001b3u;
  return h;
}

void wp__record_read(size_t offset, const void *data, size_t bytes) {
  size_t kept = bytes < MAX_BYTES ? bytes : MAX_BYTES;
  wp_u64 numbers[3] = {offset, bytes, 0};
  if (!begin('R', sizeof numbers + kept)) return;
  numbers[2] = hash_of(data, bytes);
  fwrite(numbers, sizeof numbers, 1, file);
  fwrite(data, kept, 1, file);
  end();
}
