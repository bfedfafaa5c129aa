/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* lseek, isatty */

#include "npy.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "archive.h"
#include "descriptor.h"
#include "fail.h"
#include "gguf.h"
#include "npz.h"
#include "pnm.h"
#include "raw.h"
#include "safetensors.h"
#include "spool.h"

bool cli_is_standard_input(const char *path) {
  return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdin") == 0;
}

bool cli_is_standard_output(const char *path) {
  return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0;
}

/* ---- the header's bytes ---- */

/* A file that is read from byte 0, or a stream that is read from the next byte. */
typedef struct reading {
  int fd;
  bool is_stream;
} reading;

static clrs_status read_bytes(const reading *from, unsigned char *bytes, size_t size, size_t *got,
                              clrs_error *error) {
  while (*got < size) {
    const uint64_t at = *got;
    const ssize_t part =
        cli_read_some(from->fd, from->is_stream ? NULL : &at, bytes + *got, size - *got);
    if (part < 0) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT, "cannot be read (errno %d)", errno);
    }
    if (part == 0) {
      break;
    }
    *got += (size_t)part;
  }
  return CLRS_OK;
}

/* As cli_npy_prefix, for any format. Two bytes tell an image, and no .npy file is as short. */
static size_t find_prefix(const unsigned char *bytes, size_t size) {
  return size < 2                      ? 2
         : cli_pnm_begins(bytes, size) ? cli_pnm_prefix(bytes, size)
                                       : cli_npy_prefix(bytes, size);
}

/* Reads the beginning. The prefix of a file is as long as the longest header. The prefix of a
 * stream is exactly the header, so that the data stays in the stream. */
static clrs_status read_prefix(const reading *from, unsigned char *bytes, size_t *size,
                               clrs_error *error) {
  *size = 0;
  if (!from->is_stream) {
    return read_bytes(from, bytes, CLI_NPY_MAX_PREFIX, size, error);
  }
  for (size_t wanted = find_prefix(bytes, 0), before = 1; *size < wanted && *size != before;
       wanted = find_prefix(bytes, *size)) {
    before = *size;
    CLRS_TRY(read_bytes(from, bytes, wanted, size, error));
  }
  return CLRS_OK;
}

static clrs_status go_to_data(const cli_npy_file *file, clrs_error *error) {
  return lseek(file->fd, (off_t)file->header.data_offset, SEEK_SET) >= 0
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT, "cannot be read (errno %d)", errno);
}

/* Parses the header of a file of `file_size` bytes. */
static clrs_status parse_header(cli_npy_file *file, uint64_t file_size, clrs_error *error) {
  unsigned char bytes[CLI_NPY_MAX_PREFIX];
  const reading from = {file->fd, file->is_stream};
  size_t size;
  CLRS_TRY(read_prefix(&from, bytes, &size, error));
  return (cli_pnm_begins(bytes, size) ? cli_pnm_parse : cli_npy_parse)(bytes, size, file_size,
                                                                       &file->header, error);
}

static clrs_status take_raw(const cli_npy_header *raw, uint64_t file_size, cli_npy_file *file,
                            clrs_error *error) {
  file->is_raw = true;
  file->header = *raw;
  return file->is_stream ? CLRS_OK : cli_raw_check_size(raw, file_size, error);
}

static clrs_status read_header(cli_npy_file *file, const cli_npy_header *raw, clrs_error *error) {
  cli_file_info info;
  if (cli_file_look_opened(file->fd, &info) != 0 || !(file->is_stream || info.is_regular)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "not a regular file");
  }
  const uint64_t size = file->is_stream ? CLI_NPY_ANY_SIZE : info.size;
  CLRS_TRY(raw != NULL ? take_raw(raw, size, file, error) : parse_header(file, size, error));
  return file->is_stream ? CLRS_OK : go_to_data(file, error);
}

clrs_status cli_npy_finish(const cli_npy_file *file, clrs_error *error) {
  char more;
  const ssize_t got = cli_read_some(file->fd, NULL, &more, 1);
  if (got < 0) {
    return cli_fail_file(error, file->name, errno);
  }
  if (got > 0 && file->is_raw) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "%s: it goes on behind the %" PRIu64 " bytes of the type and shape of --raw",
                      file->name, file->header.data_bytes);
  }
  if (got > 0) {
    cli_complain("%s: note: what comes behind the array is not read", file->name);
  }
  return CLRS_OK;
}

/* Copies elements whose high byte is first to a spool, with the low byte first. */
static clrs_status straighten(cli_npy_file *file, clrs_error *error) {
  cli_spool_copy copy = {file->fd, -1, file->name, "a temporary file", file->header.data_bytes,
                         true};
  if (!file->header.has_high_first) {
    return CLRS_OK;
  }
  CLRS_TRY(cli_spool_open(NULL, &copy.to, error));
  clrs_status status = cli_spool_run(&copy, error);
  if (status == CLRS_OK && file->is_stream) {
    status = cli_npy_finish(file, error);
  }
  cli_npy_close(file);
  file->fd = copy.to;
  file->is_standard = file->is_stream = false;
  file->header.data_offset = 0;
  return status;
}

/* ---- opening ---- */

/* Opens standard input. A file whose position is not 0 counts as a stream, too. */
static clrs_status open_standard(cli_npy_file *file, clrs_error *error) {
  cli_file_info info;
  *file = (cli_npy_file){.fd = STDIN_FILENO, .name = "standard input", .is_standard = true};
  if (cli_file_look_opened(file->fd, &info) != 0) {
    return cli_fail_file(error, file->name, errno);
  }
  file->is_stream = !info.is_regular || lseek(file->fd, 0, SEEK_CUR) != 0;
  return isatty(file->fd) ? clrs__fail(error, CLRS_INVALID_ARGUMENT,
                                       "standard input is a terminal; '-' reads a file from a pipe "
                                       "or with <")
                          : CLRS_OK;
}

static clrs_status open_archive(const char *path, const cli_archive_name *archive,
                                cli_npy_file *file, clrs_error *error) {
  if (archive->kind == CLI_NPZ) {
    return cli_npz_extract(path, &file->fd, error);
  }
  file->is_found = true;
  return (archive->kind == CLI_GGUF ? cli_gguf_open : cli_safetensors_open)(
      path, archive, &file->fd, &file->header, error);
}

static clrs_status open_path(const char *path, bool is_raw, cli_npy_file *file, clrs_error *error) {
  cli_archive_name archive;
  *file = (cli_npy_file){.name = path};
  if (!is_raw && cli_archive_find(path, &archive)) {
    return open_archive(path, &archive, file, error);
  }
  file->fd = cli_file_open(path, true);
  return file->fd >= 0 ? CLRS_OK : cli_fail_file(error, path, errno);
}

clrs_status cli_npy_open_as(const char *path, const cli_npy_header *raw, cli_npy_file *file,
                            clrs_error *error) {
  clrs_error inner;
  cli_npy_file opened;
  CLRS_TRY(cli_is_standard_input(path) ? open_standard(&opened, error)
                                       : open_path(path, raw != NULL, &opened, error));
  clrs_status status =
      opened.is_found ? go_to_data(&opened, &inner) : read_header(&opened, raw, &inner);
  if (status != CLRS_OK) {
    cli_npy_close(&opened);
    return clrs__fail(error, status, "%s: %s", opened.name, inner.message);
  }
  status = straighten(&opened, error);
  if (status != CLRS_OK) {
    cli_npy_close(&opened);
    return status;
  }
  *file = opened;
  return CLRS_OK;
}

clrs_status cli_npy_open(const char *path, cli_npy_file *file, clrs_error *error) {
  return cli_npy_open_as(path, NULL, file, error);
}

void cli_npy_close(cli_npy_file *file) {
  if (file->fd >= 0 && !file->is_standard) {
    close(file->fd);
  }
  file->fd = -1;
}
