/* SPDX-License-Identifier: Apache-2.0 */
#include "batch_tables.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "dtype.h"

enum { MOST_ENTRIES = CLRS__MOST_GRID_ROWS };

/* The head of a row: the fields in front of the words of a move. */
#define LONG(name) uint64_t name;
#define INT(name) uint32_t name;
typedef struct entry_head {
  CLRS_ENTRY_WORDS(LONG, INT)
} entry_head;

/* A launch as a row of a table. The launch must fit one row of the grid. */
typedef struct table_row {
  clrs__variant variant; /* batched */
  clrs__fill_value value;
  cl_mem source, destination;
  uint64_t source_start, destination_start; /* as kernel arguments */
  uint64_t bytes_written;
  size_t items, group;
  const void *words;
  size_t word_bytes;
} table_row;

/* Finds the number of a buffer in the table, or appends the buffer. Returns false if the table has
 * no room. */
static bool number_buffer(clrs__table *table, cl_mem buffer, uint32_t *number) {
  uint32_t at = 0;
  while (at < table->buffer_count && table->buffers[at] != buffer) {
    at++;
  }
  if (at == CLRS_BATCH_BUFFERS) {
    return false;
  }
  table->buffers[at] = buffer;
  table->buffer_count += at == table->buffer_count;
  *number = at;
  return true;
}

/* Only the last table of a variant (for fills: of a variant and a value) may have room. */
static clrs__table *find_table(const clrs__tables *tables, const table_row *row) {
  for (size_t i = tables->count; i-- > tables->closed;) {
    clrs__table *table = &tables->tables[i];
    if (clrs__variant_equal(table->variant, row->variant) &&
        memcmp(&table->value, &row->value, sizeof table->value) == 0) {
      return table;
    }
  }
  return NULL;
}

static clrs_status open_table(clrs__tables *tables, const table_row *row, clrs__table **opened,
                              clrs_error *error) {
  clrs__table *grown =
      clrs__array_grow(tables->tables, tables->count, &tables->capacity, sizeof *grown);
  CLRS_TRY_MEMORY(grown, error, "no memory for the tables of a batch");
  tables->tables = grown;
  *opened = &tables->tables[tables->count++];
  memset(*opened, 0, sizeof **opened);
  (*opened)->variant = row->variant;
  (*opened)->value = row->value;
  return CLRS_OK;
}

static clrs_status write_entry(clrs__table *table, const entry_head *head, const table_row *row,
                               clrs_error *error) {
  const size_t bytes = sizeof *head + row->word_bytes;
  table->entry_bytes = (bytes + 7) / 8 * 8;
  unsigned char *entries =
      clrs__array_grow(table->entries, table->count, &table->capacity, table->entry_bytes);
  CLRS_TRY_MEMORY(entries, error, "no memory for the tables of a batch");
  table->entries = entries;
  unsigned char *entry = entries + table->count * table->entry_bytes;
  memcpy(entry, head, sizeof *head);
  memcpy(entry + sizeof *head, row->words, row->word_bytes);
  memset(entry + bytes, 0, table->entry_bytes - bytes);
  table->count++;
  return CLRS_OK;
}

/* Numbers both buffers, or leaves the table as it was. */
static bool number_buffers(clrs__table *table, const table_row *row, entry_head *head) {
  const uint32_t before = table->buffer_count;
  if (number_buffer(table, row->source, &head->source_buffer) &&
      number_buffer(table, row->destination, &head->destination_buffer)) {
    return true;
  }
  table->buffer_count = before;
  return false;
}

/* ---- adding moves ---- */

/* Adds a row to the table of the row's variant. Starts a new table if that table is full. */
static clrs_status add_row(clrs__tables *tables, const table_row *row, clrs_error *error) {
  entry_head head;
  clrs__table *table = find_table(tables, row);
  if (table == NULL || table->count == MOST_ENTRIES || !number_buffers(table, row, &head)) {
    CLRS_TRY(open_table(tables, row, &table, error));
    (void)number_buffers(table, row, &head); /* an empty table has room for both */
  }
  head.source_start = row->source_start;
  head.destination_start = row->destination_start;
  CLRS_TRY(write_entry(table, &head, row, error));
  if (row->items > table->global[0]) {
    table->global[0] = row->items; /* a row is as long as its longest move needs */
  }
  table->global[1] = table->count;
  table->bytes_written += row->bytes_written;
  table->group[0] = row->group;
  table->group[1] = 1;
  return CLRS_OK;
}

/* A row without a value, or the row of a fill. A fill reads no source and writes the value of the
 * commands. */
static table_row row_of(const clrs__commands *commands, const clrs__encoded *encoded,
                        const clrs_plan_buffers *buffers) {
  table_row row = {
      .variant = encoded->variant,
      .source = buffers->source,
      .destination = buffers->destination,
      .source_start = encoded->arguments.source_start,
      .destination_start = encoded->arguments.destination_start,
      .bytes_written = encoded->bytes_written,
      .items = encoded->global[0],
      .group = encoded->group[0],
      .words = &encoded->arguments.move.as,
      .word_bytes = encoded->arguments.move.bytes,
  };
  if (encoded->variant.fills) {
    row.source = buffers->destination;
    row.value = commands->value;
  }
  return row;
}

/* Returns true if the move has few bytes and needs no order, and if each launch fits a table and
 * one row of the grid. */
static bool encode_all(const clrs_device_limits *limits, const clrs_plan *plan,
                       clrs__encoded *encoded) {
  const clrs__plan_data *data = clrs__plan_data_in(plan);
  bool fits = plan->bytes_written <= CLRS__TABLE_MOST_BYTES && !data->in_order;
  for (uint32_t i = 0; fits && i < plan->launch_count; i++) {
    clrs__encode(limits, &data->cuts[i], &data->stack, true, &encoded[i]);
    fits = clrs__cut_fits_batch(&data->cuts[i]) && encoded[i].global[1] == 1;
  }
  return fits;
}

static clrs_status add_cuts(clrs__tables *tables, clrs__commands *commands, const clrs_plan *plan,
                            const clrs_plan_buffers *buffers, clrs_error *error) {
  clrs__encoded encoded[CLRS_MAX_LAUNCHES];
  const clrs_device_limits limits = clrs_context_limits(commands->context);
  if (!encode_all(&limits, plan, encoded)) {
    return clrs__commands_add(commands, plan, buffers, error);
  }
  for (uint32_t i = 0; i < plan->launch_count; i++) {
    const table_row row = row_of(commands, &encoded[i], buffers);
    CLRS_TRY(add_row(tables, &row, error));
  }
  return CLRS_OK;
}

static table_row mapped_row_of(const clrs__mapped_launch *launch,
                               const clrs_plan_buffers *buffers) {
  table_row row = {
      .variant = clrs__mapped_variant(&launch->key, launch->index_bits),
      .source = buffers->source,
      .destination = buffers->destination,
      .source_start = launch->starts[CLRS_FROM],
      .destination_start = launch->starts[CLRS_TO],
      .bytes_written = clrs__bytes_of(launch->count, clrs_dtype_bits((clrs_dtype)launch->key.to)),
      .items = launch->global[0],
      .group = launch->group[0],
      .words = &launch->words,
      .word_bytes = launch->word_bytes,
  };
  row.variant.is_batched = true;
  return row;
}

static bool is_small(const clrs_plan *plan) {
  return plan->launch_count == 1 && plan->bytes_written <= CLRS__TABLE_MOST_BYTES;
}

static bool has_tensors(const clrs__map_key *key) {
  bool has = false;
  for (uint32_t i = 0; i < CLRS_MAPPED_STEPS; i++) {
    has = has || key->origins[i] == CLRS_ORIGIN_TENSOR;
  }
  return has;
}

/* Returns true if the launch has 32-bit words, no tensor parameter and no separate buffer for its
 * words. The launch must also fit one row of the grid. Work-items of map_any take several elements
 * each if there are too few work-items. */
static bool fits_table(const clrs__mapped_launch *launch) {
  const bool fits_row = launch->global[1] == 1 || launch->key.geometry == CLRS__MAPPED_ANY;
  return fits_row && launch->index_bits == 32 && !launch->key.is_tabled &&
         !has_tensors(&launch->key) && !launch->key.is_indexed && launch->key.mixes == 0;
}

static clrs_status add_mapped(clrs__tables *tables, clrs__commands *commands, const clrs_plan *plan,
                              const clrs_plan_buffers *buffers, clrs_error *error) {
  clrs__mapped_launch launch;
  launch.at = 0;
  launch.in_buffer = false;
  if (!is_small(plan)) {
    return clrs__commands_add(commands, plan, buffers, error);
  }
  CLRS_TRY(clrs__mapped_encode(&clrs__plan_data_in(plan)->mapped, &commands->context->arithmetic,
                               &launch, error));
  if (!fits_table(&launch)) {
    return clrs__commands_add(commands, plan, buffers, error);
  }
  const table_row row = mapped_row_of(&launch, buffers);
  return add_row(tables, &row, error);
}

clrs_status clrs__tables_add(clrs__tables *tables, clrs__commands *commands, const clrs_plan *plan,
                             const clrs_plan_buffers *buffers, clrs_error *error) {
  return plan->outcome == CLRS_OUTCOME_INDEXED || commands->context->has_few_arguments
             ? clrs__commands_add(commands, plan, buffers, error)
         : plan->outcome == CLRS_OUTCOME_MAPPED ? add_mapped(tables, commands, plan, buffers, error)
                                                : add_cuts(tables, commands, plan, buffers, error);
}

/* ---- tables as commands ---- */

static clrs_status upload(clrs__table *table, cl_context context, clrs_error *error) {
  cl_int code = CL_SUCCESS;
  table->uploaded = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                   table->count * table->entry_bytes, table->entries, &code);
  CLRS_TRY_OPENCL("clCreateBuffer", code, error);
  free(table->entries);
  table->entries = NULL;
  return CLRS_OK;
}

/* A unit of a map is a byte. */
static uint32_t unit_bits_of(const clrs__table *table) {
  return clrs__variant_is_mapped(&table->variant) ? 8 : table->variant.unit_bits;
}

/* Every kernel argument must be set. Buffer numbers that no row uses are set to the first
 * buffer. */
static void add_buffers(const clrs__table *table, clrs__command *command) {
  const uint64_t starts[CLRS_BATCH_BUFFERS] = {0};
  for (uint32_t i = 0; i < CLRS_BATCH_BUFFERS; i++) {
    clrs__entrance *entrance = &command->entrances[i];
    *entrance = (clrs__entrance){.buffer = table->buffers[i < table->buffer_count ? i : 0],
                                 .unit_bits = unit_bits_of(table)};
    entrance->buffer_word =
        clrs__command_add_argument(command, sizeof entrance->buffer, &entrance->buffer);
  }
  const uint32_t first = clrs__command_add_argument(command, sizeof starts, starts);
  for (uint32_t i = 0; i < CLRS_BATCH_BUFFERS; i++) {
    command->entrances[i].start_word = first + i;
  }
  command->entrance_count = CLRS_BATCH_BUFFERS;
}

static void fill_command(const clrs__table *table, clrs__command *command) {
  command->bytes_written = table->bytes_written;
  command->moves = table->count;
  if (table->variant.fills) {
    clrs__command_add_argument(command, sizeof table->value, &table->value);
  }
  add_buffers(table, command);
  clrs__command_add_argument(command, sizeof table->uploaded, &table->uploaded);
}

clrs_status clrs__tables_close(clrs__tables *tables, clrs__commands *commands, clrs_error *error) {
  for (; tables->closed < tables->count; tables->closed++) {
    clrs__table *table = &tables->tables[tables->closed];
    clrs__command *command = NULL;
    CLRS_TRY(clrs__commands_open(commands, table->variant,
                                 (clrs__launch_range){table->global, table->group}, &command,
                                 error));
    CLRS_TRY(upload(table, commands->context->opencl, error));
    fill_command(table, command);
  }
  return CLRS_OK;
}

void clrs__tables_destroy(clrs__tables *tables) {
  for (size_t i = 0; i < tables->count; i++) {
    if (tables->tables[i].uploaded != NULL) {
      clReleaseMemObject(tables->tables[i].uploaded);
    }
    free(tables->tables[i].entries);
  }
  free(tables->tables);
}
