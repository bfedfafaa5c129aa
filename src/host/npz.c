/* SPDX-License-Identifier: Apache-2.0 */
#include "npz.h"

#include "fail.h"

#ifndef CLRS_WITH_LIBZIP

clrs_status cli_npz_check(const char *path, clrs_error *error) {
  return clrs__fail(
      error, CLRS_UNSUPPORTED,
      "%s: this program was built without libzip, which reads and writes .npz (Debian: "
      "install libzip-dev and build again); NumPy and unzip make .npy files of it",
      path);
}

clrs_status cli_npz_extract(const char *name, int *fd, clrs_error *error) {
  (void)fd;
  return cli_npz_check(name, error);
}

clrs_status cli_npz_write(const cli_npz_array *made, clrs_error *error) {
  return cli_npz_check(made->path, error);
}

#else

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#include "archive.h"
#include "descriptor.h"
#include "npy_header.h"
#include "spool.h"
#include "text.h"

enum { CHUNK_BYTES = 1 << 16, MOST_NAME = 1000 };

clrs_status cli_npz_check(const char *path, clrs_error *error) {
  (void)path;
  (void)error;
  return CLRS_OK;
}

static clrs_status fail_zip(clrs_error *error, const char *path, zip_error_t *why) {
  const clrs_status status =
      clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s: %s", path, zip_error_strerror(why));
  zip_error_fini(why);
  return status;
}

/* With ".npy" behind it, unless it has that. */
static bool name_file(const char *name, char file[MOST_NAME]) {
  const size_t length = strlen(name);
  const bool has_ending = length > 4 && strcmp(name + length - 4, ".npy") == 0;
  return length + sizeof ".npy" <= MOST_NAME &&
         snprintf(file, MOST_NAME, "%s%s", name, has_ending ? "" : ".npy") > 0;
}

/* ---- reading ---- */

/* An array in an archive that is open. */
typedef struct member {
  const char *name; /* for messages */
  zip_t *archive;
  zip_uint64_t index;
  uint64_t size;
} member;

/* Opening a pipe must not wait for a writer only to be refused. */
static clrs_status open_archive(const char *path, zip_t **archive, clrs_error *error) {
  struct stat info;
  zip_error_t why;
  int code = 0;
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    return cli_fail_file(error, path, errno);
  }
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    close(fd);
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s: not a regular file", path);
  }
  *archive = zip_fdopen(fd, 0, &code);
  if (*archive == NULL) {
    close(fd);
    zip_error_init_with_code(&why, code);
    return fail_zip(error, path, &why);
  }
  return CLRS_OK;
}

/* Which there are, for a message. */
static clrs_status fail_choice(const member *of, const char *rule, clrs_error *error) {
  const zip_int64_t count = zip_get_num_entries(of->archive, 0);
  clrs__describe(error, CLRS_INVALID_ARGUMENT, "%s: %s; it has %" PRId64 " arrays",
                 clrs__show(of->name).text, rule, (int64_t)count);
  for (zip_int64_t i = 0; i < count && i < 8; i++) {
    clrs__append(error, "%s%s", i > 0 ? ", " : ": ",
                 clrs__show(zip_get_name(of->archive, (zip_uint64_t)i, 0)).text);
  }
  clrs__append(error, "%s", count > 8 ? ", ..." : "");
  return CLRS_INVALID_ARGUMENT;
}

static clrs_status choose(member *of, const char *name, clrs_error *error) {
  char file[MOST_NAME];
  zip_int64_t found = -1;
  if (name == NULL) {
    if (zip_get_num_entries(of->archive, 0) != 1) {
      return fail_choice(of, "name one array, as in A.npz:name", error);
    }
    of->index = 0;
    return CLRS_OK;
  }
  if (name_file(name, file)) {
    found = zip_name_locate(of->archive, file, 0);
  }
  of->index = (zip_uint64_t)found;
  return found >= 0 ? CLRS_OK : fail_choice(of, "there is no array of that name", error);
}

static clrs_status measure(member *of, clrs_error *error) {
  zip_stat_t info;
  if (zip_stat_index(of->archive, of->index, 0, &info) != 0 || (info.valid & ZIP_STAT_SIZE) == 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s: its size is not known", of->name);
  }
  if ((info.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && info.encryption_method != ZIP_EM_NONE) {
    return clrs__fail(error, CLRS_UNSUPPORTED, "%s: it is encrypted", of->name);
  }
  of->size = info.size;
  return CLRS_OK;
}

static clrs_status fail_read(const member *of, zip_file_t *file, clrs_error *error) {
  return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s: %s", of->name,
                    zip_error_strerror(zip_file_get_error(file)));
}

/* The header has to go with the size before all is written: an archive of some bytes may claim to
 * hold more than any disk. */
static clrs_status check_header(const member *of, const char *bytes, size_t size,
                                clrs_error *error) {
  cli_npy_header *header = malloc(sizeof *header);
  clrs_error inner;
  if (header == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  const clrs_status status = cli_npy_parse(bytes, size, of->size, header, &inner);
  free(header);
  return status == CLRS_OK ? CLRS_OK : clrs__fail(error, status, "%s: %s", of->name, inner.message);
}

/* A read that meets the end checks the sum of all, so there is one more than there are bytes. The
 * first has all of the header. */
static clrs_status copy_member(const member *of, zip_file_t *file, char *bytes, int fd,
                               clrs_error *error) {
  uint64_t done = 0;
  for (zip_int64_t got = 1; got > 0; done += (uint64_t)got) {
    got = zip_fread(file, bytes, CHUNK_BYTES);
    if (got < 0) {
      return fail_read(of, file, error);
    }
    if (done == 0) {
      CLRS_TRY(check_header(of, bytes, (size_t)got, error));
    }
    if ((uint64_t)got > of->size - done) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s: it is longer than it says", of->name);
    }
    CLRS_TRY(cli_write_all(fd, "a temporary file", bytes, (size_t)got, error));
  }
  return done == of->size ? CLRS_OK
                          : clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s: truncated", of->name);
}

static clrs_status extract_to(const member *of, int fd, clrs_error *error) {
  char *bytes = malloc(CHUNK_BYTES);
  zip_file_t *file = bytes != NULL ? zip_fopen_index(of->archive, of->index, 0) : NULL;
  clrs_status status;
  if (bytes == NULL) {
    status = clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  } else if (file == NULL) {
    status =
        clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s: %s", of->name, zip_strerror(of->archive));
  } else {
    status = copy_member(of, file, bytes, fd, error);
    zip_fclose(file);
  }
  free(bytes);
  return status;
}

static clrs_status extract(member *of, const char *name, int *fd, clrs_error *error) {
  int spool = -1;
  CLRS_TRY(choose(of, name, error));
  CLRS_TRY(measure(of, error));
  CLRS_TRY(cli_spool_open(NULL, &spool, error));
  const clrs_status status = extract_to(of, spool, error);
  if (status != CLRS_OK) {
    close(spool);
    return status;
  }
  *fd = spool;
  return CLRS_OK;
}

clrs_status cli_npz_extract(const char *name, int *fd, clrs_error *error) {
  cli_archive_name of;
  member chosen = {.name = name};
  if (!cli_archive_find(name, &of)) {
    return cli_fail_file(error, name, ENAMETOOLONG);
  }
  CLRS_TRY(open_archive(of.path, &chosen.archive, error));
  const clrs_status status = extract(&chosen, of.member, fd, error);
  zip_discard(chosen.archive);
  return status;
}

/* ---- writing ----
 * libzip writes to a path by way of a temporary file of its own, which a signal would leave. So it
 * writes through these commands, to the file that is there.
 */

/* Where the next byte goes is known here: libzip 1.7 loses a descriptor if it is asked and fails.
 */
typedef struct target {
  int fd;
  uint64_t at, end;
  zip_error_t error;
} target;

static zip_int64_t fail_target(target *to, int code) {
  zip_error_set(&to->error, ZIP_ER_WRITE, code);
  return -1;
}

static zip_int64_t write_target(target *to, const void *bytes, zip_uint64_t size) {
  if (cli_write_all(to->fd, "a temporary file", bytes, (size_t)size, NULL) != CLRS_OK) {
    return fail_target(to, errno);
  }
  to->at += size;
  to->end = to->at > to->end ? to->at : to->end;
  return (zip_int64_t)size;
}

static zip_int64_t seek_target(target *to, void *data, zip_uint64_t size) {
  const zip_int64_t at = zip_source_seek_compute_offset(to->at, to->end, data, size, &to->error);
  if (at < 0) {
    return -1;
  }
  if (lseek(to->fd, (off_t)at, SEEK_SET) < 0) {
    return fail_target(to, errno);
  }
  to->at = (uint64_t)at;
  return 0;
}

/* There is nothing to be read: the archive is new. */
static zip_int64_t command(void *user_data, void *data, zip_uint64_t size, zip_source_cmd_t asked) {
  target *to = user_data;
  switch (asked) {
  case ZIP_SOURCE_SUPPORTS:
    return ZIP_SOURCE_SUPPORTS_WRITABLE;
  case ZIP_SOURCE_WRITE:
    return write_target(to, data, size);
  case ZIP_SOURCE_SEEK_WRITE:
    return seek_target(to, data, size);
  case ZIP_SOURCE_TELL_WRITE:
    return (zip_int64_t)to->at;
  case ZIP_SOURCE_ERROR:
    return zip_error_to_data(&to->error, data, size);
  case ZIP_SOURCE_BEGIN_WRITE:
  case ZIP_SOURCE_COMMIT_WRITE:
  case ZIP_SOURCE_ROLLBACK_WRITE:
  case ZIP_SOURCE_REMOVE:
  case ZIP_SOURCE_CLOSE:
  case ZIP_SOURCE_FREE:
    return 0;
  default:
    zip_error_set(&to->error, ZIP_ER_READ, ENOENT);
    return -1;
  }
}

/* From its first byte on. The archive has the source from then on. */
static zip_source_t *open_array(zip_t *archive, int array) {
  const int fd = lseek(array, 0, SEEK_SET) == 0 ? dup(array) : -1;
  FILE *file = fd >= 0 ? fdopen(fd, "rb") : NULL;
  zip_source_t *source = file != NULL ? zip_source_filep(archive, file, 0, -1) : NULL;
  if (source == NULL && file != NULL) {
    fclose(file);
  } else if (file == NULL && fd >= 0) {
    close(fd);
  }
  return source;
}

static clrs_status add_array(zip_t *archive, const cli_npz_array *made, clrs_error *error) {
  char file[MOST_NAME];
  if (!name_file(made->name != NULL ? made->name : "arr_0", file)) {
    return cli_fail_file(error, made->path, ENAMETOOLONG);
  }
  zip_source_t *source = open_array(archive, made->array);
  const zip_int64_t index =
      source != NULL ? zip_file_add(archive, file, source, ZIP_FL_ENC_UTF_8) : -1;
  if (index < 0 || zip_set_file_compression(archive, (zip_uint64_t)index, ZIP_CM_STORE, 0) != 0) {
    if (index < 0 && source != NULL) {
      zip_source_free(source);
    }
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s: %s", made->path, zip_strerror(archive));
  }
  return CLRS_OK;
}

static clrs_status write_archive(target *to, const cli_npz_array *made, clrs_error *error) {
  zip_error_t why;
  zip_error_init(&why);
  zip_source_t *source = zip_source_function_create(command, to, &why);
  zip_t *archive = source != NULL ? zip_open_from_source(source, ZIP_CREATE, &why) : NULL;
  if (archive == NULL) {
    zip_source_free(source);
    return fail_zip(error, made->path, &why);
  }
  zip_error_fini(&why);
  const clrs_status status = add_array(archive, made, error);
  if (status != CLRS_OK || zip_close(archive) == 0) {
    if (status != CLRS_OK) {
      zip_discard(archive);
    }
    return status;
  }
  clrs__describe(error, CLRS_INVALID_ARGUMENT, "%s: %s", made->path, zip_strerror(archive));
  zip_discard(archive);
  return CLRS_INVALID_ARGUMENT;
}

clrs_status cli_npz_write(const cli_npz_array *made, clrs_error *error) {
  target to = {.fd = made->archive};
  zip_error_init(&to.error);
  const clrs_status status = write_archive(&to, made, error);
  zip_error_fini(&to.error);
  return status;
}

#endif
