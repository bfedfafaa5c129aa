/*
 * Assemblies: operations that combine parts. concat=0,B.npy and stack=0,B.npy add files behind the
 * result of the operations before. pad=1:1,0:2 adds a border. Operations after an assembly may move
 * and map the elements: result_parts.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "npy_header.h"

typedef enum cli_assembly_kind {
  CLI_NO_ASSEMBLY,
  CLI_CONCAT,
  CLI_STACK,
  CLI_PAD
} cli_assembly_kind;

typedef struct cli_assembly {
  cli_assembly_kind kind;
  const char *text;  /* as in the command line */
  int64_t axis;      /* of concat and stack */
  size_t file_count; /* files of concat and stack */
  char **files;
  char *names;        /* memory of the file names */
  uint32_t pad_count; /* widths. A single width is for every dim */
  int64_t before[CLRS_MAX_RANK], behind[CLRS_MAX_RANK]; /* elements that pad adds */
  clrs_pad_mode mode;                                   /* mode of pad */
  double value;                                         /* value of the border in mode constant */
  const cli_npy_header *raw;                            /* header for cli_npy_open_as, or NULL */
  clrs_chain after;                                     /* operations after the assembly */
  clrs_rules rules;                                     /* rules of `after` */
} cli_assembly;

/* Is the text an assembly, by its first characters? */
bool cli_is_assembly(const char *text);

/* Parses the text. Returns CLRS_INVALID_ARGUMENT if the text is malformed. The caller frees
 * *assembly, also after a failure. */
clrs_status cli_assembly_parse(const char *text, cli_assembly *assembly, clrs_error *error);
void cli_assembly_free(cli_assembly *assembly);

/* Is it a pad in mode constant? */
bool cli_assembly_has_border(const cli_assembly *assembly);

/* The result of an assembly. */
typedef struct cli_assembled {
  clrs_shape shape;  /* shape of all parts together */
  uint32_t axis;     /* index of the axis, from 0 */
  int64_t next;      /* index along the axis at which the next part begins */
  cli_npy_type type; /* type of all parts */
  clrs_shape part;   /* shape of the first part */
  clrs_pad pad;      /* the pad of another mode than constant, else one box without dims */
  /* The fields below describe the result after all operations: see result_parts.h. */
  cli_npy_type result_type;
  clrs_shape result;
  clrs_view whole;   /* has `shape`: the place in the result of each element */
  clrs_mapped after; /* has `shape`: the maps of each element; the source is not read */
  bool is_whole;     /* a pad that is carried out whole. `after` then has the shape of the result */
} cli_assembled;

/* Measures an assembly whose first part has that type and shape. Reads and checks the headers of
 * the files. Without an assembly, the result is the first part. */
clrs_status cli_assembly_measure(const cli_assembly *assembly, const cli_npy_type *type,
                                 const clrs_shape *shape, cli_assembled *made, clrs_error *error);

/* Checks that the file of that header fits the first part. `path` is for messages. */
clrs_status cli_assembly_check(const cli_assembly *assembly, const cli_assembled *made,
                               const char *path, const cli_npy_header *header, clrs_error *error);
