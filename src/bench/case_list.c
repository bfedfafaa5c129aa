/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* strdup, fdopen */

#include "case_list.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fail.h"
#include "spool.h"
#include "system.h"

enum { FIRST_BYTES = 64 << 10, MOST_BYTES = 16 << 20, MOST_CASES = 2000 };

/* The cases of `clreshape bench` without a file: at least one case for each class of move, each at
 * most 64 MiB. */
static const char default_cases[] =
    "id\tsuite\tdtype\tshape\tsrc_strides\tperm\tdst_strides\tMiB\tnote\n"
    "alias\tbuiltin\tf16\t64x1x32x128\tC\t0,2,1,3\tC\t0.5\thead split of one token: a view\n"
    "copy\tbuiltin\tf32\t4096x4096\tC\t0,1\t4096,1\t64\tcontiguous\n"
    "rows\tbuiltin\tf32\t4096x4000\t4096,1\t0,1\tC\t62.5\trows cut out of a wider image\n"
    "runs\tbuiltin\tf16\t4x2048x32x128\tC\t0,2,1,3\tC\t64\thead split: 256-byte runs\n"
    "runs_16\tbuiltin\tf32\t2048x2048x4\tC\t1,0,2\tC\t64\truns of 16 bytes, transposed\n"
    "runs_32\tbuiltin\tf32\t2048x1024x8\tC\t1,0,2\tC\t64\truns of 32 bytes, transposed\n"
    "runs_64\tbuiltin\tf32\t1024x1024x16\tC\t1,0,2\tC\t64\truns of 64 bytes, transposed\n"
    "runs_128\tbuiltin\tf32\t1024x512x32\tC\t1,0,2\tC\t64\truns of 128 bytes, transposed\n"
    "runs_512\tbuiltin\tf32\t512x256x128\tC\t1,0,2\tC\t64\truns of 512 bytes, transposed\n"
    "tile\tbuiltin\tf32\t4096x4096\tC\t1,0\tC\t64\ttranspose\n"
    "tile_odd\tbuiltin\tf32\t4095x4097\tC\t1,0\tC\t64\ttranspose of odd extents\n"
    "packed\tbuiltin\tf32\t15x15x15x15x15x15\tC\t5,4,3,2,1,0\tC\t43.5\tall axes small\n"
    "narrow\tbuiltin\tf32\t64x224x224x3\tC\t0,3,1,2\tC\t36.75\tNHWC to NCHW of RGB\n"
    "broadcast\tbuiltin\tf32\t16x256x56x56\t0,1,0,0\t0,1,2,3\tC\t49\tbias over an image\n"
    "reversed\tbuiltin\tf32\t64x3x224x224\t150528,50176,224,-1\t0,1,2,3\tC\t36.75\tmirrored\n"
    "bits\tbuiltin\tu4\t8192x16384\tC\t1,0\tC\t64\ttranspose of packed weights\n"
    "bits_odd\tbuiltin\tu4\t8192x8191\t8192,1@1\t0,1\tC\t32\trows that begin at an odd nibble\n"
    "blocked\tbuiltin\tf32\t64x16x16x28x28\tC\t0,1,3,4,2\tC\t49\tNCHW to nChw16c\n"
    "composed\tbuiltin\tf32\t4096x3072\tC\t1,0/8192x1536/1,0\tC\t48\taxes that do not factor\n"
    "composed_runs\tbuiltin\tf16\t96x80x3072\tC\t1,0,2/120x64x3072/1,0,2\tC\t45\tsuch axes over "
    "tokens\n"
    "composed_odd\tbuiltin\tf32\t4095x3003\tC\t1,0/6435x1911/1,0\tC\t46.9\todd axes that do not "
    "factor\n"
    "composed_u4\tbuiltin\tu4\t8192x12288\tC\t1,0/16384x6144/1,0\tC\t48\tpacked, axes that do not "
    "factor\n";

/* ---- lines ---- */

static clrs_status check_id(const bench_list *list, const char *id, clrs_error *error) {
  for (size_t i = 0; i < list->count; i++) {
    if (strcmp(list->cases[i].id, id) == 0) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT, "column 1 (id): '%s' is there already", id);
    }
  }
  return CLRS_OK;
}

static clrs_status append_line(char *line, bench_list *list, clrs_error *error) {
  if (list->count == MOST_CASES) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "more than %d cases in one file", MOST_CASES);
  }
  bench_case *grown = realloc(list->cases, (list->count + 1) * sizeof *grown);
  if (grown == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  list->cases = grown;
  char *whole = list->lines + (line - list->text);
  whole[strlen(line)] = '\0';
  CLRS_TRY(bench_case_parse(line, &grown[list->count], error));
  CLRS_TRY(check_id(list, grown[list->count].id, error));
  grown[list->count++].line = whole;
  return CLRS_OK;
}

static bool is_skipped(const char *line, size_t number) {
  return line[0] == '\0' || line[0] == '#' || (number == 1 && strncmp(line, "id\t", 3) == 0);
}

static clrs_status parse_text(const char *name, bench_list *list, clrs_error *error) {
  size_t number = 1;
  list->lines = strdup(list->text); /* reading cuts the text */
  if (list->lines == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  for (char *next = list->text; next != NULL; number++) {
    char *line = next;
    next = strchr(line, '\n');
    if (next != NULL) {
      *next++ = '\0';
    }
    line[strcspn(line, "\r")] = '\0';
    if (!is_skipped(line, number) && append_line(line, list, error) != CLRS_OK) {
      return cli_fail_prefix(error, "%s: line %zu", name, number);
    }
  }
  return list->count > 0 ? CLRS_OK
                         : clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s: holds no case", name);
}

/* ---- files ---- */

/* Reads the file, and doubles the memory as long as the file continues. One byte over the limit
 * shows that a file is too long. */
static clrs_status read_bytes(const char *path, FILE *file, char **text, size_t *used,
                              clrs_error *error) {
  for (size_t room = FIRST_BYTES; *used <= MOST_BYTES && !feof(file); room *= 2) {
    char *grown = realloc(*text, room + 1);
    if (grown == NULL) {
      return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
    }
    *text = grown;
    *used += fread(grown + *used, 1, room - *used, file);
    grown[*used] = '\0';
    if (ferror(file)) {
      return cli_fail_file(error, path, errno);
    }
  }
  return CLRS_OK;
}

static clrs_status read_open_file(const char *path, FILE *file, char **text, clrs_error *error) {
  size_t used = 0;
  CLRS_TRY(read_bytes(path, file, text, &used, error));
  if (used > MOST_BYTES) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "%s: is larger than %d bytes", path, MOST_BYTES);
  }
  if (strlen(*text) != used) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s: holds a zero byte; it is not text", path);
  }
  return CLRS_OK;
}

static clrs_status read_text(const char *path, char **text, clrs_error *error) {
  if (path == NULL) {
    *text = strdup(default_cases);
    return *text != NULL ? CLRS_OK : clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  FILE *file = cli_file_stream(path);
  if (file == NULL) {
    return cli_fail_file(error, path, errno);
  }
  const clrs_status status = read_open_file(path, file, text, error);
  (void)fclose(file);
  return status;
}

static clrs_status end_list(clrs_status status, const char *name, bench_list *list,
                            clrs_error *error) {
  status = status == CLRS_OK ? parse_text(name, list, error) : status;
  if (status != CLRS_OK) {
    bench_list_free(list);
  }
  return status;
}

clrs_status bench_list_read(const char *path, bench_list *list, clrs_error *error) {
  memset(list, 0, sizeof *list);
  const clrs_status status = read_text(path, &list->text, error);
  return end_list(status, path != NULL ? path : "built-in cases", list, error);
}

/* The cases pass through a file, as the cases of a reader do. */
clrs_status bench_list_draw(const bench_draw *draw, bench_list *list, clrs_error *error) {
  static const char name[] = "random cases";
  int fd = -1;
  memset(list, 0, sizeof *list);
  CLRS_TRY(cli_spool_open(NULL, &fd, error));
  FILE *file = fdopen(fd, "w+b");
  if (file == NULL) {
    close(fd);
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  bench_families_write(file, draw);
  clrs_status status = fflush(file) == 0 ? CLRS_OK : cli_fail_file(error, name, errno);
  rewind(file);
  status = status == CLRS_OK ? read_open_file(name, file, &list->text, error) : status;
  (void)fclose(file);
  return end_list(status, name, list, error);
}

void bench_list_free(bench_list *list) {
  free(list->cases);
  free(list->text);
  free(list->lines);
  memset(list, 0, sizeof *list);
}
