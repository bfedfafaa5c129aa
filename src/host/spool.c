/* SPDX-License-Identifier: Apache-2.0 */
#include "spool.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "descriptor.h"
#include "fail.h"
#include "temporary.h"

/* ---- where ---- */

typedef struct folder_path {
  char text[CLI_PATH_BYTES];
} folder_path;

static bool find_folder(const char *near, folder_path *folder) {
  if (near == NULL) {
    return cli_folder_of_temporary(folder->text, sizeof folder->text);
  }
  const size_t length = cli_folder_length(near);
  const int used = snprintf(folder->text, sizeof folder->text, "%.*s", length > 0 ? (int)length : 2,
                            length > 0 ? near : "./");
  return used >= 0 && (size_t)used < sizeof folder->text;
}

/* If the file system does not support files without a name, the file has a name for a moment. */
static int open_named(const char *folder) {
  cli_temporary *temporary = cli_temporary_name(folder);
  if (temporary == NULL) {
    errno = ENOMEM;
    return -1;
  }
  cli_signals_hold();
  const int fd = cli_temporary_create(temporary);
  const int code = errno;
  cli_temporary_free(temporary);
  cli_signals_release();
  errno = code;
  return fd;
}

clrs_status cli_spool_open(const char *near, int *fd, clrs_error *error) {
  folder_path folder;
  if (!find_folder(near, &folder)) {
    return cli_fail_file(error, near != NULL ? near : "TMPDIR", ENAMETOOLONG);
  }
  int opened = cli_file_create_nameless(folder.text, true);
  if (opened < 0) {
    opened = open_named(folder.text);
  }
  if (opened < 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "a temporary file in %s: %s", folder.text,
                      strerror(errno));
  }
  *fd = opened;
  return CLRS_OK;
}

/* ---- copying ---- */

enum { CHUNK_BYTES = 1 << 20 };

static clrs_status read_chunk(const cli_spool_copy *copy, char *bytes, size_t size,
                              clrs_error *error) {
  for (size_t done = 0; done < size;) {
    const ssize_t got = cli_read_some(copy->from, NULL, bytes + done, size - done);
    if (got < 0) {
      return cli_fail_file(error, copy->from_path, errno);
    }
    if (got == 0) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s: truncated: it ends before its data does",
                        copy->from_path);
    }
    done += (size_t)got;
  }
  return CLRS_OK;
}

static void swap(char *bytes, size_t size) {
  for (size_t i = 0; i + 1 < size; i += 2) {
    const char first = bytes[i];
    bytes[i] = bytes[i + 1];
    bytes[i + 1] = first;
  }
}

static clrs_status copy_through(const cli_spool_copy *copy, char *bytes, clrs_error *error) {
  for (uint64_t left = copy->size; left > 0;) {
    const size_t size = left < CHUNK_BYTES ? (size_t)left : CHUNK_BYTES;
    CLRS_TRY(read_chunk(copy, bytes, size, error));
    swap(bytes, copy->swaps ? size : 0);
    CLRS_TRY(cli_write_all(copy->to, copy->to_path, bytes, size, error));
    left -= size;
  }
  return CLRS_OK;
}

clrs_status cli_spool_run(const cli_spool_copy *copy, clrs_error *error) {
  char *bytes = malloc(CHUNK_BYTES);
  if (bytes == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  const clrs_status status = copy_through(copy, bytes, error);
  free(bytes);
  return status;
}
