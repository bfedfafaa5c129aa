/*
 * The picture of a benchmark: an SVG file with one bar per case, as long as its share of the
 * copy's speed, grouped by class.
 *
 * The rows fill one column, or two once there are many; a group may go on in the next column.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report.h"

#include <string.h>

#include "text.h"

/* All in pixels. */
enum {
  ROW = 15,
  HEAD = 78,
  FOOT = 34,
  MARGIN = 20,
  LABEL = 250, /* room for ids */
  UNIT = 320,  /* length of a bar that is as fast as the copy */
  VALUE = 70,  /* room for a figure behind the longest bar */
  ROWS_OF_ONE_COLUMN = 48
};
#define MOST_FRACTION 1.5 /* longer bars are cut */

enum { COLUMN = LABEL + UNIT + UNIT / 2 + VALUE };

struct canvas {
  FILE *file;
  const bench_report *report;
  size_t slots, per_column, next; /* a slot is a row or a group's title */
};

typedef struct place {
  int x, y; /* where the bars begin, and the upper edge of the slot */
} place;

static void put_character(FILE *file, const char *text, clrs__character next) {
  switch (next.is_plain ? *text : '?') {
  case '<':
    fputs("&lt;", file);
    break;
  case '>':
    fputs("&gt;", file);
    break;
  case '&':
    fputs("&amp;", file);
    break;
  default:
    (void)fwrite(next.is_plain ? text : "?", 1, next.is_plain ? next.size : 1, file);
  }
}

static void put_escaped(FILE *file, const char *text) {
  for (size_t left = strlen(text); left > 0;) {
    const clrs__character next = clrs__character_read(text, left);
    put_character(file, text, next);
    text += next.size;
    left -= next.size;
  }
}

static void put_text(FILE *file, int x, int y, const char *class_name, const char *text) {
  fprintf(file, "<text x=\"%d\" y=\"%d\" class=\"%s\">", x, y, class_name);
  put_escaped(file, text);
  fputs("</text>\n", file);
}

static size_t count_slots(const bench_report *report) {
  size_t slots = report->count;
  for (size_t i = 0; i < report->count; i++) {
    slots += bench_is_first_of(report, i, BENCH_CLASS) ? 1 : 0;
  }
  return slots;
}

static size_t column_count(const struct canvas *canvas) {
  /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): a report has a row at least */
  return (canvas->slots + canvas->per_column - 1) / canvas->per_column;
}

static place take_slot(struct canvas *canvas) {
  const size_t column = canvas->next / canvas->per_column, row = canvas->next % canvas->per_column;
  canvas->next++;
  return (place){MARGIN + LABEL + (int)column * COLUMN, HEAD + (int)row * ROW};
}

/* Good, fair, poor: the classes' targets lie around the first two limits. */
static const char *colour_of(double fraction) {
  if (fraction >= 0.75) {
    return "good";
  }
  return fraction >= 0.4 ? "fair" : "poor";
}

static void draw_bar(struct canvas *canvas, const bench_row *row, place at) {
  const double fraction = bench_fraction(&row->result);
  const double shown = fraction < MOST_FRACTION ? fraction : MOST_FRACTION;
  const int length = (int)(shown * UNIT + 0.5);
  char figure[32];
  snprintf(figure, sizeof figure, "%.2f%s", fraction, fraction > MOST_FRACTION ? " (cut)" : "");
  fprintf(canvas->file, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" class=\"%s\"/>\n", at.x,
          at.y + 2, length, ROW - 4, colour_of(fraction));
  put_text(canvas->file, at.x + length + 4, at.y + ROW - 4, "figure", figure);
}

static void draw_row(struct canvas *canvas, const bench_row *row) {
  const place at = take_slot(canvas);
  put_text(canvas->file, at.x - 6, at.y + ROW - 4, "id", row->given->id);
  if (bench_counts(row)) {
    draw_bar(canvas, row, at);
  } else if (row->failed) {
    put_text(canvas->file, at.x + 4, at.y + ROW - 4, "bad", "did not run");
  } else if (row->result.verified) {
    put_text(canvas->file, at.x + 4, at.y + ROW - 4, "figure", "a view: no byte moves");
  } else {
    put_text(canvas->file, at.x + 4, at.y + ROW - 4, "bad", "WRONG RESULT");
  }
}

static void draw_title_of(struct canvas *canvas, const char *name) {
  const bench_summary summary = bench_summarize(canvas->report, BENCH_CLASS, name);
  const place at = take_slot(canvas);
  char title[160];
  if (summary.count > 0) {
    snprintf(title, sizeof title, "%s: geometric mean %.2f, least %.2f", name, summary.geomean,
             summary.least);
  } else {
    snprintf(title, sizeof title, "%s", strcmp(name, "none") == 0 ? "no launch" : name);
  }
  put_text(canvas->file, at.x, at.y + ROW - 4, "group", title);
}

static void draw_groups(struct canvas *canvas) {
  const bench_report *report = canvas->report;
  for (size_t i = 0; i < report->count; i++) {
    const char *name = bench_group_name(&report->rows[i], BENCH_CLASS);
    if (!bench_is_first_of(report, i, BENCH_CLASS)) {
      continue;
    }
    draw_title_of(canvas, name);
    for (size_t k = i; k < report->count; k++) {
      if (strcmp(bench_group_name(&report->rows[k], BENCH_CLASS), name) == 0) {
        draw_row(canvas, &report->rows[k]);
      }
    }
  }
}

/* Lines at quarters with their values above, or the copy's own line, which lies on top of all. */
static void draw_lines(const struct canvas *canvas, bool is_copy) {
  const size_t rows = canvas->slots < canvas->per_column ? canvas->slots : canvas->per_column;
  const int bottom = HEAD + (int)rows * ROW;
  for (size_t column = 0; column < column_count(canvas); column++) {
    for (int quarter = 0; quarter <= 6; quarter++) {
      if ((quarter == 4) != is_copy) {
        continue;
      }
      const int x = MARGIN + LABEL + (int)column * COLUMN + quarter * UNIT / 4;
      char value[16];
      snprintf(value, sizeof value, "%.2f", quarter * 0.25);
      fprintf(canvas->file, "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" class=\"%s\"/>\n", x,
              HEAD - 4, x, bottom, is_copy ? "copy" : "grid");
      put_text(canvas->file, x, HEAD - 8, "axis", is_copy ? "copy" : value);
    }
  }
}

static void draw_head(const struct canvas *canvas) {
  const bench_report *report = canvas->report;
  const bench_summary all = bench_summarize(report, BENCH_ALL, NULL);
  char line[900];
  snprintf(line, sizeof line,
           "clreshape %d.%d.%d: speed as a fraction of a plain copy of as many bytes",
           CLRS_VERSION_MAJOR, CLRS_VERSION_MINOR, CLRS_VERSION_PATCH);
  put_text(canvas->file, MARGIN, 24, "title", line);
  snprintf(line, sizeof line, "%s, %u compute units (%s, driver %s), %s", report->device.name,
           report->device.compute_units, report->device.platform, report->device.driver,
           report->date);
  put_text(canvas->file, MARGIN, 42, "under", line);
  if (all.count > 0) {
    snprintf(line, sizeof line, "%zu cases, geometric mean %.2f, least %.2f", all.count,
             all.geomean, all.least);
    put_text(canvas->file, MARGIN, 57, "under", line);
  }
}

static const char style[] =
    "<style>text{font-family:sans-serif;font-size:11px;fill:#222}.title{font-size:16px;"
    "font-weight:bold}.under{fill:#555}.id{text-anchor:end}.group{font-weight:bold}"
    ".figure{fill:#555}.axis{text-anchor:middle;fill:#777;font-size:10px}.bad{fill:#b3261e;"
    "font-weight:bold}.good{fill:#2e7d5b}.fair{fill:#e0a030}.poor{fill:#c8503c}"
    ".grid{stroke:#ddd}.copy{stroke:#111;stroke-width:1.5}</style>\n";

static void draw_key(const struct canvas *canvas, int y) {
  static const char *const keys[][2] = {
      {"good", "0.75 of the copy and more"}, {"fair", "0.40 to 0.75"}, {"poor", "below 0.40"}};
  int x = MARGIN;
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
    fprintf(canvas->file, "<rect x=\"%d\" y=\"%d\" width=\"11\" height=\"11\" class=\"%s\"/>\n", x,
            y, keys[i][0]);
    put_text(canvas->file, x + 16, y + 10, "under", keys[i][1]);
    x += 190;
  }
}

void bench_plot(FILE *file, const bench_report *report) {
  struct canvas canvas = {file, report, count_slots(report), 0, 0};
  const size_t half = (canvas.slots + 1) / 2;
  canvas.per_column = canvas.slots <= ROWS_OF_ONE_COLUMN ? canvas.slots : half;
  const int width = 2 * MARGIN + (int)column_count(&canvas) * COLUMN;
  const int height = HEAD + (int)canvas.per_column * ROW + FOOT;
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- SPDX-License-Identifier: Apache-2.0 "
        "-->\n",
        file);
  fprintf(file,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
          "viewBox=\"0 0 %d %d\">\n",
          width, height, width, height);
  fputs(style, file);
  fprintf(file, "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", width, height);
  draw_head(&canvas);
  draw_lines(&canvas, false);
  draw_groups(&canvas);
  draw_lines(&canvas, true);
  draw_key(&canvas, height - FOOT + 12);
  fputs("</svg>\n", file);
}
