/* SPDX-License-Identifier: Apache-2.0 */
#include "explain_plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "host.h"
#include "print.h"
#include "raw.h"
#include "units.h"

/* OpenCL guarantees that a buffer is aligned to the largest type, a long16, in bytes. */
enum { BUFFER_ALIGNMENT = 128 };

/* Plans without a device. The plan is for a CPU, or, if the environment asks for a GPU, for a usual
 * GPU. */
clrs_status cli_work_plan(const cli_request *request, const clrs_view *to, cli_work *work,
                          clrs_error *error) {
  clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
  CLRS_TRY(cli_execution_from_environment(&limits.execution, error));
  if (limits.execution == CLRS_EXECUTION_AUTO) {
    limits.execution = CLRS_EXECUTION_CPU;
  }
  limits.max_group_items = 256;
  limits.local_bytes = 32768;
  limits.required_class = request->required_class;
  clrs_move move = {.source = {NULL, 0, BUFFER_ALIGNMENT},
                    .destination = {to, 0, BUFFER_ALIGNMENT},
                    .policy = request->policy};
  return clrs_plan_mapped(&work->seen, &move, &limits, &work->plan, error);
}

static clrs_status describe_step(const clrs_mapped *mapped, cli_step *step, clrs_error *error) {
  const clrs_view *view = &mapped->views.source;
  clrs_layout layout;
  const clrs_status status = clrs_view_layout(view, &layout, error);
  *step = (cli_step){view->shape, mapped->dtype,
                     status == CLRS_OK && clrs_map_keeps_bits(&mapped->map)};
  return status == CLRS_WOULD_COPY ? CLRS_OK : status;
}

/* Checks that elements of several units are only moved, because the library has no type for such
 * elements and cannot compute with such elements. */
static clrs_status check_moved(const cli_request *request, size_t op, const cli_npy_type *type,
                               const clrs_mapped *mapped, clrs_error *error) {
  return type->units == 1 || (mapped->dtype == type->dtype && clrs_map_keeps_bits(&mapped->map))
             ? CLRS_OK
             : clrs__fail(error, CLRS_UNSUPPORTED,
                          "operation %zu (%s): elements of type %s are moved, by their %u bytes; "
                          "nothing is computed of them",
                          op + 1, clrs__show(clrs_chain_op_text(&request->chain, op)).text,
                          clrs__show(type->descr).text, type->element_bytes);
}

static clrs_status apply_ops(const cli_request *request, const cli_npy_type *type, cli_work *work,
                             clrs_error *error) {
  CLRS_TRY(clrs_mapped_init(&work->view, &work->mapped, error));
  for (size_t i = 0; i < request->chain.op_count; i++) {
    if (clrs_chain_map_one(&request->chain, i, &request->rules, &work->mapped, error) != CLRS_OK) {
      return cli_npy_name_type(type, error);
    }
    CLRS_TRY(check_moved(request, i, type, &work->mapped, error));
    CLRS_TRY(describe_step(&work->mapped, &work->steps[i], error));
  }
  work->computes = !clrs_map_keeps_bits(&work->mapped.map);
  work->view = work->mapped.views.source;
  work->view.dtype = work->mapped.dtype;
  return CLRS_OK;
}

clrs_status cli_work_init(const cli_request *request, const cli_npy_header *header, cli_work *work,
                          clrs_error *error) {
  clrs_view units;
  work->units = header->type.units;
  work->type = clrs__show(header->type.descr);
  CLRS_TRY(cli_npy_layout(header, &work->layout, error));
  CLRS_TRY(clrs_view_from_layout(&work->layout, &work->view, error));
  CLRS_TRY(apply_ops(request, &header->type, work, error));
  if (work->units > 1) {
    CLRS_TRY(cli_view_in_units(&work->view, work->units, &units, error));
    CLRS_TRY(clrs_mapped_init(&units, &work->mapped, error));
  }
  work->made = (cli_assembled){.shape = work->view.shape, .result = work->view.shape};
  work->seen = work->mapped;
  return cli_work_plan(request, NULL, work, error);
}

/* Sets *seen to box `box` of a pad. Elements of several units become a view whose last dim counts
 * units. */
static clrs_status show_box(const cli_work *work, size_t box, clrs_mapped *seen,
                            clrs_error *error) {
  const clrs_pad *pad = &work->made.pad;
  clrs_view view = work->view, units;
  if (work->units > 1) {
    CLRS_TRY(clrs_pad_source(pad, box, &view, error));
    CLRS_TRY(cli_view_in_units(&view, work->units, &units, error));
    return clrs_mapped_init(&units, seen, error);
  }
  *seen = work->mapped;
  CLRS_TRY(clrs_pad_source(pad, box, &seen->views.source, error));
  for (uint32_t i = 0; i < seen->views.count; i++) {
    CLRS_TRY(clrs_pad_source(pad, box, &seen->views.views[i], error));
  }
  return CLRS_OK;
}

clrs_status cli_work_take_box(const cli_request *request, size_t box, cli_work *work,
                              clrs_error *error) {
  const cli_assembly *assembly = &request->assembly;
  CLRS_TRY(show_box(work, box, &work->seen, error));
  CLRS_TRY(cli_part_box(&work->made, box, &work->part, error));
  return cli_part_map(assembly, &work->made, &work->part, &work->seen, error);
}

/* Takes the next part: the whole of *work, initialised anew, for example for another file. */
static clrs_status take(const cli_request *request, cli_work *work, clrs_error *error) {
  const cli_assembly *assembly = &request->assembly;
  work->seen = work->mapped;
  CLRS_TRY(cli_part_next(assembly, &work->view.shape, &work->made, &work->part, error));
  return cli_part_map(assembly, &work->made, &work->part, &work->seen, error);
}

static clrs_status take_first(const cli_request *request, cli_work *work, clrs_error *error) {
  if (work->made.is_whole) {
    work->computes = work->computes || cli_parts_compute(&work->made);
    return CLRS_OK;
  }
  CLRS_TRY(take(request, work, error));
  work->computes = !clrs_map_keeps_bits(&work->seen.map);
  CLRS_TRY(cli_parts_compute(&work->made) ? cli_work_plan(request, NULL, work, error) : CLRS_OK);
  return request->assembly.mode == CLRS_PAD_CONSTANT ? CLRS_OK
                                                     : cli_work_take_box(request, 0, work, error);
}

static clrs_status check_format(const cli_format *format, const cli_assembled *made,
                                clrs_error *error) {
  return format->check == NULL ? CLRS_OK : format->check(&made->result_type, &made->result, error);
}

/* Measures the assembly. If the type does not change, the type keeps the name, because several of
 * NumPy's types may be one type of the library. */
clrs_status cli_work_assemble(const cli_request *request, const cli_npy_header *header,
                              cli_work *work, clrs_error *error) {
  cli_npy_type type = header->type;
  const cli_assembly *assembly = &request->assembly;
  if (work->mapped.dtype != work->layout.dtype) {
    CLRS_TRY(cli_raw_type(work->mapped.dtype, &type, error));
  }
  CLRS_TRY(cli_assembly_measure(assembly, &type, &work->view.shape, &work->made, error));
  CLRS_TRY(cli_parts_start(assembly, &work->made, error));
  CLRS_TRY(check_format(request->format, &work->made, error));
  return take_first(request, work, error);
}

clrs_status cli_work_take_file(cli_request *request, const char *path, const cli_npy_header *header,
                               cli_work *work, clrs_error *error) {
  const cli_assembled made = work->made;
  request->chain.op_count = 0;
  CLRS_TRY(cli_assembly_check(&request->assembly, &made, path, header, error));
  CLRS_TRY(cli_work_init(request, header, work, error));
  work->made = made;
  return take(request, work, error);
}

clrs_status cli_work_take_slab(const cli_request *request, uint32_t slab, cli_work *work,
                               clrs_error *error) {
  const clrs_shape scalar = {0, {0}};
  const cli_assembled *made = &work->made;
  clrs_view view;
  CLRS_TRY(cli_part_border(&request->assembly, made, slab, &work->part, error));
  CLRS_TRY(clrs_view_dense(made->type.dtype, &scalar, &view, error));
  CLRS_TRY(clrs_view_expand(&view, &work->part.place.shape, error));
  CLRS_TRY(clrs_mapped_init(&view, &work->seen, error));
  return cli_part_map(&request->assembly, made, &work->part, &work->seen, error);
}

/* The library's texts of the plan and of the map, in allocated memory. */
typedef struct words {
  char *plan, *map;
} words;

static void words_free(words *made) {
  free(made->plan);
  free(made->map);
}

static clrs_status explain_work(const cli_work *work, bool json, words *made, clrs_error *error) {
  size_t (*explain)(const clrs_plan *, char *, size_t) =
      json ? clrs_plan_explain_json : clrs_plan_explain;
  const clrs_map *map = &work->seen.map;
  const size_t plan_size = explain(&work->plan, NULL, 0) + 1;
  const size_t map_size = clrs_map_explain(map, NULL, 0) + 1;
  *made = (words){malloc(plan_size), malloc(map_size)};
  if (made->plan == NULL || made->map == NULL) {
    words_free(made);
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  explain(&work->plan, made->plan, plan_size);
  clrs_map_explain(map, made->map, map_size);
  return CLRS_OK;
}

typedef struct type_name {
  char text[32 + sizeof(clrs__shown)];
} type_name;

/* Returns the type's name. The library has no name for elements of 12 bytes. The name here is
 * bits96. */
static type_name name_of(const cli_work *work, clrs_dtype dtype) {
  type_name name;
  if (work->units == 1) {
    snprintf(name.text, sizeof name.text, "%s", clrs_dtype_name(dtype, CLRS_TYPES_CLRESHAPE));
  } else {
    snprintf(name.text, sizeof name.text, "bits%" PRIu64,
             (uint64_t)work->units * clrs_dtype_bits(dtype));
  }
  return name;
}

/* Returns the name for people. If the library has only bits, NumPy's name follows: bits32 (>f4). */
static type_name full_name_of(const cli_work *work, clrs_dtype dtype) {
  type_name name = name_of(work, dtype);
  const size_t used = strlen(name.text);
  if (dtype == work->layout.dtype && strncmp(name.text, "bits", 4) == 0) {
    snprintf(name.text + used, sizeof name.text - used, " (%s)", work->type.text);
  }
  return name;
}

/* Applies operation `op` after the assembly to *mapped, the whole after operation op - 1. The
 * operation has succeeded once before. */
static bool map_after(const cli_request *request, const cli_work *work, size_t op,
                      clrs_mapped *mapped) {
  const cli_assembly *assembly = &request->assembly;
  clrs_view view;
  return (op > 0 ||
          (clrs_view_dense(work->made.type.dtype, &work->made.shape, &view, NULL) == CLRS_OK &&
           clrs_mapped_init(&view, mapped, NULL) == CLRS_OK)) &&
         clrs_chain_map_one(&assembly->after, op, &assembly->rules, mapped, NULL) == CLRS_OK;
}

static clrs_dtype output_of(const cli_work *work) {
  return work->made.is_whole ? work->made.after.dtype : work->seen.dtype;
}

static void print_after(FILE *file, const cli_request *request, const cli_work *work) {
  const clrs_chain *after = &request->assembly.after;
  clrs_mapped mapped;
  clrs_dtype before = work->made.type.dtype;
  for (size_t i = 0; i < after->op_count && map_after(request, work, i, &mapped); i++) {
    const bool is_other = mapped.dtype != before;
    fprintf(file, "\n%5zu: ", request->chain.op_count + i + 2);
    cli_print_escaped(file, clrs_chain_op_text(after, i));
    fprintf(file, " -> %s%s", is_other ? name_of(work, mapped.dtype).text : "",
            is_other ? " " : "");
    cli_print_list(file, mapped.views.source.shape.rank, mapped.views.source.shape.dims);
    before = mapped.dtype;
  }
}

clrs_status cli_work_print(FILE *file, const cli_request *request, const cli_work *work,
                           clrs_error *error) {
  words text;
  CLRS_TRY(explain_work(work, false, &text, error));
  fprintf(file, "input: %s ", full_name_of(work, work->layout.dtype).text);
  cli_print_list(file, work->layout.rank, work->layout.dims);
  fputs(" strides ", file);
  cli_print_list(file, work->layout.rank, work->layout.strides);
  for (size_t i = 0; i < request->chain.op_count; i++) {
    fprintf(file, "\n%5zu: ", i + 1);
    cli_print_escaped(file, clrs_chain_op_text(&request->chain, i));
    const clrs_dtype before = i > 0 ? work->steps[i - 1].dtype : work->layout.dtype;
    const bool is_other = work->steps[i].dtype != before;
    fprintf(file, " -> %s%s", is_other ? name_of(work, work->steps[i].dtype).text : "",
            is_other ? " " : "");
    cli_print_list(file, work->steps[i].shape.rank, work->steps[i].shape.dims);
    fputs(work->steps[i].is_view ? " a view" : " no view", file);
  }
  if (request->assembly.kind != CLI_NO_ASSEMBLY) {
    fprintf(file, "\n%5u: ", request->chain.op_count + 1);
    cli_print_escaped(file, request->assembly.text);
    fputs(" -> ", file);
    cli_print_list(file, work->made.shape.rank, work->made.shape.dims);
  }
  print_after(file, request, work);
  fprintf(file, "\noutput: %s ", full_name_of(work, output_of(work)).text);
  cli_print_list(file, work->made.result.rank, work->made.result.dims);
  if (work->computes && !work->made.is_whole) {
    const bool has_frame = work->seen.views.resample.frame.format > 0;
    fprintf(file, "\nmap: %s%s", has_frame ? "of colours of a frame, " : "", text.map);
  }
  if (work->made.is_whole) {
    fputs("\nparts: all at once, by a launch for each piece of the pad; the plan is that of the "
          "operations in front",
          file);
  } else if (request->assembly.kind != CLI_NO_ASSEMBLY) {
    fprintf(file,
            "\nparts: %" PRIu64 " in %" PRIu64 " launches, which read %" PRIu64
            " and write %" PRIu64 " bytes; the plan is the first part's",
            work->parts.count, work->parts.launches, work->parts.bytes_read,
            work->parts.bytes_written);
  }
  fprintf(file, "\nplan: %s\n", text.plan);
  words_free(&text);
  return CLRS_OK;
}

static void print_steps(FILE *file, const cli_request *request, const cli_work *work) {
  fputs("\"steps\":[", file);
  for (size_t i = 0; i < request->chain.op_count; i++) {
    fputs(i > 0 ? ",{\"op\":" : "{\"op\":", file);
    cli_print_string(file, clrs_chain_op_text(&request->chain, i));
    fputs(",\"dims\":", file);
    cli_print_list(file, work->steps[i].shape.rank, work->steps[i].shape.dims);
    fprintf(file, ",\"view\":%s}", work->steps[i].is_view ? "true" : "false");
  }
  if (request->assembly.kind != CLI_NO_ASSEMBLY) {
    fputs(request->chain.op_count > 0 ? ",{\"op\":" : "{\"op\":", file);
    cli_print_string(file, request->assembly.text);
    fputs(",\"dims\":", file);
    cli_print_list(file, work->made.shape.rank, work->made.shape.dims);
    fputs(",\"view\":false}", file);
  }
  clrs_mapped mapped;
  for (size_t i = 0; i < request->assembly.after.op_count && map_after(request, work, i, &mapped);
       i++) {
    fputs(",{\"op\":", file);
    cli_print_string(file, clrs_chain_op_text(&request->assembly.after, i));
    fputs(",\"dims\":", file);
    cli_print_list(file, mapped.views.source.shape.rank, mapped.views.source.shape.dims);
    fputs(",\"view\":false}", file);
  }
  fputs("],", file);
}

static void print_parts(FILE *file, const cli_total *parts) {
  fprintf(file,
          "\"assembly\":{\"parts\":%" PRIu64 ",\"launches\":%" PRIu64 ",\"bytes_read\":%" PRIu64
          ",\"bytes_written\":%" PRIu64 "},",
          parts->count, parts->launches, parts->bytes_read, parts->bytes_written);
}

/* The library's object holds the decision. The fields of the request are put in front of the
 * library's fields. */
clrs_status cli_work_print_json(FILE *file, const cli_request *request, const cli_work *work,
                                clrs_error *error) {
  words text;
  CLRS_TRY(explain_work(work, true, &text, error));
  fprintf(file, "{\"input\":{\"dtype\":\"%s\",\"dims\":", name_of(work, work->layout.dtype).text);
  cli_print_list(file, work->layout.rank, work->layout.dims);
  fputs(",\"strides\":", file);
  cli_print_list(file, work->layout.rank, work->layout.strides);
  fputs("},", file);
  print_steps(file, request, work);
  if (work->made.is_whole) {
    fputs("\"assembly\":{\"parts\":1},", file);
  } else if (request->assembly.kind != CLI_NO_ASSEMBLY) {
    print_parts(file, &work->parts);
  }
  fprintf(file, "\"output\":{\"dtype\":\"%s\",\"dims\":", name_of(work, output_of(work)).text);
  cli_print_list(file, work->made.result.rank, work->made.result.dims);
  if (work->computes && !work->made.is_whole) {
    fputs("},\"map\":", file);
    cli_print_string(file, text.map);
    fprintf(file, ",%s\n", text.plan + 1);
  } else {
    fprintf(file, "},%s\n", text.plan + 1);
  }
  words_free(&text);
  return CLRS_OK;
}
