#include "code_object.h"

#include <string.h>

/* ---- bundles (clang, "Clang Offload Bundler") ---- */

static uint64_t load(const unsigned char *p, int bytes) {
  uint64_t v = 0;
  for (int i = bytes - 1; i >= 0; i--) v = v << 8 | p[i];
  return v;
}

static bool is_elf(const unsigned char *p, size_t bytes) { return bytes >= 64 && memcmp(p, "\177ELF\2\1", 6) == 0; }

bool code_object_get(const void *image, size_t bytes, int index, code_object *result) {
  static const char magic[] = "__CLANG_OFFLOAD_BUNDLE__";
  const unsigned char *p = image;
  size_t at = sizeof magic - 1;
  memset(result, 0, sizeof *result);
  if (is_elf(p, bytes)) {
    result->data = p;
    result->bytes = bytes;
    return index == 0;
  }
  if (bytes < at + 8 || memcmp(p, magic, at) != 0) return false;
  uint64_t count = load(p + at, 8);
  at += 8;
  for (uint64_t i = 0; i < count; i++) {
    if (bytes - at < 24) return false;
    uint64_t offset = load(p + at, 8), size = load(p + at + 8, 8), length = load(p + at + 16, 8);
    const char *triple = (const char *)p + at + 24;
    at += 24;
    if (length > bytes - at) return false;
    at += length;
    if (offset > bytes || size > bytes - offset || !is_elf(p + offset, size)) continue; /* the host's entry is empty */
    if (index-- > 0) continue;
    /* hip-amdgcn-amd-amdhsa--gfx90a, hipv4-amdgcn-amd-amdhsa-unknown-gfx90a:xnack- */
    const char *target = triple;
    for (const char *c = triple; c + 4 <= triple + length; c++)
      if (memcmp(c, "-gfx", 4) == 0) target = c + 1;
    size_t n = (size_t)(triple + length - target);
    if (n >= sizeof result->target) n = sizeof result->target - 1;
    memcpy(result->target, target, n);
    result->data = p + offset;
    result->bytes = size;
    return true;
  }
  return false;
}

/* ---- MessagePack, as far as the metadata uses it ---- */

typedef struct reader { const unsigned char *at, *end; } reader;
typedef enum kind { NOTHING, MAP, ARRAY, TEXT, NUMBER, OTHER } kind;
typedef struct item {
  kind kind;
  uint64_t n; /* entries of a map or array, length of a text, value of a number */
  const char *text;
} item;

/* The next item; of a map or array only its head. */
static item next(reader *r) {
  item it = {NOTHING, 0, NULL};
  if (r->at >= r->end) return it;
  unsigned char c = *r->at++;
  int size = 0;
  if (c < 0x80) it.kind = NUMBER, it.n = c;
  else if (c < 0x90) it.kind = MAP, it.n = c & 15;
  else if (c < 0xa0) it.kind = ARRAY, it.n = c & 15;
  else if (c < 0xc0) it.kind = TEXT, it.n = c & 31;
  else switch (c) {
    case 0xc0: case 0xc2: case 0xc3: it.kind = OTHER; it.n = c == 0xc3; break;
    case 0xc4: case 0xd9: it.kind = TEXT; size = 1; break;
    case 0xc5: case 0xda: it.kind = TEXT; size = 2; break;
    case 0xc6: case 0xdb: it.kind = TEXT; size = 4; break;
    case 0xcc: case 0xd0: it.kind = NUMBER; size = 1; break;
    case 0xcd: case 0xd1: it.kind = NUMBER; size = 2; break;
    case 0xca: case 0xce: case 0xd2: it.kind = NUMBER; size = 4; break;
    case 0xcb: case 0xcf: case 0xd3: it.kind = NUMBER; size = 8; break;
    case 0xdc: it.kind = ARRAY; size = 2; break;
    case 0xdd: it.kind = ARRAY; size = 4; break;
    case 0xde: it.kind = MAP; size = 2; break;
    case 0xdf: it.kind = MAP; size = 4; break;
    default: /* negative fixint, or an extension type, which is not used */
      if (c >= 0xe0) it.kind = NUMBER;
      break;
  }
  if (r->end - r->at < size) return (item){NOTHING, 0, NULL};
  for (int i = 0; i < size; i++) it.n = it.n << 8 | *r->at++; /* big-endian */
  if (it.kind == TEXT) {
    if ((uint64_t)(r->end - r->at) < it.n) return (item){NOTHING, 0, NULL};
    it.text = (const char *)r->at;
    r->at += it.n;
  }
  return it;
}

/* Passes over the entries of an item whose head has been read; false at the end of the data. */
static bool skip_rest(reader *r, item it) {
  uint64_t left = it.kind == MAP ? it.n * 2 : it.kind == ARRAY ? it.n : 0;
  while (left > 0) {
    item inner = next(r);
    if (inner.kind == NOTHING) return false;
    left--;
    left += inner.kind == MAP ? inner.n * 2 : inner.kind == ARRAY ? inner.n : 0;
  }
  return it.kind != NOTHING;
}

static bool is_text(item it, const char *text) { return it.kind == TEXT && it.n == strlen(text) && memcmp(it.text, text, it.n) == 0; }

/* ---- kernels ---- */

static bool read_args(reader *r, item list, code_object_kernel *k) {
  for (uint64_t i = 0; i < list.n; i++) {
    item map = next(r);
    code_object_arg arg = {0, 0, false};
    bool hidden = false;
    if (map.kind != MAP) return false;
    for (uint64_t j = 0; j < map.n; j++) {
      item key = next(r), value = next(r);
      if (!skip_rest(r, value)) return false;
      if (is_text(key, ".offset")) arg.offset = (uint32_t)value.n;
      if (is_text(key, ".size")) arg.bytes = (uint32_t)value.n;
      if (is_text(key, ".value_kind")) {
        arg.pointer = is_text(value, "global_buffer");
        hidden = value.kind == TEXT && value.n >= 7 && memcmp(value.text, "hidden_", 7) == 0;
      }
    }
    if (hidden) continue;
    if (k->arg_count == CODE_OBJECT_ARGS) return false;
    k->args[k->arg_count++] = arg;
  }
  return true;
}

static bool read_kernel(reader *r, item map, const char *name, code_object_kernel *k, bool *found) {
  memset(k, 0, sizeof *k);
  for (uint64_t j = 0; j < map.n; j++) {
    item key = next(r), value = next(r);
    if (is_text(key, ".args") && value.kind == ARRAY) {
      if (!read_args(r, value, k)) return false;
      continue;
    }
    if (!skip_rest(r, value)) return false;
    if (is_text(key, ".name")) *found = is_text(value, name);
    if (is_text(key, ".kernarg_segment_size")) k->kernarg_bytes = (uint32_t)value.n;
    if (is_text(key, ".group_segment_fixed_size")) k->static_shared = (uint32_t)value.n;
    if (is_text(key, ".max_flat_workgroup_size")) k->max_threads = (uint32_t)value.n;
    if (is_text(key, ".wavefront_size")) k->wave = (uint32_t)value.n;
  }
  return true;
}

static bool read_metadata(const unsigned char *data, size_t bytes, const char *name, code_object_kernel *k) {
  reader r = {data, data + bytes};
  item top = next(&r);
  if (top.kind != MAP) return false;
  for (uint64_t i = 0; i < top.n; i++) {
    item key = next(&r), value = next(&r);
    if (!is_text(key, "amdhsa.kernels") || value.kind != ARRAY) {
      if (!skip_rest(&r, value)) return false;
      continue;
    }
    for (uint64_t j = 0; j < value.n; j++) {
      item map = next(&r);
      bool found = false;
      if (map.kind != MAP || !read_kernel(&r, map, name, k, &found)) return false;
      if (found) return true;
    }
  }
  return false;
}

bool code_object_find(const code_object *o, const char *name, code_object_kernel *result) {
  enum { PT_NOTE = 4, NT_AMDGPU_METADATA = 32 };
  const unsigned char *p = o->data;
  if (!is_elf(p, o->bytes)) return false;
  uint64_t phoff = load(p + 0x20, 8), phsize = load(p + 0x36, 2), phnum = load(p + 0x38, 2);
  for (uint64_t i = 0; i < phnum; i++) {
    uint64_t at = phoff + i * phsize;
    if (at > o->bytes || o->bytes - at < 56) return false;
    if (load(p + at, 4) != PT_NOTE) continue;
    uint64_t note = load(p + at + 8, 8), left = load(p + at + 32, 8);
    if (note > o->bytes || left > o->bytes - note) return false;
    while (left >= 12) {
      uint64_t names = (load(p + note, 4) + 3) & ~UINT64_C(3), size = load(p + note + 4, 4), kind = load(p + note + 8, 4);
      uint64_t whole = 12 + names + ((size + 3) & ~UINT64_C(3));
      if (12 + names + size > left) return false;
      if (kind == NT_AMDGPU_METADATA && read_metadata(p + note + 12 + names, size, name, result)) return true;
      if (whole > left) break;
      note += whole;
      left -= whole;
    }
  }
  return false;
}
