/*
 * An operation of a run may put its result together out of parts: concat=0,B.npy and
 * stack=0,B.npy behind what the operations made of the input, pad=1:1,0:2 around it. Operations
 * after it may move its elements to other places, and map them: result_parts.h.
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
  const char *text;  /* as it was given */
  int64_t axis;      /* of concat and stack */
  size_t file_count; /* of their other parts */
  char **files;
  char *names;                                          /* the memory behind them */
  uint32_t pad_count;                                   /* dims, from the first on */
  int64_t before[CLRS_MAX_RANK], behind[CLRS_MAX_RANK]; /* elements that pad adds */
  clrs_pad_mode mode;                                   /* which they are */
  bool has_value;                                       /* in mode constant */
  double value;                                         /* that they have there */
  clrs_chain after;                                     /* what is done to the whole */
  clrs_rules rules;                                     /* of that */
} cli_assembly;

/* Does the text begin as an assembly does? */
bool cli_is_assembly(const char *text);

/* *assembly is to be freed, also if the text is refused: CLRS_INVALID_ARGUMENT. */
clrs_status cli_assembly_parse(const char *text, cli_assembly *assembly, clrs_error *error);
void cli_assembly_free(cli_assembly *assembly);

/* What it makes. */
typedef struct cli_assembled {
  clrs_shape shape;  /* of the parts together */
  uint32_t axis;     /* counted from 0 */
  int64_t next;      /* along it, where the next part begins */
  cli_npy_type type; /* of all parts */
  clrs_shape part;   /* of the first one */
  clrs_pad pad;      /* in a mode other than constant, else of one box and no dims */
  /* result_parts.h: behind the operations after that. */
  cli_npy_type result_type;
  clrs_shape result;
  clrs_view whole;   /* of `shape`: where in the result each element is */
  clrs_mapped after; /* of `shape`: what maps make of each element; its source is not read */
} cli_assembled;

/* Of a first part of that type and shape, and of the files' headers, which must go with it. Without
 * an assembly that part is all. */
clrs_status cli_assembly_measure(const cli_assembly *assembly, const cli_npy_type *type,
                                 const clrs_shape *shape, cli_assembled *made, clrs_error *error);

/* Does the file of that header go with the first part? `path` is for messages. */
clrs_status cli_assembly_check(const cli_assembly *assembly, const cli_assembled *made,
                               const char *path, const cli_npy_header *header, clrs_error *error);
