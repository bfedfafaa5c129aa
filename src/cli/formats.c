/* SPDX-License-Identifier: Apache-2.0 */
#include "formats.h"

#include <string.h>

#include "fail.h"
#include "pnm.h"
#include "raw.h"
#include "safetensors.h"
#include "text.h"

static clrs_status check_npy(const cli_npy_type *type, const clrs_shape *shape, clrs_error *error) {
  (void)shape;
  return cli_raw_check_npy(type, error);
}

static clrs_status refuse_gguf(const cli_npy_type *type, const clrs_shape *shape,
                               clrs_error *error) {
  (void)type, (void)shape;
  return clrs__fail(error, CLRS_UNSUPPORTED, "GGUF files are read, and not written");
}

static const cli_format formats[] = {
    {"npy", ".npy", check_npy, cli_npy_format, false},
    {"raw", NULL, NULL, NULL, false},
    {"pgm", ".pgm", cli_pgm_check, cli_pnm_format, true},
    {"ppm", ".ppm", cli_ppm_check, cli_pnm_format, true},
    {NULL, ".safetensors", cli_safetensors_check, NULL, false},
    {NULL, ".gguf", refuse_gguf, NULL, false},
};

enum { FORMATS = sizeof formats / sizeof formats[0] };

clrs_status cli_format_parse(const char *name, const cli_format **format, clrs_error *error) {
  for (size_t i = 0; i < FORMATS; i++) {
    if (formats[i].name != NULL && strcmp(name, formats[i].name) == 0) {
      *format = &formats[i];
      return CLRS_OK;
    }
  }
  return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                    "unknown format '%s'; known are npy, raw, pgm and ppm", clrs__show(name).text);
}

const cli_format *cli_format_of(const char *path) {
  cli_archive_name archive;
  path = cli_archive_find(path, &archive) ? archive.path : path;
  const size_t length = strlen(path);
  for (size_t i = 0; i < FORMATS; i++) {
    const char *ending = formats[i].ending;
    const size_t size = ending != NULL ? strlen(ending) : 0;
    if (size > 0 && length >= size && strcmp(path + length - size, ending) == 0) {
      return &formats[i];
    }
  }
  return NULL;
}

const cli_format *cli_format_npy(void) {
  return &formats[0];
}
