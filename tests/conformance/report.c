/* What the runs found, for people (a table of rows), for CI (JUnit XML) and for the support matrix (JSON). */
#include "harness.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool same_row(const conf_result *a, const conf_result *b) {
  return !strcmp(a->op->row, b->op->row) && !strcmp(a->device, b->device);
}

void report_summary(const conf_result *first) {
  printf("\n%-12s %-16s %6s %9s %9s %11s %9s %8s %8s\n", "device", "row", "tests", "launches", "groups", "values", "failures",
         "skipped", "seconds");
  for (const conf_result *start = first; start; start = start->next) {
    long tests = 0, launches = 0, groups = 0, checks = 0, failures = 0, skipped = 0;
    double seconds = 0;
    bool repeated = false; /* the row is in the table already */
    for (const conf_result *r = first; r != start && !repeated; r = r->next) repeated = same_row(r, start);
    for (const conf_result *r = start; r && !repeated && !strcmp(r->device, start->device); r = r->next) {
      if (!same_row(r, start)) continue;
      tests++;
      launches += r->launches;
      groups += r->groups;
      checks += r->checks;
      failures += r->failures;
      skipped += r->skipped[0] != 0;
      seconds += r->seconds;
    }
    if (repeated) continue;
    printf("%-12s %-16s %6ld %9ld %9ld %11ld %9ld %8ld %8.2f%s\n", start->device, start->op->row, tests, launches, groups, checks,
           failures, skipped, seconds, failures ? "  FAILED" : "");
  }
  for (const conf_result *r = first; r; r = r->next) {
    if (r->checksum) printf("%s: %s: checksum %016" PRIx64 "\n", r->device, r->op->name, r->checksum);
  }
  /* skips, aloud: each reason once for a device */
  for (const conf_result *r = first; r; r = r->next) {
    int count = 0;
    bool before = false;
    if (!r->skipped[0]) continue;
    for (const conf_result *o = first; o; o = o->next) {
      if (strcmp(o->device, r->device) || strcmp(o->skipped, r->skipped)) continue;
      if (o == r && count == 0) before = true;
      count++;
    }
    if (before) printf("%s: SKIPPED %d tests: %s\n", r->device, count, r->skipped);
  }
}

static void xml(FILE *f, const char *text) {
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '<') fputs("&lt;", f);
    else if (c == '>') fputs("&gt;", f);
    else if (c == '&') fputs("&amp;", f);
    else if (c == '"') fputs("&quot;", f);
    else if (c >= 0x20 || c == '\n' || c == '\t') fputc(c, f);
    else fputc('?', f); /* not allowed in XML 1.0 */
  }
}

/* One suite a device, one test case for each operation and type. */
bool report_junit(const conf_result *first, const char *path, uint64_t seed) {
  FILE *f = fopen(path, "w");
  if (!f) {
    perror(path);
    return false;
  }
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", f);
  for (const conf_result *r = first; r;) {
    const conf_result *start = r;
    long tests = 0, failures = 0, skipped = 0;
    double seconds = 0;
    for (; r && !strcmp(r->device, start->device); r = r->next) {
      tests++;
      failures += r->failures != 0;
      skipped += r->skipped[0] != 0;
      seconds += r->seconds;
    }
    fprintf(f,
            "  <testsuite name=\"conformance %s\" tests=\"%ld\" failures=\"%ld\" errors=\"0\" skipped=\"%ld\" time=\"%.3f\">\n",
            start->device, tests, failures, skipped, seconds);
    fprintf(f, "    <properties><property name=\"seed\" value=\"%" PRIu64 "\"/></properties>\n", seed);
    for (const conf_result *t = start; t != r; t = t->next) {
      fputs("    <testcase classname=\"conformance.", f);
      xml(f, t->device);
      fputs("\" name=\"", f);
      xml(f, t->op->row);
      fputc(' ', f);
      xml(f, t->op->name);
      fprintf(f, " %s\" time=\"%.3f\"", ref_suffix(t->type), t->seconds);
      if (t->skipped[0]) {
        fputs("><skipped message=\"", f);
        xml(f, t->skipped);
        fputs("\"/></testcase>\n", f);
      } else if (t->failures) {
        fprintf(f, "><failure message=\"%ld of %ld values\">", t->failures, t->checks);
        xml(f, t->message);
        fputs("</failure></testcase>\n", f);
      } else {
        fputs("/>\n", f);
      }
    }
    fputs("  </testsuite>\n", f);
  }
  fputs("</testsuites>\n", f);
  bool ok = !ferror(f);
  return fclose(f) == 0 && ok;
}

bool report_json(const conf_result *first, const char *path, uint64_t seed) {
  cJSON *root = cJSON_CreateObject(), *devices = cJSON_AddArrayToObject(root, "devices");
  char text[32];
  snprintf(text, sizeof text, "%" PRIu64, seed);
  cJSON_AddStringToObject(root, "suite", "conformance");
  cJSON_AddStringToObject(root, "seed", text);
  for (const conf_result *r = first; r;) {
    const conf_result *start = r;
    cJSON *device = cJSON_CreateObject(), *tests = cJSON_CreateArray();
    long failed = 0, skipped = 0, count = 0;
    for (; r && !strcmp(r->device, start->device); r = r->next) {
      cJSON *test = cJSON_CreateObject();
      cJSON_AddStringToObject(test, "row", r->op->row);
      cJSON_AddStringToObject(test, "operation", r->op->name);
      cJSON_AddStringToObject(test, "type", ref_suffix(r->type));
      cJSON_AddStringToObject(test, "result", r->skipped[0] ? "skipped" : r->failures ? "failed" : "passed");
      if (r->skipped[0]) cJSON_AddStringToObject(test, "reason", r->skipped);
      if (r->failures) cJSON_AddStringToObject(test, "message", r->message);
      cJSON_AddNumberToObject(test, "launches", (double)r->launches);
      cJSON_AddNumberToObject(test, "values", (double)r->checks);
      cJSON_AddNumberToObject(test, "failures", (double)r->failures);
      if (r->checksum) {
        snprintf(text, sizeof text, "%016" PRIx64, r->checksum);
        cJSON_AddStringToObject(test, "checksum", text);
      }
      cJSON_AddItemToArray(tests, test);
      count++;
      failed += r->failures != 0;
      skipped += r->skipped[0] != 0;
    }
    cJSON_AddStringToObject(device, "device", start->device);
    cJSON_AddNumberToObject(device, "tests", (double)count);
    cJSON_AddNumberToObject(device, "failed", (double)failed);
    cJSON_AddNumberToObject(device, "skipped", (double)skipped);
    cJSON_AddItemToObject(device, "results", tests);
    cJSON_AddItemToArray(devices, device);
  }
  char *out = cJSON_Print(root);
  FILE *f = out ? fopen(path, "w") : NULL;
  bool ok = f != NULL && fputs(out, f) >= 0;
  if (f && fclose(f) != 0) ok = false;
  if (!ok) perror(path);
  cJSON_free(out);
  cJSON_Delete(root);
  return ok;
}
