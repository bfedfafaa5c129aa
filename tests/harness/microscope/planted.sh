#!/bin/sh
# Plants bugs in the kernels, one at a time, and requires that a detector reports each:
#   planted.sh FOLDER_OF_TEST_PROGRAMS [NAME]
#   planted.sh --places FOLDER_OF_KERNELS    only looks for the bugs' places, in no time
# The microscope puts the bug into the source that the library gives it to compile, so nothing else
# is built anew. A bug whose place is gone is a failure too: plant it where its code went.
#
# SPDX-License-Identifier: Apache-2.0
set -u
programs=$1 only=${2-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CLRS_MICROSCOPE_FROM CLRS_MICROSCOPE_TO CLRS_MICROSCOPE_PLANTED="$work/planted" CLRS_TEST_BOTH=1
planted=0 caught=0 done='were caught'
if [ "$programs" = --places ]; then
  folder=$only kernels=$(cat "$only"/*.cl) only='' done='have a place'
fi

# detect NAME CASES RACES PROGRAM: true if the program fails for any reason. The program stops at
# the first failure, because a fault inside an enqueue leaves locks behind. Taking too long is no
# failure.
detect() {
  CMOCKA_TEST_ABORT=1 CLRS_TEST_CASES=$2 CLRS_MICROSCOPE_RACES=$3 \
    timeout 300 "$programs/$4" >"$work/log" 2>&1 </dev/null
  status=$?
  [ $status -ne 0 ] && [ $status -ne 124 ]
}

# is_clean PROGRAM CASES RACES: true if the program passes without a bug. Each program runs once.
is_clean() {
  answer=$work/$(echo "$1.$2.$3" | tr / _)
  if [ ! -e "$answer" ]; then
    (unset CLRS_MICROSCOPE_FROM CLRS_MICROSCOPE_TO && ! detect none "$2" "$3" "$1")
    echo $? >"$answer"
  fi
  [ "$(cat "$answer")" -eq 0 ]
}

# Prints how the bug was detected.
reason() {
  grep -oE 'AddressSanitizer: [a-zA-Z-]+|runtime error: [a-z ]+|both write byte|miss a barrier' \
    "$work/log" | head -n 1 | grep . || echo 'a wrong element'
}

# has_place NAME FROM TO: counts a bug with a place in the kernels. A place must not occur twice in
# a file, because the microscope plants a bug only at a unique place in a program.
has_place() {
  planted=$((planted + 1))
  twice=$(PLACE=$2 awk 'BEGIN { RS = "\001" }
    { at = index($0, ENVIRON["PLACE"]) }
    at && index(substr($0, at + 1), ENVIRON["PLACE"]) { print FILENAME }' "$folder"/*.cl)
  [ -z "$twice" ] || { echo "$1: its place is twice in $twice" && return 0; }
  case $kernels in
  *"$2"*) caught=$((caught + 1)) ;;
  *) echo "$1: has no place any more" ;;
  esac
}

# The detectors of a bug, in this order: programs, cases, races.
of_moves='test_exact 3000 0
test_exact 600 1
../../opencl/test_chain_random 5000 0
../../opencl/test_cpu_borders 2000 0
../../opencl/test_cpu_borders 600 1
test_huge 0 0'
of_maps='../../opencl/test_mapped_tensor_random 2 0
../../opencl/test_mapped_rows 0 0
../../opencl/test_mapped_packed 0 0
../../opencl/test_mapped_colors 0 0
../../opencl/test_mapped_resize 0 0'
of_indices='../../opencl/test_indexed 300 0
../../opencl/test_indexed_rules 100 0'
detectors=$of_moves

# plant NAME FROM TO
plant() {
  [ "$programs" != --places ] || { has_place "$@" && return 0; }
  [ -z "$only" ] || [ "$only" = "$1" ] || return 0
  planted=$((planted + 1))
  CLRS_MICROSCOPE_FROM=$2 CLRS_MICROSCOPE_TO=$3
  rm -f "$CLRS_MICROSCOPE_PLANTED"
  while read -r program cases races; do
    if detect "$1" "$cases" "$races" "$program"; then
      if [ ! -e "$CLRS_MICROSCOPE_PLANTED" ] || grep -q 'cannot be planted' "$work/log"; then
        echo "$1: could not be planted" && tail -n 5 "$work/log"
        return 0
      fi
      how=$(reason)
      if ! is_clean "$program" "$cases" "$races"; then
        echo "$1: $program fails without the bug" && tail -n 5 "$work/log"
        return 0
      fi
      echo "$1: caught by $program ($how)"
      caught=$((caught + 1))
      return 0
    fi
  done <<EOF
$detectors
EOF
  [ -e "$CLRS_MICROSCOPE_PLANTED" ] || echo "$1: has no place any more"
  echo "$1: SURVIVED"
}

# ---- move.cl: indices and chunks ----
plant division_forgets_to_add 'return (mul_hi(n, (count_t)divisor.magic) + n) >> divisor.shift;' \
  'return mul_hi(n, (count_t)divisor.magic) >> divisor.shift;'
plant digit_of_another_extent 'const count_t digit = *n - quotient * (count_t)extent;' \
  'const count_t digit = *n - quotient * (count_t)(extent - 1);'
plant source_steps_as_destination 'chunk.from += digit * axis.source_stride;' \
  'chunk.from += digit * axis.destination_stride;'
plant rows_of_the_grid_coincide \
  'return (count_t)get_global_id(1) * (count_t)get_global_size(0) + (count_t)get_global_id(0);' \
  'return (count_t)get_global_id(0);'
plant last_item_takes_too_many \
  'return min(first_chunk(move, work) + (count_t)move->chunks_per_item, (count_t)move->count);' \
  'return first_chunk(move, work) + (count_t)move->chunks_per_item + 1;'
plant edge_chunk_is_whole \
  'return min(axis.chunk_extent, axis.extent - chunk * axis.chunk_extent);' \
  'return axis.chunk_extent;'
plant columns_of_the_row_axis 'chunk.columns = part_of_axis(move->column, digit);' \
  'chunk.columns = part_of_axis(move->row, digit);'
plant level_forgets_its_offset '(index_t)rest * axis.stride + axis.divisor.magic);' \
  '(index_t)rest * axis.stride);'
plant last_digit_takes_the_extent '(index_t)rest * axis.stride + axis.divisor.magic);' \
  '(index_t)rest * axis.extent + axis.divisor.magic);'
plant position_of_32_bits 'chunk.to += digit * axis.destination_stride;' \
  'chunk.to += (int)(digit * axis.destination_stride);'
plant chunk_source_of_32_bits 'chunk.from += digit * axis.source_stride;' \
  'chunk.from += (int)(digit * axis.source_stride);'
plant chunk_destination_of_32_bits 'chunk.to += digit * axis.destination_stride;' \
  'chunk.to += (int)(digit * axis.destination_stride);'

# ---- lines.cl and cpu_rows.cl: lines ----
plant head_is_what_is_past 'return past == 0 ? 0 : UNITS_PER_LINE - past;' 'return past;'
plant line_reads_one_unit_on '((global const any_line_t *)(source + i))->value' \
  '((global const any_line_t *)(source + i + 1))->value'
plant line_past_the_end 'i + UNITS_PER_LINE <= count; i += UNITS_PER_LINE) {
    STORE_LINE(((global' 'i + UNITS_PER_LINE <= count + 1; i += UNITS_PER_LINE) {
    STORE_LINE(((global'
plant one_line_too_many 'i < rows.columns; i += UNITS_PER_LINE) {
      STORE_LINE(' 'i <= rows.columns; i += UNITS_PER_LINE) {
      STORE_LINE('
plant lines_though_not_whole 'rows.columns % UNITS_PER_LINE == 0) {' 'rows.columns >= UNITS_PER_LINE) {'
plant row_without_its_last_unit 'stream_run(rows.from, rows.to, rows.columns);' \
  'stream_run(rows.from, rows.to, rows.columns - 1);'
plant edge_ends_late '(from + last))->value;                                  \
    ((global part *)to)->value' \
  '(from + last + 1))->value;                                  \
    ((global part *)to)->value'

plant row_ends_late '      const type tail = ((space const part *)(from + last))->value' \
  '      const type tail = ((space const part *)(from + last + 1))->value'

plant short_rows_without_gaps 'to += to_step;' 'to += bytes;'
plant short_rows_end_late 'from += from_step;' 'from += from_step + 1;'

# ---- cpu_tile.cl, turn.cl and transpose.cl ----
plant tile_in_short_rows_though_cut \
  'tile.columns < UNITS_PER_LINE && tile.columns_before + tile.columns_behind == 0;' \
  'tile.columns < UNITS_PER_LINE;'
plant last_square_does_not_step_back \
  'const index_t column = max(min(c, stage.columns - UNITS_PER_LINE), (index_t)0);' \
  'const index_t column = c;'
plant last_band_of_lanes_does_not_step_back 'const index_t row = min(r, chunk.rows - LANE_UNITS);' \
  'const index_t row = r;'
plant narrow_square_does_not_step_back 'first + r, stage.columns - LANE_UNITS, turned' \
  'first + r, LANE_UNITS, turned'
plant staged_run_ends_late 'const index_t at = min(i, count - LANE_UNITS);
    ((any' 'const index_t at = i;
    ((any'
plant run_backwards_ends_late 'const index_t at = min(i, count - LANE_UNITS);
    global' 'const index_t at = i;
    global'
plant run_backwards_begins_before 'run - at - (LANE_UNITS - 1)' 'run - at - LANE_UNITS'
plant stage_is_too_small '((units + UNITS_PER_LINE - 1) / UNITS_PER_LINE | 1) * UNITS_PER_LINE' \
  '(units / UNITS_PER_LINE | 1) * UNITS_PER_LINE'
plant row_begins_at_a_line 'tile.columns_before == 0 ? 0 : min(' 'min('
plant row_ends_with_its_chunk \
  'tile.columns + min((index_t)units_before_line(row + tile.columns), tile.columns_behind);' \
  'tile.columns;'
plant nothing_waits_for_a_line 'is_last || waiting < head ? waiting' 'true ? waiting + 1'
plant unit_lost_between_bands \
  '((any_units_t *)turned)->value = ((any_units_t *)(turned + whole))->value;' \
  '((any_units_t *)turned)->value = ((any_units_t *)(turned + whole + 1))->value;'
plant halves_exchanged 'w[2 * i] = __builtin_shufflevector(a, b, HALF_LANES(0));' \
  'w[2 * i] = __builtin_shufflevector(a, b, HALF_LANES(LANE_UNITS / 2));'

# ---- cpu_any.cl ----
plant reversed_row_runs_forward 'STAGE_STEPS(-1)' 'STAGE_STEPS(1)'
plant steps_back_by_one_more 'STAGE_STEPS_BACK(2)' 'STAGE_STEPS_BACK(3)'
plant every_second_unit_is_every_third 'STAGE_STEPS(2)' 'STAGE_STEPS(3)'
plant planes_zipped_though_apart 'if (pixel == planes) {' 'if (true) {'
plant planes_spread_too_near 'write_short_rows(staged, planes, to, pixel, part, planes);' \
  'write_short_rows(staged, planes, to, pixel - 1, part, planes);'
plant zip_swaps_its_strides 'staged[r * count + p] = source[p * plane_stride + r * (stride)];' \
  'staged[r * count + p] = source[r * plane_stride + p * (stride)];'
plant unzip_takes_the_first_plane 'staged[p * pitch + c] = source[c * step + p];' \
  'staged[p * pitch + c] = source[c * step];'
plant planes_turned_at_the_wrong_end 'from -= is_reversed ? chunk.rows - 1 : 0;' \
  'from -= is_reversed ? chunk.rows : 0;'
plant planes_not_turned \
  'const index_t plane = is_reversed ? chunk.rows - 1 - row : row;' \
  'const index_t plane = row;'

plant repeats_in_the_first_row 'destination + row * destination_stride, part);' 'destination, part);'

# ---- cpu_short.cl ----
plant last_packed_band_does_not_step_back 'const index_t row = min(r, rows - LANE_UNITS);' \
  'const index_t row = r;'
plant last_packed_line_does_not_step_back \
  'const index_t column = max(min(c, columns - UNITS_PER_LINE), (index_t)0);' \
  'const index_t column = max(c, (index_t)0);'
plant last_narrow_lane_does_not_step_back \
  'const index_t column = max(min(c, columns - LANE_UNITS), (index_t)0);' \
  'const index_t column = max(c, (index_t)0);'
plant lines_of_fewer_rows_than_there_are 'UNIT_BITS <= 16 && r + UNITS_PER_LINE <= rows;' \
  'UNIT_BITS <= 16 && r + UNITS_PER_LINE <= rows + LANE_UNITS;'
plant steps_though_the_part_has_no_whole_ones 'chunk.columns % steps.count == 0' 'true'
plant missing_columns_are_read 'from[i] = from[columns - 1];' 'from[i] = from[columns - 1] + i;'
plant small_part_in_vectors '(columns >= UNITS_PER_LINE || has_all)' 'columns > 0'
plant rows_listed_by_the_destination 'list_units(move, CLRS_SHORT_ROWS, true, &row_axis, row_from);' \
  'list_units(move, CLRS_SHORT_ROWS, false, &row_axis, row_from);'
plant columns_of_the_first_row 'gather_runs(source + row_from[row], from + c' \
  'gather_runs(source, from + c'
plant columns_listed_by_the_destination 'in_source ? axis.source_stride : axis.destination_stride' \
  'axis.destination_stride'

# ---- shuffles.cl ----
plant shuffled_part_reaches_over_the_end \
  'const index_t start = min(lowest, highest - (LANE_UNITS - 1));' 'const index_t start = lowest;'
plant last_shuffled_lane_does_not_step_back 'staged + min(lane * LANE_UNITS, units - LANE_UNITS)' \
  'staged + lane * LANE_UNITS'
plant shuffles_of_a_whole_part_for_the_last_one \
  'shuffles.lane_count > 0 && chunk.columns == columns' 'shuffles.lane_count > 0'
plant odd_part_is_not_filled 'most > 4 ? most + most % 2 : most' 'most'
plant lane_of_more_parts_than_there_is_room_for 'parts > MOST_PARTS ? 0 : shuffles->lane_count' \
  'shuffles->lane_count'

# ---- gpu_any.cl, fill.cl and value.cl ----
plant gather_reads_where_it_writes 'destination[at.to] = source[at.from];' \
  'destination[at.to] = source[at.to];'
plant neighbour_of_the_next_step_taken_from_this_one 'k < of.left ? of.first' 'k <= of.left ? of.first'
plant last_bundle_begins_late 'const bool is_bundle = i < bundles;' 'const bool is_bundle = i <= bundles;'
plant lane_ends_one_unit_late 'if (at + part <= end) {' 'if (at + part <= end + 1) {'
plant lane_begins_before_its_row 'int at = (int)max(-first, (index_t)0);' 'int at = 0;'
plant fill_repeats_the_first_part 'return element.units[part];' 'return element.units[0];'
plant value_repeats_its_first_unit '(bit < 64 ? low : high) >> (bit % 64)' 'low'
plant fill_without_its_tail 'for (; i < count; i++) {
    destination[i] = stored_unit(value, 0);' 'for (; i + 1 < count; i++) {
    destination[i] = stored_unit(value, 0);'

# ---- blocks.cl and gpu_rows.cl ----
plant row_is_read_past_its_end 'block.left >= units_left' 'true'
plant first_block_forgets_where_the_row_begins 'if (block.before + i >= 0 && i < block.left) {
      block.to[i]' 'if (i < block.left) {
      block.to[i]'
plant block_takes_a_bit_too_many '(first >> shift) | ((second << 1) << (shift ^ 31))' \
  '(first >> shift) | ((second << 1) << (shift ^ 30))'
plant word_behind_the_block_is_always_read 'shift > 0 ? word_of(from, BLOCK_WORDS) : 0' \
  'word_of(from, BLOCK_WORDS)'
plant block_begins_with_its_row '(index_t)(row.to_number % BLOCK_UNITS)' '0'
plant word_is_read_beyond_the_end 'byte >= first && byte + 4 <= end' 'byte >= first'
plant block_loses_its_other_units 'to[i] = (uchar)((to[i] & ~known) | byte_value);' \
  'to[i] = (uchar)byte_value;'

# ---- accesses.cl and gpu_short.cl ----
plant volume_at_the_end_writes_all_of_it 'volume->written |= axis == CLRS_RUN_AXIS ? 0 : written << shift;' ''
plant run_at_the_end_writes_all_of_it '(int)written : volume->run_written' '0 : volume->run_written'
plant last_access_of_the_table_goes_on 'min(access * WIDE_UNITS, table_units - WIDE_UNITS)' \
  'access * WIDE_UNITS'
plant words_are_read_past_the_volume 'first + reads->at[k] > move->last_word_read' 'false'
plant last_block_is_read_past_its_end 'shift + 7) / 8 + BLOCK_BYTES' 'shift + 7) / 8 + 20'
plant block_behind_the_run_is_whole 'begin + WIDE_UNITS <= end' 'true'

# ---- subbyte.cl ----
plant block_of_the_last_unit_is_skipped 'if (at.first > move->span_units) {' \
  'if (at.first >= move->span_units) {'
plant digit_at_its_extent_is_taken 'if (digit >= axis.extent) {' 'if (digit > axis.extent) {'
plant byte_behind_a_block_is_touched 'store_known(&block, at.block);' \
  'store_known(&block, at.block); at.block[15] ^= 1;'
plant run_is_read_past_its_end '(bytes - more) / BLOCK_BYTES' 'bytes / BLOCK_BYTES'

# ---- cpu_subbyte.cl ----
plant end_of_another_run_is_written 'if (place < run) {
      return;
    }' ''
plant end_loses_what_no_unit_holds '(*to & ~owned) | value' 'value'
plant last_box_is_as_large_as_the_others \
  'box->extents[cut] = min(most, move->axes[first + cut].extent - digit * most);' \
  'box->extents[cut] = most;'
plant copied_run_forgets_where_its_byte_begins \
  'const uint past = (uint)(byte * UNITS_PER_BYTE - first) + before;' \
  'const uint past = (uint)(byte * UNITS_PER_BYTE - first);'
plant image_begins_at_its_byte 'images + walk.to - past);' 'images + walk.to);'

# ---- composed.cl ----
plant top_walk_begins_at_0 'source[follow_stack(move, move->first_position + unit.from)]' \
  'source[follow_stack(move, unit.from)]'
plant row_after_a_digit_wrapped 'rows = min(rows, room / (step > 0 ? step : -step) + 1);' \
  'rows = min(rows, room / (step > 0 ? step : -step) + 2);'
plant carry_the_wrong_way 'rest += carry;' 'rest -= carry;'

# ---- gpu_rows.cl and gpu_tile.cl: work-groups ----
plant reads_past_the_row 'if (row < chunk.rows && column < chunk.columns) {
        units[k]' 'if (row < chunk.rows) {
        units[k]'
plant writes_past_the_row 'if (row < chunk.rows && column < chunk.columns) {
        to[row' 'if (row < chunk.rows) {
        to[row'
plant rows_of_half_the_length 'const index_t row_shift = popcount(last_column);' \
  'const index_t row_shift = popcount(last_column) + 1;'
plant vectors_read_past_the_rows 'if (row < chunk.rows && column < chunk.columns) {
      vectors[k]' 'if (column < chunk.columns) {
      vectors[k]'
plant vectors_written_past_the_row 'if (row < chunk.rows && column * WIDTH < chunk.columns) {' \
  'if (row < chunk.rows) {'
plant twist_leaves_the_tile '(column ^ (twist & TWISTS))' '(column ^ twist)'
plant tile_without_its_barrier '    barrier(CLK_LOCAL_MEM_FENCE);
    if (WIDE_DESTINATION) {' '    if (WIDE_DESTINATION) {'
plant units_written_past_the_rows '(int)chunk.rows : 0' 'TILE_ROWS : 0'

# ---- maps ----
detectors=$of_maps
plant term_is_added_to_itself \
  'OP_##n == CLRS_OP_ADD_TERM ? compute(STEP(n), at, x, aside)' \
  'OP_##n == CLRS_OP_ADD_TERM ? compute(STEP(n), at, x, x)'
plant exact_term_is_the_value 'clrs__number term = value_of(step.type, parameter);' 'clrs__number term = number;'
plant map_pairs_of_the_next_byte 'return (uchar16)(a.even, b.odd);' 'return (uchar16)(a.even, b.even);'
plant map_halves_of_the_first_lanes 'EACH_LANE(HALF_OF, 8, 0)' 'EACH_LANE(HALF_OF, 0, 0)'
plant map_keeps_the_parameters_of_a_row 'const bool is_kept = keeps && is_staged(row, operand, stages);' \
  'const bool is_kept = keeps;'
plant map_head_behind_its_row \
  'edges.head = min((index_t)((LINE_BYTES - past) % LINE_BYTES / sizeof(TO_T)), count);' \
  'edges.head = (index_t)((LINE_BYTES - past) % LINE_BYTES / sizeof(TO_T));'
plant map_part_past_its_run \
  'part.row.count = min(move->chunk_columns, move->run - part.row.column);' \
  'part.row.count = move->chunk_columns;'
plant resampled_row_of_the_next_picture \
  'found.rows = taps + row * move->row_taps;' 'found.rows = taps + (row + 1) * move->row_taps;'
plant resampled_columns_are_the_rows \
  'found.columns = taps + move->picture_rows * move->row_taps + found.column * move->column_taps;' \
  'found.columns = taps + found.column * move->column_taps;'
plant resampled_sum_is_not_clipped '#define LINE_OF(sum) CLIP((sum) >> 22)' '#define LINE_OF(sum) ((sum) >> 22)'
plant resampled_bytes_round_down '#define HALF (1 << 15)' '#define HALF 0'
plant resampled_line_of_other_columns 'lines->columns[k] != of.columns ||' ''
plant resampled_loads_behind_the_picture '.at + ahead > last)' '.at + ahead > last + 1)'
plant resampled_row_ends_a_column_late 'picture_columns - of.column' 'picture_columns + 1 - of.column'
plant resampled_backwards_beyond_the_row '1, min(of.column + 1, count), -taps' '1, min(of.column + 2, count), -taps'
plant resampled_flip_from_color_0 'first_color = color < 0 ? colors - 1 : 0;' 'first_color = 0;'
plant colored_pixel_in_the_next_row '[stride + number]' '[stride + number + 1]'
plant colored_chroma_is_swapped '{a.of_u, b.of_u, c.of_u, 0}' '{a.of_v, b.of_v, c.of_v, 0}'
plant mixed_chroma_of_the_next_pair '[CLRS_OF_U] + at / 2' '[CLRS_OF_U] + (at + 2) / 2'
plant mixed_second_row_is_the_first 'rows + second * ROW_ROOM' 'rows'
plant picture_has_each_second_pixel_twice 'of.columns += move->column_taps' 'of.columns += 0'
plant mixed_last_pixels_are_left 'min(i, count - 2 * LANES)' 'i'
plant mixed_loads_behind_the_row 'load_seconds(from + 2 * LANES - 2).odd' 'load_seconds(from + 2 * LANES).even'
plant mixed_floats_wrap '(color < most ? color : most)' 'color'
plant grey_loads_behind_the_row 'i + LANES + 2 <= count' 'i + LANES <= count'
plant grey_backwards_is_forwards 'factors.zyx' 'factors'
plant grey_has_its_second_colour_twice 'load_steps(b + i * step, step)' 'load_steps(g + i * step, step)'
plant map_pieces_never_carry 'piece->at -= move->axes[k].extent * move->axes[k].strides[operand];' ''
plant map_pixels_zipped_once 'staged += block->count * block->length;' 'staged += block->length;'
plant map_band_of_the_next_row 'turned + r % band * stage.columns' 'turned + (r + 1) % band * stage.columns'
plant map_packed_row_over_its_gap 'to[whole] = (uchar)(bits | (to[whole] & ~mask));' \
  'to[whole] = (uchar)bits;'
plant map_group_past_its_rows 'bool is_there = row < move->rows;' 'bool is_there = true;'
plant map_group_forgets_the_row_before 'access.column -= elements_past(tensors.to_start, access.row);' ''
plant map_group_reads_the_next_number \
  'p = parameters_in(move, tensors, places, column + k);' \
  'p = parameters_in(move, tensors, places, column + k - 1);'
plant map_pixels_behind_the_last 'if (pixel_of_item(&group, k) < move->run) {' 'if (true) {'
plant map_pixels_of_the_next_colour 'const codes_at_t codes = {k % PIXELS, PIXELS};' \
  'const codes_at_t codes = {(k + 1) % PIXELS, PIXELS};'
plant map_tile_of_the_next_row 'take_up(tile, row, access, codes);' 'take_up(tile, row ^ 1, access, codes);'
plant map_tile_of_the_next_packed_code 'code_in(ELEMENT(FROM), packed, k)' 'code_in(ELEMENT(FROM), packed, k ^ 1)'
plant map_tile_of_one_known_number 'const parameters_t p = parameters_in(move, tensors, places, column + k);' \
  'const parameters_t p = parameters_in(move, tensors, places, column);'
plant map_tile_is_not_awaited 'barrier(CLK_LOCAL_MEM_FENCE);
    if (RAGGED) {' 'if (RAGGED) {'

# ---- gathers and scatters ----
detectors=$of_indices
plant place_before_the_axis 'const sum_t place = found < 0 ? 0 :' 'const sum_t place ='
plant place_behind_the_axis 'found > last ? last : found;
    outside' 'found;
    outside'
plant index_outside_is_not_skipped 'named->at[i] = SKIPPED;' ''
plant index_outside_raises_no_flag 'outside |= place ^ found;' ''
plant rows_named_past_the_chunk 'min(most, rows->count - first), step' 'most, step'
plant places_of_the_rows_before 'named_rows_t *next = &both[turn ^ 1];' 'named_rows_t *next = &both[turn];'
plant chunk_forgets_its_index 'STEP_INDEX(chunk, axis, digit);' ''
plant pieces_behind_the_last_one 'rests[p] < (count_t)move->count' 'true'
plant rest_of_another_piece 'later_if(is_here, piece.at.to, pieces[p].at.to)' 'piece.at.to'
plant rest_is_left_out 'rests |= has_rest(sides, move, pieces[p]) ? 1u << p : 0;' ''
plant block_reaches_behind_its_row 'units - before - at}' 'units - before - at + 1}'
plant digit_of_a_place_is_kept 'take_digit(&place, digit.extent, digit.divisor) * digit.stride' \
  '(index_t)place * digit.stride'

echo "$caught of $planted planted bugs $done"
[ "$caught" -eq "$planted" ] && { [ -n "$only" ] || [ "$planted" -ge 30 ]; }
