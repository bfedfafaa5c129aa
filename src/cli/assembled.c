/* SPDX-License-Identifier: Apache-2.0 */
#include "assembled.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "axis.h"
#include "checked.h"
#include "fail.h"
#include "integers.h"
#include "npy.h"
#include "text.h"

/* ---- parsing ---- */

typedef struct assembly_name {
  const char *name;
  cli_assembly_kind kind;
} assembly_name;

static const assembly_name names[] = {
    {"concat=", CLI_CONCAT}, {"stack=", CLI_STACK}, {"pad=", CLI_PAD}};

static const assembly_name *find_name(const char *text) {
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (strncmp(text, names[i].name, strlen(names[i].name)) == 0) {
      return &names[i];
    }
  }
  return NULL;
}

bool cli_is_assembly(const char *text) {
  return find_name(text) != NULL;
}

static clrs_status fail_text(const cli_assembly *made, const char *rule, clrs_error *error) {
  return clrs__fail(error, CLRS_INVALID_ARGUMENT, "'%s': %s", clrs__show(made->text).text, rule);
}

/* Returns the text before the next comma and moves *rest behind the comma, or returns NULL at the
 * end. */
static char *next_item(char **rest) {
  char *item = *rest;
  char *comma = item != NULL ? strchr(item, ',') : NULL;
  *rest = comma != NULL ? comma + 1 : NULL;
  if (comma != NULL) {
    *comma = '\0';
  }
  return item;
}

static size_t count_items(const char *text) {
  size_t count = 1;
  for (; *text != '\0'; text++) {
    count += *text == ',';
  }
  return count;
}

static clrs_status parse_files(char *rest, cli_assembly *made, clrs_error *error) {
  made->files = calloc(count_items(rest), sizeof *made->files);
  if (made->files == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  const char *axis = next_item(&rest);
  CLRS_TRY(clrs__integer_parse(axis, strlen(axis), &made->axis, error));
  for (char *file = next_item(&rest); file != NULL; file = next_item(&rest)) {
    if (file[0] == '\0' || cli_is_standard_input(file)) {
      return fail_text(made, "its files have names; only the input may be '-'", error);
    }
    made->files[made->file_count++] = file;
  }
  return made->file_count > 0 ? CLRS_OK
                              : fail_text(made, "an axis, and files behind it with commas", error);
}

/* The library has parsed the word. */
static clrs_pad_mode mode_of(const char *word) {
  static const char *const modes[] = {"constant", "edge", "reflect", "symmetric"};
  int mode = CLRS_PAD_CONSTANT;
  while (mode < CLRS_PAD_WRAP && strcmp(modes[mode], word) != 0) {
    mode++;
  }
  return (clrs_pad_mode)mode;
}

/* Reads before:behind, or one number for both. */
static void read_widths(const char *item, cli_assembly *made) {
  char *end;
  const int64_t before = strtoll(item, &end, 10);
  made->before[made->pad_count] = before;
  made->behind[made->pad_count++] = *end == ':' ? strtoll(end + 1, NULL, 10) : before;
}

/* The library says which texts are a pad, with at most CLRS_MAX_RANK widths. */
static clrs_status parse_pad(char *rest, cli_assembly *made, clrs_error *error) {
  static const char value[] = "value=", mode[] = "mode=";
  clrs_chain chain;
  CLRS_TRY(clrs_chain_parse(made->text, &chain, error));
  for (char *item = next_item(&rest); item != NULL; item = next_item(&rest)) {
    if (strncmp(item, mode, sizeof mode - 1) == 0) {
      made->mode = mode_of(item + sizeof mode - 1);
    } else if (strncmp(item, value, sizeof value - 1) == 0) {
      made->value = strtod(item + sizeof value - 1, NULL);
    } else {
      read_widths(item, made);
    }
  }
  for (uint32_t i = 1; made->pad_count == 1 && i < CLRS_MAX_RANK; i++) {
    made->before[i] = made->before[0];
    made->behind[i] = made->behind[0];
  }
  return CLRS_OK;
}

clrs_status cli_assembly_parse(const char *text, cli_assembly *assembly, clrs_error *error) {
  const assembly_name *found = find_name(text);
  if (found == NULL) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "'%s' is no concat, stack or pad",
                      clrs__show(text).text);
  }
  *assembly = (cli_assembly){.kind = found->kind, .text = text};
  assembly->names = strdup(text + strlen(found->name));
  if (assembly->names == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  return found->kind == CLI_PAD ? parse_pad(assembly->names, assembly, error)
                                : parse_files(assembly->names, assembly, error);
}

bool cli_assembly_has_border(const cli_assembly *assembly) {
  return assembly->kind == CLI_PAD && assembly->mode == CLRS_PAD_CONSTANT;
}

void cli_assembly_free(cli_assembly *assembly) {
  free(assembly->files);
  free(assembly->names);
  *assembly = (cli_assembly){.kind = CLI_NO_ASSEMBLY};
}

/* ---- measuring ---- */

static clrs_status check_type(const cli_assembled *made, const char *path, const cli_npy_type *type,
                              clrs_error *error) {
  return strcmp(type->descr, made->type.descr) == 0 && type->is_utf8 == made->type.is_utf8
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "%s: its elements are of type %s, and those of the first part of %s; all "
                          "parts must have one type",
                          path, clrs__show(type->descr).text, clrs__show(made->type.descr).text);
}

static clrs_status check_shape(const cli_assembly *assembly, const cli_assembled *made,
                               const char *path, const clrs_shape *shape, clrs_error *error) {
  if (shape->rank != made->part.rank) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s: it has %u dims, and the first part %u",
                      path, shape->rank, made->part.rank);
  }
  for (uint32_t i = 0; i < shape->rank; i++) {
    const bool may_differ = assembly->kind == CLI_CONCAT && i == made->axis;
    if (!may_differ && shape->dims[i] != made->part.dims[i]) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                        "%s: its dim %u is %" PRId64 ", and that of the first part %" PRId64 "; %s",
                        path, i, shape->dims[i], made->part.dims[i],
                        assembly->kind == CLI_CONCAT ? "only that of the axis may differ"
                                                     : "parts of a stack have one shape");
    }
  }
  return CLRS_OK;
}

clrs_status cli_assembly_check(const cli_assembly *assembly, const cli_assembled *made,
                               const char *path, const cli_npy_header *header, clrs_error *error) {
  CLRS_TRY(check_type(made, path, &header->type, error));
  return check_shape(assembly, made, path, &header->shape, error);
}

static clrs_status add_header(const cli_assembly *assembly, const char *path,
                              const cli_npy_header *header, cli_assembled *made,
                              clrs_error *error) {
  int64_t *whole = &made->shape.dims[made->axis];
  CLRS_TRY(cli_assembly_check(assembly, made, path, header, error));
  const int64_t more = assembly->kind == CLI_CONCAT ? header->shape.dims[made->axis] : 1;
  return clrs__add(*whole, more, whole)
             ? CLRS_OK
             : clrs__fail(error, CLRS_OVERFLOW,
                          "%s: the extents along axis %u do not fit in 64 bits", path, made->axis);
}

static clrs_status add_file(const cli_assembly *assembly, const char *path, cli_assembled *made,
                            clrs_error *error) {
  cli_npy_file *file = malloc(sizeof *file);
  if (file == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  clrs_status status = cli_npy_open_as(path, assembly->raw, file, error);
  if (status == CLRS_OK) {
    status = add_header(assembly, path, &file->header, made, error);
    cli_npy_close(file);
  }
  free(file);
  return status;
}

/* Sets the shape of the first part. */
static clrs_status start(const cli_assembly *assembly, const clrs_shape *shape, cli_assembled *made,
                         clrs_error *error) {
  const uint32_t is_stack = assembly->kind == CLI_STACK;
  CLRS_TRY(
      clrs__axis_normalize(assembly->axis, shape->rank + is_stack, "axis", &made->axis, error));
  if (is_stack && shape->rank == CLRS_MAX_RANK) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "a stack of parts of %u dims, the most there are",
                      shape->rank);
  }
  made->shape = *shape;
  if (is_stack) {
    for (uint32_t i = made->shape.rank++; i > made->axis; i--) {
      made->shape.dims[i] = made->shape.dims[i - 1];
    }
    made->shape.dims[made->axis] = 1;
  }
  return CLRS_OK;
}

static clrs_status measure_files(const cli_assembly *assembly, const clrs_shape *shape,
                                 cli_assembled *made, clrs_error *error) {
  CLRS_TRY(start(assembly, shape, made, error));
  for (size_t i = 0; i < assembly->file_count; i++) {
    CLRS_TRY(add_file(assembly, assembly->files[i], made, error));
  }
  return CLRS_OK;
}

static clrs_status measure_repeats(const cli_assembly *assembly, cli_assembled *made,
                                   clrs_error *error) {
  const clrs_status status = clrs_pad_init(assembly->mode, &made->part, assembly->before,
                                           assembly->behind, &made->pad, error);
  return status == CLRS_OK ? CLRS_OK
                           : cli_fail_prefix(error, "'%s'", clrs__show(assembly->text).text);
}

static clrs_status measure_pad(const cli_assembly *assembly, cli_assembled *made,
                               clrs_error *error) {
  if (assembly->pad_count != 1 && assembly->pad_count != made->shape.rank) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "'%s' has %u widths, and there are %u dims; a single width is for every dim",
                      clrs__show(assembly->text).text, assembly->pad_count, made->shape.rank);
  }
  if (assembly->mode != CLRS_PAD_CONSTANT) {
    CLRS_TRY(measure_repeats(assembly, made, error));
  }
  for (uint32_t i = 0; i < made->shape.rank; i++) {
    int64_t *dim = &made->shape.dims[i];
    if (!clrs__add(*dim, assembly->before[i], dim) || !clrs__add(*dim, assembly->behind[i], dim)) {
      return clrs__fail(error, CLRS_OVERFLOW, "'%s': dim %u does not fit in 64 bits",
                        clrs__show(assembly->text).text, i);
    }
  }
  return CLRS_OK;
}

clrs_status cli_assembly_measure(const cli_assembly *assembly, const cli_npy_type *type,
                                 const clrs_shape *shape, cli_assembled *made, clrs_error *error) {
  made->type = *type;
  made->part = made->shape = *shape;
  made->axis = 0;
  made->next = 0;
  made->pad = (clrs_pad){.box_count = 1};
  if (assembly->kind == CLI_PAD) {
    CLRS_TRY(measure_pad(assembly, made, error));
  } else if (assembly->kind != CLI_NO_ASSEMBLY) {
    CLRS_TRY(measure_files(assembly, shape, made, error));
  }
  const clrs_shape whole = made->shape;
  return clrs_shape_init(whole.rank, whole.dims, &made->shape, error);
}
