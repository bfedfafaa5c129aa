/*
 * Reading a whole file, once its size is known to be acceptable, and parsing it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "onnx_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fail.h"
#include "onnx_wire.h"

typedef struct contents {
  uint8_t *bytes;
  size_t size;
} contents;

static clrs_status measure(int fd, const char *path, size_t *size, clrs_error *error) {
  struct stat info;
  if (fstat(fd, &info) != 0)
    return cli_fail_file(error, path, errno);
  if (!S_ISREG(info.st_mode))
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s: not a regular file", path);
  if (info.st_size > ONNX_MAX_FILE)
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "%s: %lld bytes; a protobuf message has fewer than 2 GiB", path,
                      (long long)info.st_size);
  *size = (size_t)info.st_size;
  return CLRS_OK;
}

static clrs_status read_all(int fd, const char *path, const contents *file, clrs_error *error) {
  for (size_t have = 0; have < file->size;) {
    ssize_t got = read(fd, file->bytes + have, file->size - have);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return cli_fail_file(error, path, errno);
    if (got == 0)
      return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s: became shorter while it was read", path);
    have += (size_t)got;
  }
  return CLRS_OK;
}

static clrs_status read_descriptor(int fd, const char *path, contents *file, clrs_error *error) {
  CLRS_TRY(measure(fd, path, &file->size, error));
  file->bytes = malloc(file->size + 1);
  if (file->bytes == NULL)
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "%s: no memory for %zu bytes", path, file->size);
  clrs_status status = read_all(fd, path, file, error);
  if (status != CLRS_OK)
    free(file->bytes);
  return status;
}

static clrs_status read_contents(const char *path, contents *file, clrs_error *error) {
  /* O_NONBLOCK: opening a FIFO must not wait for a writer; it is refused anyway. */
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return cli_fail_file(error, path, errno);
  clrs_status status = read_descriptor(fd, path, file, error);
  close(fd);
  return status;
}

/* ---- memory: protobuf-c makes up to 100 bytes of 2, so a file says how much it may take ---- */

typedef struct budget {
  size_t left;
  bool spent;
} budget;

static budget budget_of(size_t file_size) {
  const size_t free_bytes = 1U << 20;
  const size_t over = file_size > free_bytes ? file_size - free_bytes : 0;
  return (budget){ONNX_MEMORY + over * ONNX_MEMORY_PER_BYTE, false};
}

/* What is freed on the way does not come back: it is little, and a block does not know its size. */
static void *budget_take(void *data, size_t size) {
  budget *from = data;
  const size_t with_head = size + 16;
  if (with_head > from->left) {
    from->spent = true;
    return NULL;
  }
  from->left -= with_head;
  return malloc(size);
}

static void budget_free(void *data, void *block) {
  (void)data;
  free(block);
}

static clrs_status parse(const contents *file, const ProtobufCMessageDescriptor *type,
                         ProtobufCMessage **message, size_t *left, clrs_error *error) {
  budget memory = budget_of(file->size);
  const size_t allowed = memory.left;
  ProtobufCAllocator allocator = {budget_take, budget_free, &memory};
  CLRS_TRY(onnx_wire_check(type, file->bytes, file->size, error));
  *message = protobuf_c_message_unpack(type, &allocator, file->size, file->bytes);
  if (*message == NULL && memory.spent)
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "so many fields in %zu bytes would take more than %zu bytes of memory",
                      file->size, allowed);
  if (*message == NULL)
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "a field has the wrong wire type or memory ran out");
  *left = memory.left + file->size; /* which is about to be freed */
  return CLRS_OK;
}

clrs_status onnx_file_read(const char *path, const ProtobufCMessageDescriptor *type,
                           ProtobufCMessage **message, size_t *left, clrs_error *error) {
  contents file = {NULL, 0};
  size_t memory = 0;
  clrs_error inner;
  CLRS_TRY(read_contents(path, &file, error));
  clrs_status status = parse(&file, type, message, &memory, &inner);
  free(file.bytes);
  if (status != CLRS_OK)
    return clrs__fail(error, status, "%s: not a %s: %s", path, type->short_name, inner.message);
  if (left != NULL)
    *left = memory;
  return CLRS_OK;
}
