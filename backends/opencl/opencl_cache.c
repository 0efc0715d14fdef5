/* Program binaries in files: $WARPPORT_CACHE, else $XDG_CACHE_HOME/warpport, else $HOME/.cache/warpport. WARPPORT_CACHE=off (or
 * empty) turns it off. A file's name is a hash of everything that decides about the binary; it begins with that hash and
 * one of its contents, because some drivers abort the process on a damaged binary. */
#include "opencl_backend.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Two runs of FNV-1a, 64 bits each, from different starting points. */
wp__cl_cache_key wp__cl_cache_hash(const char *const *texts, const size_t *lengths, int count) {
  uint64_t a = UINT64_C(0xcbf29ce484222325), b = UINT64_C(0x84222325cbf29ce4);
  wp__cl_cache_key key;
  for (int i = 0; i < count; i++) {
    for (size_t j = 0; j <= lengths[i]; j++) { /* a zero after each text keeps them apart */
      unsigned char c = j < lengths[i] ? (unsigned char)texts[i][j] : 0;
      a = (a ^ c) * UINT64_C(0x100000001b3);
      b = (b ^ (unsigned char)(c + 0x5b)) * UINT64_C(0x100000001b3);
      b ^= b >> 29;
    }
  }
  snprintf(key.text, sizeof key.text, "%016llx%016llx", (unsigned long long)a, (unsigned long long)b);
  return key;
}

/* The file of a key, in a folder that is made if it is not there; false if the cache is off. */
static bool file_of(const wp__cl_cache_key *key, char *path, size_t size) {
  const char *own = getenv("WARPPORT_CACHE"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  int n = own != NULL ? (strcmp(own, "off") == 0 ? 0 : snprintf(path, size, "%s", own))
          : xdg != NULL && xdg[0] == '/' ? snprintf(path, size, "%s/warpport", xdg)
          : home != NULL && home[0] == '/' ? snprintf(path, size, "%s/.cache/warpport", home)
                                           : 0;
  if (n <= 0 || (size_t)n + sizeof key->text + 32 > size) return false;
  for (char *p = path + 1;; p++) {
    char c = *p;
    if (c != '/' && c != 0) continue;
    *p = 0;
    if (mkdir(path, 0700) != 0 && errno != EEXIST) return false;
    *p = c;
    if (c == 0) break;
  }
  (void)snprintf(path + n, size - (size_t)n, "/%s.bin", key->text);
  return true;
}

bool wp__cl_cache_on(void) {
  char path[4096];
  const wp__cl_cache_key none = {""};
  return file_of(&none, path, sizeof path);
}

static wp__cl_cache_key contents_of(const unsigned char *data, size_t bytes) {
  const char *text = (const char *)data;
  return wp__cl_cache_hash(&text, &bytes, 1);
}

unsigned char *wp__cl_cache_read(const wp__cl_cache_key *key, size_t *bytes) {
  char path[4096];
  struct { wp__cl_cache_key name, contents; } head;
  unsigned char *data = NULL;
  long size;
  FILE *f = file_of(key, path, sizeof path) ? fopen(path, "rb") : NULL;
  if (f == NULL) return NULL;
  if (fseek(f, 0, SEEK_END) == 0 && (size = ftell(f)) > (long)sizeof head && fseek(f, 0, SEEK_SET) == 0 &&
      fread(&head, 1, sizeof head, f) == sizeof head && memcmp(&head.name, key, sizeof *key) == 0) {
    *bytes = (size_t)size - sizeof head;
    data = malloc(*bytes);
    bool whole = data != NULL && fread(data, 1, *bytes, f) == *bytes;
    if (whole) {
      wp__cl_cache_key contents = contents_of(data, *bytes);
      whole = memcmp(&contents, &head.contents, sizeof contents) == 0;
    }
    if (!whole) {
      free(data);
      data = NULL;
    }
  }
  (void)fclose(f);
  return data;
}

/* Written under another name first: other processes see all of it or nothing. */
void wp__cl_cache_write(const wp__cl_cache_key *key, const unsigned char *data, size_t bytes) {
  char path[4096], temporary[4096 + 32];
  if (!file_of(key, path, sizeof path)) return;
  (void)snprintf(temporary, sizeof temporary, "%s.%ld", path, (long)getpid());
  FILE *f = fopen(temporary, "wb");
  if (f == NULL) return;
  wp__cl_cache_key contents = contents_of(data, bytes);
  bool ok = fwrite(key, 1, sizeof *key, f) == sizeof *key && fwrite(&contents, 1, sizeof contents, f) == sizeof contents &&
            fwrite(data, 1, bytes, f) == bytes;
  if (fclose(f) != 0 || !ok || rename(temporary, path) != 0) (void)unlink(temporary);
}
