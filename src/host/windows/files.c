/*
 * Windows has names of 16-bit units and error codes of its own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define WIN32_LEAN_AND_MEAN
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include "fail.h"

/* ---- names and errors ---- */

enum { MOST_UNITS = 1024 };

typedef struct wide_path {
  wchar_t text[MOST_UNITS];
} wide_path;

/* Sets errno by GetLastError. Returns -1. */
static int fail(void) {
  static const struct {
    DWORD windows;
    int posix;
  } codes[] = {{ERROR_FILE_NOT_FOUND, ENOENT},
               {ERROR_PATH_NOT_FOUND, ENOENT},
               {ERROR_INVALID_NAME, ENOENT},
               {ERROR_ACCESS_DENIED, EACCES},
               {ERROR_SHARING_VIOLATION, EACCES},
               {ERROR_FILE_EXISTS, EEXIST},
               {ERROR_ALREADY_EXISTS, EEXIST},
               {ERROR_DISK_FULL, ENOSPC},
               {ERROR_HANDLE_DISK_FULL, ENOSPC},
               {ERROR_WRITE_PROTECT, EROFS},
               {ERROR_BAD_NETPATH, ENOENT},
               {ERROR_INVALID_DRIVE, ENOENT},
               {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
               {ERROR_INVALID_HANDLE, EBADF},
               {ERROR_INSUFFICIENT_BUFFER, ENAMETOOLONG},
               {ERROR_NO_UNICODE_TRANSLATION, EILSEQ}};
  const DWORD code = GetLastError();
  errno = EIO;
  for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
    errno = codes[i].windows == code ? codes[i].posix : errno;
  }
  return -1;
}

static int end(BOOL done) {
  return done ? 0 : fail();
}

static bool widen(const char *text, wide_path *wide) {
  return MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, wide->text, MOST_UNITS) > 0 ||
         fail() == 0;
}

static bool narrow(const wchar_t *wide, char *text, size_t size) {
  return WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, (int)size, NULL, NULL) > 0 || fail() == 0;
}

static HANDLE handle_of(int fd) {
  return (HANDLE)_get_osfhandle(fd);
}

static bool path_of(int fd, wide_path *path) {
  const DWORD length = GetFinalPathNameByHandleW(handle_of(fd), path->text, MOST_UNITS, 0);
  return (length > 0 && length < MOST_UNITS) || fail() == 0;
}

/* ---- bytes ---- */

enum { MOST_AT_ONCE = 1 << 30 };

/* Windows moves the position of the file. The position is put back for readers and writers in
 * order. */
static ssize_t transfer_at(int fd, uint64_t at, void *bytes, DWORD size, bool writes) {
  const HANDLE file = handle_of(fd);
  const LARGE_INTEGER here = {.QuadPart = 0};
  LARGE_INTEGER before;
  OVERLAPPED there = {.Offset = (DWORD)at, .OffsetHigh = (DWORD)(at >> 32)};
  DWORD done = 0;
  if (!SetFilePointerEx(file, here, &before, FILE_CURRENT)) {
    return fail();
  }
  const BOOL is_good = writes ? WriteFile(file, bytes, size, &done, &there)
                              : ReadFile(file, bytes, size, &done, &there);
  const ssize_t result = is_good || GetLastError() == ERROR_HANDLE_EOF ? (ssize_t)done : fail();
  return SetFilePointerEx(file, before, NULL, FILE_BEGIN) ? result : fail();
}

ssize_t cli_read_some(int fd, const uint64_t *at, void *bytes, size_t size) {
  const unsigned part = size < MOST_AT_ONCE ? (unsigned)size : MOST_AT_ONCE;
  return at != NULL ? transfer_at(fd, *at, bytes, part, false) : _read(fd, bytes, part);
}

ssize_t cli_write_some(int fd, const uint64_t *at, const void *bytes, size_t size) {
  const unsigned part = size < MOST_AT_ONCE ? (unsigned)size : MOST_AT_ONCE;
  return at != NULL ? transfer_at(fd, *at, (void *)(uintptr_t)bytes, part, true)
                    : _write(fd, bytes, part);
}

/* ---- looking and opening ---- */

static int open_as(const char *path, DWORD access, DWORD disposition, DWORD how) {
  const DWORD share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  wide_path wide;
  if (!widen(path, &wide)) {
    return -1;
  }
  const HANDLE file = CreateFileW(wide.text, access, share, NULL, disposition,
                                  how | FILE_FLAG_BACKUP_SEMANTICS, NULL);
  if (file == INVALID_HANDLE_VALUE) {
    return fail();
  }
  const int fd = _open_osfhandle((intptr_t)file, _O_BINARY | _O_NOINHERIT);
  if (fd < 0) { /* the process has too many open files */
    CloseHandle(file);
  }
  return fd;
}

/* FAT has no FILE_ID_INFO. */
static bool identify(HANDLE file, cli_file_info *info) {
  FILE_ID_INFO id;
  BY_HANDLE_FILE_INFORMATION old;
  uint64_t halves[2];
  if (GetFileInformationByHandleEx(file, FileIdInfo, &id, sizeof id)) {
    memcpy(halves, &id.FileId, sizeof halves);
    info->device = id.VolumeSerialNumber;
    info->number = halves[0] ^ halves[1];
    return true;
  }
  const bool is_known = GetFileInformationByHandle(file, &old);
  if (is_known) {
    info->device = old.dwVolumeSerialNumber;
    info->number = (uint64_t)old.nFileIndexHigh << 32 | old.nFileIndexLow;
  }
  return is_known;
}

int cli_file_look_opened(int fd, cli_file_info *info) {
  FILE_STANDARD_INFO found;
  const HANDLE file = handle_of(fd);
  *info = (cli_file_info){.device = UINT64_MAX, .number = UINT64_MAX}; /* of no file */
  if (file == INVALID_HANDLE_VALUE || GetFileType(file) != FILE_TYPE_DISK) {
    return file == INVALID_HANDLE_VALUE ? -1 : 0;
  }
  if (!identify(file, info) ||
      !GetFileInformationByHandleEx(file, FileStandardInfo, &found, sizeof found)) {
    return fail();
  }
  info->size = (uint64_t)found.EndOfFile.QuadPart;
  info->is_regular = !found.Directory;
  return 0;
}

int cli_file_look(const char *path, cli_file_info *info) {
  if (strcmp(path, "/dev/stdin") == 0) {
    return cli_file_look_opened(0, info);
  }
  const int fd = open_as(path, 0, OPEN_EXISTING, 0);
  const int code = fd >= 0 ? cli_file_look_opened(fd, info) : -1;
  if (fd >= 0) {
    _close(fd);
  }
  return code;
}

/* Has the file an attribute, such as that of a link? */
static bool is_of(const char *path, DWORD attribute) {
  wide_path wide;
  const DWORD found = widen(path, &wide) ? GetFileAttributesW(wide.text) : 0;
  return found != INVALID_FILE_ATTRIBUTES && (found & attribute) != 0;
}

/* strerror knows no ELOOP on Windows. */
static bool is_link(const char *path) {
  const bool is_found = is_of(path, FILE_ATTRIBUTE_REPARSE_POINT);
  if (is_found) {
    errno = EPERM;
  }
  return is_found;
}

int cli_file_open(const char *path, bool follows) {
  if (!follows && is_link(path)) {
    return -1;
  }
  return open_as(path, GENERIC_READ, OPEN_EXISTING, follows ? 0 : FILE_FLAG_OPEN_REPARSE_POINT);
}

FILE *cli_file_stream(const char *path) {
  const int fd = cli_file_open(path, true);
  FILE *stream = fd >= 0 ? _fdopen(fd, "rb") : NULL;
  if (fd >= 0 && stream == NULL) {
    _close(fd);
  }
  return stream;
}

/* Links are rare on Windows, and are no outputs. */
char *cli_file_follow(const char *path, const cli_file_info *there) {
  (void)there;
  return is_link(path) ? NULL : _strdup(path);
}

/* ---- new files ---- */

static int create(char *name) {
  static const char digits[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  LARGE_INTEGER now;
  QueryPerformanceCounter(&now);
  uint64_t number = ((uint64_t)now.QuadPart * 0x9e3779b97f4a7c15u) ^ GetCurrentProcessId();
  for (char *at = name + strlen(name) - 6; *at != '\0'; at++, number /= sizeof digits - 1) {
    *at = digits[number % (sizeof digits - 1)];
  }
  return open_as(name, GENERIC_READ | GENERIC_WRITE | DELETE | WRITE_DAC, CREATE_NEW, 0);
}

int cli_file_create(char *name) {
  int fd = create(name);
  for (int attempt = 0; attempt < 100 && fd < 0 && errno == EEXIST; attempt++) {
    fd = create(name);
  }
  return fd;
}

/* Windows deletes a file with the mark when the last handle is closed, also of a killed program. */
static bool mark(int fd, bool is_deleted) {
  FILE_DISPOSITION_INFO info = {is_deleted};
  return SetFileInformationByHandle(handle_of(fd), FileDispositionInfo, &info, sizeof info) ||
         fail() == 0;
}

/* A new file has the rights of its folder. A separator behind "C:" or "/" would name another
 * folder. */
int cli_file_create_nameless(const char *folder, bool is_private) {
  char name[CLI_PATH_BYTES];
  (void)is_private;
  const char *separator = cli_folder_length(folder) == strlen(folder) ? "" : "/";
  const int length = snprintf(name, sizeof name, "%s%s.clreshape-XXXXXX", folder, separator);
  const int fd = length > 0 && (size_t)length < sizeof name ? cli_file_create(name) : -1;
  if (fd >= 0 && !mark(fd, true)) {
    _close(fd);
    (void)cli_file_remove(name);
    return -1;
  }
  return fd;
}

static bool move(int fd, const char *name) {
  wide_path now, wanted;
  return path_of(fd, &now) && widen(name, &wanted) &&
         end(MoveFileExW(now.text, wanted.text, 0)) == 0;
}

int cli_file_give_name(int fd, const char *name) {
  if (mark(fd, false) && move(fd, name)) {
    return 0;
  }
  const int code = errno;
  (void)mark(fd, true);
  errno = code;
  return -1;
}

int cli_file_link(const char *path, const char *name) {
  wide_path from, to;
  return widen(path, &from) && widen(name, &to) ? end(CreateHardLinkW(to.text, from.text, NULL))
                                                : -1;
}

int cli_file_rename(const char *path, const char *name) {
  wide_path from, to;
  return widen(path, &from) && widen(name, &to)
             ? end(MoveFileExW(from.text, to.text, MOVEFILE_REPLACE_EXISTING))
             : -1;
}

int cli_file_remove(const char *path) {
  wide_path wide;
  return widen(path, &wide) ? end(DeleteFileW(wide.text)) : -1;
}

/* ---- rights and room ---- */

/* _waccess asks for the attribute of read-only files, opening for the access list. */
int cli_file_may_write(const char *path) {
  wide_path wide;
  const int fd = widen(path, &wide) && _waccess(wide.text, 2) == 0
                     ? open_as(path, GENERIC_WRITE, OPEN_EXISTING, 0)
                     : -1;
  return fd >= 0 ? _close(fd) : -1;
}

int cli_file_set_mode(int fd, bool is_private) {
  (void)fd, (void)is_private;
  return 0;
}

enum { MOST_RIGHTS = (1 << 16) + 256 }; /* a list has 64 KiB at most */

/* Keeps the access list. */
int cli_file_keep_mode(int fd, const char *path, const cli_file_info *of) {
  _Alignas(SECURITY_DESCRIPTOR) char rights[MOST_RIGHTS];
  wide_path wide;
  DWORD size;
  (void)of;
  return widen(path, &wide)
             ? end(GetFileSecurityW(wide.text, DACL_SECURITY_INFORMATION, rights, sizeof rights,
                                    &size) &&
                   SetKernelObjectSecurity(handle_of(fd), DACL_SECURITY_INFORMATION, rights))
             : -1;
}

/* The folder of the user's caches belongs to the user, and Windows gives nobody else access. */
bool cli_file_is_own(int fd) {
  return fd >= 0;
}

bool cli_file_room(int fd, uint64_t *bytes) {
  wide_path path;
  ULARGE_INTEGER left = {.QuadPart = 0};
  if (!path_of(fd, &path)) {
    return false;
  }
  *(wcsrchr(path.text, L'\\') + 1) = L'\0';
  const BOOL is_known = GetDiskFreeSpaceExW(path.text, &left, NULL, NULL);
  *bytes = left.QuadPart;
  return is_known;
}

/* ---- folders ---- */

/* "C:name" is in the current folder of drive C. */
size_t cli_folder_length(const char *path) {
  size_t length = path[0] != '\0' && path[1] == ':' ? 2 : 0;
  for (size_t i = 0; path[i] != '\0'; i++) {
    length = path[i] == '/' || path[i] == '\\' ? i + 1 : length;
  }
  return length;
}

bool cli_folder_of_temporary(char *folder, size_t size) {
  wide_path wide;
  const DWORD length = GetTempPathW(MOST_UNITS, wide.text);
  return length > 0 && length < MOST_UNITS && narrow(wide.text, folder, size);
}

clrs_status cli_folder_of_caches(char *folder, size_t size, clrs_error *error) {
  const wchar_t *wide = _wgetenv(L"LOCALAPPDATA");
  return wide != NULL && wide[0] != L'\0' && wide[1] == L':' && narrow(wide, folder, size)
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "LOCALAPPDATA is not an absolute path, or is too long");
}

void cli_folder_make(char *path) {
  wide_path wide;
  if (widen(path, &wide)) {
    (void)CreateDirectoryW(wide.text, NULL);
  }
}

bool cli_folder_is_own(const char *path) {
  return is_of(path, FILE_ATTRIBUTE_DIRECTORY) && !is_of(path, FILE_ATTRIBUTE_REPARSE_POINT);
}

void cli_folder_each(const char *path, cli_folder_visitor visitor, void *user_data) {
  char names[CLI_PATH_BYTES], name[4 * MAX_PATH];
  wide_path wide;
  WIN32_FIND_DATAW found;
  snprintf(names, sizeof names, "%s/*", path);
  const HANDLE list =
      widen(names, &wide) ? FindFirstFileW(wide.text, &found) : INVALID_HANDLE_VALUE;
  BOOL is_more = list != INVALID_HANDLE_VALUE;
  for (; is_more; is_more = FindNextFileW(list, &found)) {
    const FILETIME written = found.ftLastWriteTime;
    if (narrow(found.cFileName, name, sizeof name)) {
      visitor(user_data, name, (int64_t)written.dwHighDateTime << 32 | written.dwLowDateTime);
    }
  }
  if (list != INVALID_HANDLE_VALUE) {
    FindClose(list);
  }
}
