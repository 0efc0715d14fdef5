/* Reports as JSON and as SARIF 2.1.0 (OASIS, section 3.27: result), for editors and CI systems. The file is written anew, whole, with
 * each report, so that it is complete whenever the program ends. "%p" in its name becomes the process number. */
#define _GNU_SOURCE
#include "emulator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef WARPPORT_HAVE_CJSON
#include <cjson/cJSON.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cJSON *document, *results;

static void lanes_of(cJSON *to, wp_u64 lanes) {
  cJSON *list = cJSON_AddArrayToObject(to, "lanes");
  int l;
  for (l = 0; l < 64; l++) {
    if ((lanes >> l & 1) != 0) cJSON_AddItemToArray(list, cJSON_CreateNumber(l));
  }
}

static void add_verdict(cJSON *to, int rule) {
  int i;
  for (i = 0; i < WP__VENDORS; i++) {
    if (wp__rules[rule].verdict[i] != NULL) cJSON_AddStringToObject(to, wp__vendors[i], wp__rules[rule].verdict[i]);
  }
}

/* ---- JSON ---- */

static void add_place(cJSON *to, const wp__frame *place) {
  if (place == NULL || place->file == NULL) return;
  cJSON_AddStringToObject(to, "file", place->file);
  cJSON_AddNumberToObject(to, "line", place->line);
  if (place->column > 0) cJSON_AddNumberToObject(to, "column", place->column);
  if (place->function != NULL) cJSON_AddStringToObject(to, "function", place->function);
}

static cJSON *as_json(const wp__report *r) {
  const wp__rule *rule = &wp__rules[r->rule];
  cJSON *o = cJSON_CreateObject(), *list;
  int i;
  cJSON_AddStringToObject(o, "rule", rule->id);
  cJSON_AddStringToObject(o, "class", rule->portability ? "portability" : "error");
  cJSON_AddStringToObject(o, "summary", rule->summary);
  add_place(o, r->place);
  cJSON_AddStringToObject(o, "message", r->message.s != NULL ? r->message.s : "");
  cJSON_AddStringToObject(o, "kernel", r->kernel);
  cJSON_AddItemToObject(o, "block", cJSON_CreateIntArray(r->block, 3));
  if (r->warp >= 0) cJSON_AddNumberToObject(o, "warp", r->warp);
  lanes_of(o, r->lanes);
  list = cJSON_AddArrayToObject(o, "related");
  for (i = 0; i < r->line_count; i++) {
    cJSON *related;
    if (r->lines[i].kind != WP__LINE_CALLER && r->lines[i].kind != WP__LINE_NOTE) continue;
    related = cJSON_CreateObject();
    cJSON_AddStringToObject(related, "kind", r->lines[i].kind == WP__LINE_CALLER ? "caller" : "note");
    add_place(related, r->lines[i].place);
    cJSON_AddStringToObject(related, "message", r->lines[i].text);
    if (r->lines[i].lanes != 0) lanes_of(related, r->lines[i].lanes);
    cJSON_AddItemToArray(list, related);
  }
  if (rule->help != NULL) cJSON_AddStringToObject(o, "help", rule->help);
  add_verdict(cJSON_AddObjectToObject(o, "verdict"), r->rule);
  cJSON_AddStringToObject(o, "profile", r->profile);
  cJSON_AddStringToObject(o, "schedule", r->schedule);
  return o;
}

/* ---- SARIF ---- */

/* artifactLocation.uri is a URI reference (RFC 3986): an absolute path gets its scheme, and odd characters are escaped. */
static void add_uri(cJSON *to, const char *path) {
  static const char plain[] = "/-._~!$&'()*+,;=:@";
  wp__text text = {NULL, 0, 0};
  const unsigned char *at = (const unsigned char *)path;
  wp__say(&text, "%s", *path == '/' ? "file://" : "");
  for (; *at != 0; at++) {
    bool letter = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9');
    wp__say(&text, letter || strchr(plain, *at) != NULL ? "%c" : "%%%02X", *at);
  }
  cJSON_AddStringToObject(to, "uri", text.s != NULL ? text.s : "");
  free(text.s);
}

static cJSON *location(const wp__frame *place, const char *message) {
  cJSON *l = cJSON_CreateObject(), *physical;
  if (place != NULL && place->file != NULL) {
    physical = cJSON_AddObjectToObject(l, "physicalLocation");
    add_uri(cJSON_AddObjectToObject(physical, "artifactLocation"), place->file);
    physical = cJSON_AddObjectToObject(physical, "region");
    cJSON_AddNumberToObject(physical, "startLine", place->line > 0 ? place->line : 1);
    if (place->column > 0) cJSON_AddNumberToObject(physical, "startColumn", place->column);
  }
  if (message != NULL) cJSON_AddStringToObject(cJSON_AddObjectToObject(l, "message"), "text", message);
  return l;
}

static cJSON *as_sarif(const wp__report *r) {
  cJSON *o = cJSON_CreateObject(), *list;
  wp__text text = {NULL, 0, 0};
  int i;
  cJSON_AddStringToObject(o, "ruleId", wp__rules[r->rule].id);
  cJSON_AddNumberToObject(o, "ruleIndex", r->rule);
  cJSON_AddStringToObject(o, "level", "error");
  wp__say(&text, "%s (kernel '%s', block (%d,%d,%d))", r->message.s != NULL ? r->message.s : "", r->kernel, r->block[0],
          r->block[1], r->block[2]);
  cJSON_AddStringToObject(cJSON_AddObjectToObject(o, "message"), "text", text.s);
  free(text.s);
  cJSON_AddItemToArray(cJSON_AddArrayToObject(o, "locations"), location(r->place, NULL));
  list = cJSON_AddArrayToObject(o, "relatedLocations");
  for (i = 0; i < r->line_count; i++) {
    if (r->lines[i].kind == WP__LINE_CALLER || r->lines[i].kind == WP__LINE_NOTE)
      cJSON_AddItemToArray(list, location(r->lines[i].place, r->lines[i].text));
  }
  list = cJSON_AddObjectToObject(o, "properties");
  cJSON_AddStringToObject(list, "kernel", r->kernel);
  cJSON_AddStringToObject(list, "profile", r->profile);
  cJSON_AddStringToObject(list, "schedule", r->schedule);
  lanes_of(list, r->lanes);
  add_verdict(list, r->rule);
  return o;
}

static void begin(bool sarif) {
  cJSON *run, *driver, *list;
  int i;
  document = cJSON_CreateObject();
  if (!sarif) {
    cJSON_AddNumberToObject(document, "version", 1);
    results = cJSON_AddArrayToObject(document, "reports");
    return;
  }
  cJSON_AddStringToObject(document, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
  cJSON_AddStringToObject(document, "version", "2.1.0");
  run = cJSON_CreateObject();
  cJSON_AddItemToArray(cJSON_AddArrayToObject(document, "runs"), run);
  driver = cJSON_AddObjectToObject(cJSON_AddObjectToObject(run, "tool"), "driver");
  cJSON_AddStringToObject(driver, "name", "warpport");
  list = cJSON_AddArrayToObject(driver, "rules");
  for (i = 0; i < WP__RULE_COUNT; i++) {
    cJSON *rule = cJSON_CreateObject(), *properties;
    cJSON_AddStringToObject(rule, "id", wp__rules[i].id);
    cJSON_AddStringToObject(cJSON_AddObjectToObject(rule, "shortDescription"), "text", wp__rules[i].summary);
    if (wp__rules[i].help != NULL) cJSON_AddStringToObject(cJSON_AddObjectToObject(rule, "help"), "text", wp__rules[i].help);
    properties = cJSON_AddObjectToObject(rule, "properties");
    cJSON_AddStringToObject(properties, "class", wp__rules[i].portability ? "portability" : "error");
    cJSON_AddBoolToObject(properties, "optional", wp__rules[i].optional);
    if (wp__rules[i].guideline != NULL) cJSON_AddStringToObject(properties, "guideline", wp__rules[i].guideline);
    add_verdict(properties, i);
    cJSON_AddItemToArray(list, rule);
  }
  results = cJSON_AddArrayToObject(run, "results");
}

static void save(const char *wanted) {
  char *text = cJSON_Print(document), path[4096], fresh[4096 + 8];
  const char *percent = strstr(wanted, "%p");
  FILE *f;
  bool fine;
  if (percent != NULL)
    snprintf(path, sizeof path, "%.*s%ld%s", (int)(percent - wanted), wanted, (long)getpid(), percent + 2);
  else
    snprintf(path, sizeof path, "%s", wanted);
  snprintf(fresh, sizeof fresh, "%s.new", path);
  f = text != NULL ? fopen(fresh, "w") : NULL;
  fine = f != NULL && fputs(text, f) >= 0 && fputc('\n', f) >= 0;
  fine = f != NULL && fclose(f) == 0 && fine && rename(fresh, path) == 0;
  if (!fine) fprintf(stderr, "warpport: WARPPORT_REPORT: %s cannot be written\n", path);
  free(text);
}

void wp__reports_write(const wp__report *reports) {
  const char *wanted = getenv("WARPPORT_REPORT");
  bool sarif;
  if (wanted == NULL || *wanted == 0) return;
  sarif = strncmp(wanted, "sarif:", 6) == 0;
  pthread_mutex_lock(&lock);
  if (reports == NULL && document != NULL) {
    pthread_mutex_unlock(&lock);
    return;
  }
  if (document == NULL) begin(sarif);
  for (; reports != NULL; reports = reports->next) cJSON_AddItemToArray(results, sarif ? as_sarif(reports) : as_json(reports));
  save(strchr(wanted, ':') + 1);
  pthread_mutex_unlock(&lock);
}

const char *wp__reports_problem(const char *wanted) {
  if ((strncmp(wanted, "json:", 5) == 0 && wanted[5] != 0) || (strncmp(wanted, "sarif:", 6) == 0 && wanted[6] != 0)) return NULL;
  return "WARPPORT_REPORT must be json:FILE or sarif:FILE";
}

static __attribute__((destructor)) void end(void) {
  cJSON_Delete(document);
  document = NULL;
}

#else

void wp__reports_write(const wp__report *reports) { (void)reports; }
const char *wp__reports_problem(const char *wanted) {
  (void)wanted;
  return "WARPPORT_REPORT needs cJSON, and this warpport was built without it";
}

#endif
