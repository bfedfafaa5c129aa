/*
 * The embedded kernels must equal the files of kernels/, all files, byte for byte. The folder is
 * the only argument.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <dirent.h>

#include "harness/check.h"
#include "opencl/program/kernel_source.h"

static const char *folder;

static FILE *open_kernel(const char *name, const char *ending) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.%s", folder, name, ending);
  return fopen(path, "rb");
}

/* The bytes of a kernel's file. The caller frees the bytes. */
static unsigned char *read_kernel(const char *name, size_t *length) {
  FILE *file = open_kernel(name, "cl");
  if (file == NULL) {
    file = open_kernel(name, "h");
  }
  assert_non_null(file);
  assert_int_equal(fseek(file, 0, SEEK_END), 0);
  long size = ftell(file);
  assert_true(size > 0);
  rewind(file);
  unsigned char *bytes = malloc((size_t)size);
  assert_non_null(bytes);
  assert_int_equal(fread(bytes, 1, (size_t)size, file), size);
  fclose(file);
  *length = (size_t)size;
  return bytes;
}

TEST(every_embedded_kernel_is_its_file) {
  for (size_t i = 0; i < clrs__kernel_source_count; i++) {
    const struct clrs__kernel_source *source = &clrs__kernel_sources[i];
    size_t length = 0;
    unsigned char *bytes = read_kernel(source->name, &length);
    assert_int_equal(source->length, length);
    assert_memory_equal(source->text, bytes, length);
    free(bytes);
  }
}

static bool is_embedded(const char *file_name, size_t name_length) {
  for (size_t i = 0; i < clrs__kernel_source_count; i++) {
    const char *name = clrs__kernel_sources[i].name;
    if (strlen(name) == name_length && strncmp(name, file_name, name_length) == 0) {
      return true;
    }
  }
  return false;
}

TEST(every_file_is_embedded_once) {
  size_t files = 0;
  DIR *entries = opendir(folder);
  assert_non_null(entries);
  for (struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
    const size_t length = strlen(entry->d_name);
    const char *ending = strchr(entry->d_name, '.');
    if (ending != NULL && ending != entry->d_name && ending[1] != '\0') {
      files++;
      assert_true(is_embedded(entry->d_name, length - strlen(ending)));
    }
  }
  closedir(entries);
  assert_true(files > 0);
  assert_int_equal(clrs__kernel_source_count, files);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fputs("usage: test_kernel_source FOLDER\n", stderr);
    return 2;
  }
  folder = argv[1];
  return RUN_TESTS(NULL, NULL);
}
