/* SPDX-License-Identifier: Apache-2.0 */
#include "request.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive.h"
#include "each.h"
#include "fail.h"
#include "host.h"
#include "integers.h"
#include "raw.h"
#include "text.h"

static const struct option options[] = {{"device", required_argument, NULL, 'D'},
                                        {"memory", required_argument, NULL, 'm'},
                                        {"dialect", required_argument, NULL, 'd'},
                                        {"literal-zero", no_argument, NULL, 'z'},
                                        {"policy", required_argument, NULL, 'p'},
                                        {"class", required_argument, NULL, 'c'},
                                        {"explain", no_argument, NULL, 'e'},
                                        {"json", no_argument, NULL, 'j'},
                                        {"programs", required_argument, NULL, 'P'},
                                        {"no-cache", no_argument, NULL, 'n'},
                                        {"each", required_argument, NULL, 'E'},
                                        {"raw", required_argument, NULL, 'r'},
                                        {"to", required_argument, NULL, 't'},
                                        {"help", no_argument, NULL, 'h'},
                                        {NULL, 0, NULL, 0}};

clrs_status cli_dialect_parse(const char *name, clrs_dialect *dialect, clrs_error *error) {
  static const char *const names[] = {"onnx", "openvino", "onednn", "numpy"};
  static const clrs_dialect values[] = {CLRS_ONNX, CLRS_OPENVINO, CLRS_ONEDNN, CLRS_NUMPY};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (strcmp(name, names[i]) == 0) {
      *dialect = values[i];
      return CLRS_OK;
    }
  }
  return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                    "unknown dialect '%s'; known are onnx, openvino, onednn and numpy",
                    clrs__show(name).text);
}

static clrs_status parse_policy(const char *name, clrs_copy_policy *policy, clrs_error *error) {
  static const char *const names[] = {"never", "if-needed", "always"};
  static const clrs_copy_policy values[] = {CLRS_COPY_NEVER, CLRS_COPY_IF_NEEDED, CLRS_COPY_ALWAYS};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (strcmp(name, names[i]) == 0) {
      *policy = values[i];
      return CLRS_OK;
    }
  }
  return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                    "unknown policy '%s'; known are never, if-needed and always",
                    clrs__show(name).text);
}

clrs_status cli_size_parse(const char *text, uint64_t *bytes, clrs_error *error) {
  static const char units[] = "KMGT";
  const size_t digits = strspn(text, "0123456789");
  const char *unit = text[digits] != '\0' ? strchr(units, text[digits]) : NULL;
  const uint32_t shift = unit != NULL ? 10 * (uint32_t)(unit - units + 1) : 0;
  int64_t value = 0;
  if (digits > 0 && text[digits + (unit != NULL)] == '\0') {
    if (clrs__integer_parse(text, digits, &value, NULL) == CLRS_OK && value > 0 &&
        value <= INT64_MAX >> shift) {
      *bytes = (uint64_t)value << shift;
      return CLRS_OK;
    }
  }
  return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                    "'%s' is no size: a positive number of bytes, or one with K, M, G or T "
                    "behind it, such as 512M",
                    clrs__show(text).text);
}

static clrs_status take_device(const char *text, cli_request *request, clrs_error *error) {
  if (request->device_count == CLI_MOST_DEVICES) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "more than %d devices", CLI_MOST_DEVICES);
  }
  CLRS_TRY(cli_host_check_device_text(text, error));
  request->devices[request->device_count++] = text;
  return CLRS_OK;
}

static bool is_explain(const cli_request *request) {
  return strcmp(request->command, "explain") == 0;
}

static clrs_status take_option(int option, cli_request *request, const char *text,
                               clrs_error *error) {
  switch (option) {
  case 'D':
    return take_device(optarg, request, error);
  case 'm':
    return cli_size_parse(optarg, &request->memory, error);
  case 'd':
    return cli_dialect_parse(optarg, &request->rules.dialect, error);
  case 'P':
    request->programs = optarg;
    return CLRS_OK;
  case 'n':
    request->no_cache = true;
    return CLRS_OK;
  case 'z':
    request->rules.zero_mode = CLRS_ZERO_IS_LITERAL;
    return CLRS_OK;
  case 'p':
    return parse_policy(optarg, &request->policy, error);
  case 'c':
    return cli_class_parse(optarg, &request->required_class, error);
  case 'e':
    request->explain = true;
    return CLRS_OK;
  case 'r':
    request->raw = &request->raw_header;
    return cli_raw_parse(optarg, &request->raw_header, error);
  case 't':
    return cli_format_parse(optarg, &request->format, error);
  case 'E':
    request->each = optarg;
    return CLRS_OK;
  case 'h':
    request->help = true;
    return CLRS_OK;
  case 'j':
    request->json = true;
    if (is_explain(request)) {
      return CLRS_OK;
    }
  }
  return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s is not an option of %s or lacks its value",
                    text, request->command);
}

/* ---- an assembly in the middle of an argument ---- */

static const char ends[] = " \t\n;";

/* Returns the end of the first operation of `text`, or 0 if no assembly begins or ends inside of
 * `text`. A pad ends at a blank or a ';'. An assembly begins behind a blank or a ';', but not
 * behind a comma, where a pattern names an axis. Names of files may have blanks, so concat and
 * stack end with the argument. Examples: "permute=1,0 pad=1 cast=f32" is cut in two places,
 * "rearrange=(a pad) -> a pad, pad=2" nowhere. */
static size_t find_cut(const char *text) {
  const bool is_pad = strncmp(text, "pad=", 4) == 0;
  if (!is_pad && cli_is_assembly(text)) {
    return 0;
  }
  char last = ',';
  for (size_t at = 0; text[at] != '\0'; at++) {
    const char *next = text + at + strspn(text + at, ends);
    if (next == text + at) {
      last = *next;
    } else if (is_pad || (last != ',' && cli_is_assembly(next))) {
      return at;
    }
  }
  return 0;
}

static bool holds_assembly(const char *text) {
  text += strspn(text, ends);
  return cli_is_assembly(text) || find_cut(text) > 0;
}

/* Is `text` an output file? explain writes nothing and needs no OUT.npy. A command line of run must
 * work for explain without changes, so explain skips an output file. No chain contains a '/', ends
 * as a file of a known format, or is "-". With --to the output has any name. */
static bool is_output(const cli_request *request, const char *text) {
  if (is_explain(request) && holds_assembly(text)) {
    return false;
  }
  cli_archive_name archive;
  return !is_explain(request) || request->format != NULL || strchr(text, '/') != NULL ||
         strcmp(text, "-") == 0 || cli_archive_find(text, &archive) || cli_format_of(text) != NULL;
}

/* Joins the arguments with ';', because a blank does not end an operation in pattern notation. A
 * text that is too long is cut, and is then still too long for a chain. */
static clrs_status take_chain(char **texts, size_t count, clrs_chain *chain, clrs_error *error) {
  char text[CLRS_CHAIN_TEXT + 1] = "";
  for (size_t i = 0, used = 0; i < count && used < sizeof text; i++) {
    used += (size_t)snprintf(text + used, sizeof text - used, "%s;", texts[i]);
  }
  return clrs_chain_parse(text, chain, error);
}

/* Copies the arguments to request->texts and cuts each argument around an assembly. */
static clrs_status cut_texts(char **texts, size_t count, cli_request *request, clrs_error *error) {
  size_t bytes = 1;
  for (size_t i = 0; i < count; i++) {
    bytes += strlen(texts[i]) + 1;
  }
  request->copies = malloc(bytes);
  request->texts = calloc(bytes, sizeof *request->texts);
  if (request->copies == NULL || request->texts == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  char *copy = request->copies;
  for (size_t i = 0; i < count; i++) {
    const char *text = texts[i] + strspn(texts[i], ends);
    memcpy(copy, text, strlen(text) + 1);
    request->texts[request->text_count++] = copy;
    for (size_t cut; (cut = find_cut(copy)) > 0;) {
      copy[cut++] = '\0';
      copy += cut + strspn(copy + cut, ends);
      request->texts[request->text_count] = copy;
      request->text_count += *copy != '\0';
    }
    copy += strlen(copy) + 1;
  }
  return CLRS_OK;
}

static clrs_status take_assembly(char **texts, size_t count, cli_request *request,
                                 clrs_error *error) {
  for (size_t i = 1; i < count; i++) {
    if (cli_is_assembly(texts[i])) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                        "'%s' is put together already; for more pipe its result into another "
                        "clreshape run -",
                        clrs__show(texts[0]).text);
    }
  }
  CLRS_TRY(cli_assembly_parse(texts[0], &request->assembly, error));
  request->assembly.rules = request->rules;
  request->assembly.raw = request->raw;
  return take_chain(texts + 1, count - 1, &request->assembly.after, error);
}

static clrs_status take_ops(char **texts, size_t count, cli_request *request, clrs_error *error) {
  size_t first = 0;
  CLRS_TRY(cut_texts(texts, count, request, error));
  texts = request->texts;
  count = request->text_count;
  while (first < count && !cli_is_assembly(texts[first])) {
    first++;
  }
  CLRS_TRY(take_chain(texts, first, &request->chain, error));
  return first < count ? take_assembly(texts + first, count - first, request, error) : CLRS_OK;
}

static clrs_status take_format(cli_request *request, clrs_error *error) {
  const char *output = request->output != NULL ? request->output : "";
  const cli_format *wanted = request->format, *named = cli_format_of(output);
  cli_archive_name archive;
  const bool is_archive = cli_archive_find(output, &archive);
  named = named != NULL ? named : cli_format_npy();
  request->format = wanted != NULL ? wanted : named;
  return !is_archive || request->format == named
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT, "--to %s, and '%s' is an archive",
                          request->format->name, clrs__show(output).text);
}

/* ---- --each ---- */

static bool is_op(const char *text) {
  clrs_chain chain;
  return text[0] != '\0' &&
         (holds_assembly(text) || clrs_chain_parse(text, &chain, NULL) == CLRS_OK);
}

/* Takes the files in front of the first operation. */
static clrs_status take_inputs(char **texts, size_t count, cli_request *request,
                               clrs_error *error) {
  request->inputs = texts;
  while (request->input_count < count && !is_op(texts[request->input_count])) {
    request->input_count++;
  }
  if (request->input_count == 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s --each needs input files",
                      request->command);
  }
  request->output = request->each;
  CLRS_TRY(cli_each_check(request, error));
  CLRS_TRY(take_format(request, error));
  return take_ops(texts + request->input_count, count - request->input_count, request, error);
}

/* ---- the command line ---- */

static clrs_status take_files(char **texts, size_t count, cli_request *request, clrs_error *error) {
  size_t used = 0;
  if (request->each != NULL) {
    return take_inputs(texts, count, request, error);
  }
  if (used < count) {
    request->input = texts[used++];
  }
  if (used < count && is_output(request, texts[used])) {
    request->output = texts[used++];
  }
  if (request->input == NULL || (request->output == NULL && !is_explain(request))) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s needs %s", request->command,
                      is_explain(request) ? "an input file" : "an input and an output file");
  }
  CLRS_TRY(take_format(request, error));
  return take_ops(texts + used, count - used, request, error);
}

/* Reads the command line. If the result is not CLI_EXIT_DONE, the error has been reported. */
static int read_request(int argc, char **argv, cli_request *request) {
  clrs_error error;
  clrs_status status = CLRS_OK;
  *request = (cli_request){.command = argv[0], .policy = CLRS_COPY_IF_NEEDED};
  opterr = 0;
  for (int option;
       status == CLRS_OK && (option = getopt_long(argc, argv, ":h", options, NULL)) != -1;) {
    status = take_option(option, request, argv[optind - 1], &error);
  }
  if (status == CLRS_OK && !request->help) {
    status = take_files(argv + optind, (size_t)(argc - optind), request, &error);
  }
  request->device_count += request->device_count == 0;
  return status == CLRS_OK ? CLI_EXIT_DONE : cli_argument_error(request->command, &error);
}

int cli_request_do(int argc, char **argv, const char *help, const char *more, cli_request_fn what) {
  cli_request request;
  clrs_error error;
  int code = read_request(argc, argv, &request);
  if (code == CLI_EXIT_DONE && request.help) {
    (void)cli_help(help);
    code = cli_help(more);
  } else if (code == CLI_EXIT_DONE && what(&request, &error) != CLRS_OK) {
    code = cli_report(&error);
  }
  cli_assembly_free(&request.assembly);
  free(request.texts);
  free(request.copies);
  return code;
}
