/* SPDX-License-Identifier: Apache-2.0 */
#include "npz.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef CLRS_WITH_LIBZIP
#include <zip.h>
#endif

#include "archive.h"
#include "crc.h"
#include "descriptor.h"
#include "fail.h"
#include "npy_header.h"
#include "spool.h"
#include "text.h"
#include "zip_write.h"

enum { CHUNK_BYTES = 1 << 16, MOST_NAME = CLI_ZIP_MOST_NAME };

static bool ends_as_array(const char *name, size_t bytes) {
  return bytes >= 4 && memcmp(name + bytes - 4, ".npy", 4) == 0;
}

/* ---- which member ---- */

/* An array in an open archive. */
typedef struct member {
  const char *name; /* for messages */
  cli_zip archive;
  const cli_zip_entry *entry;
} member;

static bool is_array(const cli_zip_entry *entry) {
  return ends_as_array(entry->name, entry->name_bytes);
}

static size_t count_arrays(const cli_zip *archive) {
  size_t count = 0;
  for (size_t i = 0; i < archive->count; i++) {
    count += is_array(&archive->entries[i]);
  }
  return count;
}

/* Lists the arrays of the archive in the message. */
static clrs_status fail_choice(const member *of, const char *rule, clrs_error *error) {
  const cli_zip *archive = &of->archive;
  const size_t count = count_arrays(archive);
  clrs__describe(error, CLRS_INVALID_ARGUMENT, "%s: %s; it has %zu arrays",
                 clrs__show(of->name).text, rule, count);
  for (size_t i = 0, shown = 0; i < archive->count && shown < 8; i++) {
    const cli_zip_entry *entry = &archive->entries[i];
    if (is_array(entry)) {
      clrs__append(error, "%s%s", shown++ > 0 ? ", " : ": ",
                   clrs__show_part(entry->name, entry->name_bytes).text);
    }
  }
  clrs__append(error, "%s", count > 8 ? ", ..." : "");
  return CLRS_INVALID_ARGUMENT;
}

static bool have_one_name(const cli_zip_entry *a, const cli_zip_entry *b) {
  return a->name_bytes == b->name_bytes && memcmp(a->name, b->name, a->name_bytes) == 0;
}

/* Returns the last array if all arrays have the same name, or NULL. If the archive has a single
 * member, the member may have any name. */
static const cli_zip_entry *find_only(const cli_zip *archive) {
  const cli_zip_entry *found = archive->count == 1 ? archive->entries : NULL;
  for (size_t i = archive->count; i-- > 0;) {
    const cli_zip_entry *entry = &archive->entries[i];
    if (is_array(entry) && found != NULL && !have_one_name(entry, found)) {
      return NULL;
    }
    found = is_array(entry) && found == NULL ? entry : found;
  }
  return found;
}

static const cli_zip_entry *find_named(const cli_zip *archive, const char *name) {
  char file[MOST_NAME];
  const cli_zip_entry *found = cli_zip_find(archive, name);
  if (found == NULL && strlen(name) + sizeof ".npy" <= sizeof file) {
    snprintf(file, sizeof file, "%s.npy", name);
    found = cli_zip_find(archive, file);
  }
  return found;
}

static clrs_status choose(member *of, const char *name, clrs_error *error) {
  of->entry = name != NULL ? find_named(&of->archive, name) : find_only(&of->archive);
  return of->entry != NULL ? CLRS_OK
                           : fail_choice(of,
                                         name != NULL ? "there is no array of that name"
                                                      : "name one array, as in A.npz:name",
                                         error);
}

/* ---- what comes out of it ---- */

static clrs_status fail_member(const member *of, const char *why, clrs_error *error) {
  return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s: %s", of->name, why);
}

/* The state of copying an array to a spool. */
typedef struct taking {
  const member *of;
  int spool;
  char *chunk;
  uint64_t wanted, done; /* bytes */
} taking;

/* Checks the header against the member's size before anything is written. A small archive may claim
 * to hold more bytes than any disk. */
static clrs_status read_header(taking *to, size_t size, clrs_error *error) {
  cli_npy_header *header = malloc(sizeof *header);
  clrs_error inner;
  if (header == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  const clrs_status status = cli_npy_parse(to->chunk, size, to->of->entry->size, header, &inner);
  if (status == CLRS_OK) {
    to->wanted = header->data_offset + header->data_bytes;
    cli_npy_note(to->of->name, header);
  }
  free(header);
  return status == CLRS_OK ? CLRS_OK
                           : clrs__fail(error, status, "%s: %s", to->of->name, inner.message);
}

/* Takes the next `size` bytes from the chunk. The first chunk holds the whole header. */
static clrs_status take(taking *to, size_t size, clrs_error *error) {
  if (to->done == 0) {
    CLRS_TRY(read_header(to, size, error));
  }
  const uint64_t left = to->wanted - to->done;
  if (size > left && to->wanted == to->of->entry->size) {
    return fail_member(to->of, "it is longer than it says", error);
  }
  size = size < left ? size : (size_t)left;
  to->done += size;
  return cli_write_all(to->spool, "a temporary file", to->chunk, size, error);
}

/* ---- stored ---- */

/* Checks the checksum, which covers all bytes of the member, also bytes behind the array. */
static clrs_status check_sum(const member *of, uint64_t at, char *chunk, clrs_error *error) {
  cli_crc crc;
  cli_crc_start(&crc);
  for (uint64_t done = 0; done < of->entry->size;) {
    const uint64_t left = of->entry->size - done, from = at + done;
    const ssize_t got = cli_read_some(of->archive.fd, &from, chunk,
                                      left < CHUNK_BYTES ? (size_t)left : CHUNK_BYTES);
    if (got <= 0) {
      return got < 0 ? cli_fail_file(error, of->name, errno) : fail_member(of, "truncated", error);
    }
    cli_crc_add(&crc, chunk, (size_t)got);
    done += (uint64_t)got;
  }
  return cli_crc_of(&crc) == of->entry->crc
             ? CLRS_OK
             : fail_member(of, "damaged: its checksum is another", error);
}

static clrs_status take_stored(taking *to, clrs_error *error) {
  const member *of = to->of;
  uint64_t at = 0;
  CLRS_TRY(cli_zip_content(&of->archive, of->entry, &at, error));
  if (of->entry->packed != of->entry->size) {
    return fail_member(of, "damaged: it is stored and has two sizes", error);
  }
  CLRS_TRY(check_sum(of, at, to->chunk, error));
  to->wanted = of->entry->size; /* until the header is read */
  do {
    const uint64_t left = of->entry->size - to->done, from = at + to->done;
    const ssize_t got = cli_read_some(of->archive.fd, &from, to->chunk,
                                      left < CHUNK_BYTES ? (size_t)left : CHUNK_BYTES);
    if (got < 0) {
      return cli_fail_file(error, of->name, errno);
    }
    CLRS_TRY(take(to, (size_t)got, error));
    if (got == 0) {
      break;
    }
  } while (to->done < to->wanted);
  return to->done == to->wanted ? CLRS_OK : fail_member(of, "truncated", error);
}

/* ---- packed ---- */

#ifdef CLRS_WITH_LIBZIP

/* libzip checks the sum when a read reaches the end. */
static clrs_status unpack(taking *to, zip_file_t *file, clrs_error *error) {
  zip_int64_t got;
  do {
    got = zip_fread(file, to->chunk, CHUNK_BYTES);
    if (got < 0) {
      return fail_member(to->of, zip_error_strerror(zip_file_get_error(file)), error);
    }
    CLRS_TRY(take(to, (size_t)got, error));
  } while (got > 0 && (to->done < to->wanted || to->wanted == to->of->entry->size));
  return to->done == to->wanted ? CLRS_OK : fail_member(to->of, "truncated", error);
}

static clrs_status unpack_from(taking *to, zip_t *archive, clrs_error *error) {
  const uint64_t index = (uint64_t)(to->of->entry - to->of->archive.entries);
  zip_file_t *file = zip_fopen_index(archive, index, 0);
  if (file == NULL) {
    return fail_member(to->of, zip_strerror(archive), error);
  }
  const clrs_status status = unpack(to, file, error);
  zip_fclose(file);
  return status;
}

static clrs_status take_packed(taking *to, clrs_error *error) {
  int code = 0;
  const int fd = dup(to->of->archive.fd);
  zip_t *archive = fd >= 0 ? zip_fdopen(fd, 0, &code) : NULL;
  if (archive == NULL) {
    zip_error_t why;
    if (fd < 0) {
      return cli_fail_file(error, to->of->name, errno);
    }
    close(fd);
    zip_error_init_with_code(&why, code);
    const clrs_status status = fail_member(to->of, zip_error_strerror(&why), error);
    zip_error_fini(&why);
    return status;
  }
  const clrs_status status = unpack_from(to, archive, error);
  zip_discard(archive);
  return status;
}

#else

static clrs_status take_packed(taking *to, clrs_error *error) {
  return clrs__fail(
      error, CLRS_UNSUPPORTED,
      "%s: it is packed, and this program was built without libzip, which unpacks (Debian: install "
      "libzip-dev and build again); NumPy and unzip make .npy files of it",
      to->of->name);
}

#endif

/* ---- reading ---- */

static clrs_status take_to(const member *of, int spool, clrs_error *error) {
  taking to = {.of = of, .spool = spool, .chunk = malloc(CHUNK_BYTES)};
  if (to.chunk == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  const clrs_status status =
      of->entry->method == CLI_ZIP_STORED ? take_stored(&to, error) : take_packed(&to, error);
  free(to.chunk);
  return status;
}

static clrs_status extract(member *of, const char *name, int *fd, clrs_error *error) {
  int spool = -1;
  CLRS_TRY(choose(of, name, error));
  if ((of->entry->flags & CLI_ZIP_ENCRYPTED) != 0) {
    return clrs__fail(error, CLRS_UNSUPPORTED, "%s: it is encrypted", of->name);
  }
  CLRS_TRY(cli_spool_open(NULL, &spool, error));
  const clrs_status status = take_to(of, spool, error);
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
  CLRS_TRY(cli_zip_open(of.path, &chosen.archive, error));
  const clrs_status status = extract(&chosen, of.member, fd, error);
  cli_zip_close(&chosen.archive);
  return status;
}

clrs_status cli_npz_list(const char *path, cli_names *names, clrs_error *error) {
  cli_zip archive;
  clrs_status status = cli_zip_open(path, &archive, error);
  if (status != CLRS_OK) {
    return status;
  }
  for (size_t i = 0; i < archive.count && status == CLRS_OK; i++) {
    const cli_zip_entry *entry = &archive.entries[i];
    if (is_array(entry)) {
      status = cli_names_add(names, path, entry->name, entry->name_bytes - 4, error);
    }
  }
  cli_zip_close(&archive);
  return status;
}

/* ---- writing ---- */

static clrs_status name_member(const cli_archive_made *made, size_t index, char file[MOST_NAME],
                               clrs_error *error) {
  const char *given = made->arrays[index].name, *name = given != NULL ? given : "arr_0";
  const size_t length = strlen(name);
  if (length + sizeof ".npy" > MOST_NAME) {
    return cli_fail_file(error, made->path, ENAMETOOLONG);
  }
  snprintf(file, MOST_NAME, "%s%s", name, ends_as_array(name, length) ? "" : ".npy");
  return CLRS_OK;
}

clrs_status cli_npz_write(const cli_archive_made *made, clrs_error *error) {
  cli_zip_member *members = calloc(made->count, sizeof *members + MOST_NAME);
  clrs_status status = CLRS_OK;
  CLRS_TRY_MEMORY(members, error, "out of memory");
  char *names = (char *)(members + made->count);
  for (size_t i = 0; i < made->count && status == CLRS_OK; i++) {
    members[i].name = names + i * MOST_NAME;
    members[i].size = made->arrays[i].size;
    status = name_member(made, i, names + i * MOST_NAME, error);
  }
  if (status == CLRS_OK) {
    status = cli_zip_write(made, members, error);
  }
  free(members);
  return status;
}

clrs_status cli_npz_check_kept(const char *path, uint64_t *bytes, clrs_error *error) {
  cli_zip archive;
  CLRS_TRY(cli_zip_open(path, &archive, error));
  *bytes = archive.directory_at + archive.directory_bytes;
  cli_zip_close(&archive);
  return CLRS_OK;
}
