/*
 * The tables of a batch. See batch_tables.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "batch_tables.h"

#include <stdlib.h>
#include <string.h>

#include "table.h"
#include "work_size.h"

/* PoCL compiles a kernel anew for a dimension of 65536 or more. */
enum { MOST_ENTRIES = 65535 };

/* What comes before the words of a move. */
#define LONG(name) uint64_t name;
#define INT(name) uint32_t name;
typedef struct entry_head {
  CLRS_ENTRY_WORDS(LONG, INT)
} entry_head;

/* The number of a buffer in the table, which may be the next; false if there is no room for it. */
static bool number_buffer(clrs__table *table, cl_mem buffer, uint32_t *number) {
  clrs__batch_dispatch *dispatch = &table->dispatch;
  uint32_t at = 0;
  while (at < dispatch->buffer_count && dispatch->buffers[at] != buffer) {
    at++;
  }
  if (at == CLRS_BATCH_BUFFERS) {
    return false;
  }
  dispatch->buffers[at] = buffer;
  dispatch->buffer_count += at == dispatch->buffer_count;
  *number = at;
  return true;
}

/* Only the last table of a variant may have room. */
static clrs__table *find_table(const clrs__tables *tables, clrs__variant variant) {
  for (size_t i = tables->count; i-- > 0;) {
    if (clrs__variant_equal(tables->tables[i].dispatch.variant, variant)) {
      return &tables->tables[i];
    }
  }
  return NULL;
}

static clrs_status fail_memory(clrs_error *error) {
  return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for the tables of a batch");
}

static clrs_status open_table(clrs__tables *tables, clrs__variant variant, clrs__table **opened,
                              clrs_error *error) {
  if (tables->count == tables->capacity) {
    const size_t capacity = tables->capacity > 0 ? 2 * tables->capacity : 4;
    clrs__table *grown = realloc(tables->tables, capacity * sizeof *grown);
    if (grown == NULL) {
      return fail_memory(error);
    }
    tables->tables = grown;
    tables->capacity = capacity;
  }
  *opened = &tables->tables[tables->count++];
  memset(*opened, 0, sizeof **opened);
  (*opened)->dispatch.variant = variant;
  return CLRS_OK;
}

static clrs_status make_room(clrs__table *table, clrs_error *error) {
  if (table->count < table->capacity) {
    return CLRS_OK;
  }
  const size_t capacity = table->capacity > 0 ? 2 * table->capacity : 16;
  unsigned char *entries = realloc(table->entries, capacity * table->entry_bytes);
  if (entries == NULL) {
    return fail_memory(error);
  }
  table->entries = entries;
  table->capacity = capacity;
  return CLRS_OK;
}

static clrs_status write_entry(clrs__table *table, const entry_head *head,
                               const clrs__arguments *arguments, clrs_error *error) {
  const size_t bytes = sizeof *head + arguments->move.bytes;
  table->entry_bytes = (bytes + 7) / 8 * 8;
  CLRS_TRY(make_room(table, error));
  unsigned char *entry = table->entries + table->count * table->entry_bytes;
  memcpy(entry, head, sizeof *head);
  memcpy(entry + sizeof *head, &arguments->move.as, arguments->move.bytes);
  memset(entry + bytes, 0, table->entry_bytes - bytes);
  table->count++;
  return CLRS_OK;
}

/* Both buffers, or neither. */
static bool number_buffers(clrs__table *table, const clrs__target *target, entry_head *head) {
  const uint32_t before = table->dispatch.buffer_count;
  if (number_buffer(table, target->source, &head->source_buffer) &&
      number_buffer(table, target->destination, &head->destination_buffer)) {
    return true;
  }
  table->dispatch.buffer_count = before;
  return false;
}

clrs_status clrs__tables_add(clrs__tables *tables, const clrs__target *target, uint32_t index,
                             clrs_error *error) {
  const clrs__plan_data *data = clrs__plan_data_in(target->plan);
  const clrs__cut *cut = &data->cuts[index];
  const clrs__variant variant = clrs__batch_variant(cut);
  const clrs__range range = clrs__cut_range(cut, clrs__context_limits(tables->context));
  clrs__arguments arguments;
  entry_head head;
  clrs__table *table = find_table(tables, variant);
  if (table == NULL || table->count == MOST_ENTRIES || !number_buffers(table, target, &head)) {
    CLRS_TRY(open_table(tables, variant, &table, error));
    (void)number_buffers(table, target, &head); /* an empty table has room */
  }
  clrs__cut_encode(cut, &data->stack, variant.nest_axes, &arguments);
  head.source_start = arguments.source_start;
  head.destination_start = arguments.destination_start;
  CLRS_TRY(write_entry(table, &head, &arguments, error));
  clrs__batch_dispatch *all = &table->dispatch; /* a row is as long as its longest move needs */
  all->global[0] = range.global[0] > all->global[0] ? (size_t)range.global[0] : all->global[0];
  all->global[1] = table->count;
  all->group[0] = (size_t)range.group[0];
  all->group[1] = 1;
  return CLRS_OK;
}

clrs_status clrs__tables_prepare(clrs__tables *tables, clrs_error *error) {
  for (size_t i = 0; i < tables->count; i++) {
    clrs__table *table = &tables->tables[i];
    cl_int code = CL_SUCCESS;
    CLRS_TRY(clrs__context_prepare(tables->context, table->dispatch.variant, error));
    table->dispatch.table = clCreateBuffer(
        clrs__context_opencl(tables->context), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
        table->count * table->entry_bytes, table->entries, &code);
    CLRS_TRY_OPENCL("clCreateBuffer", code, error);
    free(table->entries);
    table->entries = NULL;
  }
  return CLRS_OK;
}

void clrs__tables_destroy(clrs__tables *tables) {
  for (size_t i = 0; i < tables->count; i++) {
    if (tables->tables[i].dispatch.table != NULL) {
      clReleaseMemObject(tables->tables[i].dispatch.table);
    }
    free(tables->tables[i].entries);
  }
  free(tables->tables);
}
