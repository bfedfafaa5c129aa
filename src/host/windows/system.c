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
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include <shellapi.h> /* behind windows.h */

#include "fail.h"
#include "pocl_cache.h"

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
  } codes[] = {{ERROR_FILE_NOT_FOUND, ENOENT},        {ERROR_PATH_NOT_FOUND, ENOENT},
               {ERROR_INVALID_NAME, ENOENT},          {ERROR_ACCESS_DENIED, EACCES},
               {ERROR_SHARING_VIOLATION, EACCES},     {ERROR_FILE_EXISTS, EEXIST},
               {ERROR_ALREADY_EXISTS, EEXIST},        {ERROR_DISK_FULL, ENOSPC},
               {ERROR_INVALID_HANDLE, EBADF},         {ERROR_INSUFFICIENT_BUFFER, ENAMETOOLONG},
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

/* ---- the process ---- */

/* The C library's own arguments are not UTF-8, and have wildcards replaced. */
static bool read_arguments(int *argc, char ***argv) {
  wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), argc);
  char **made = wide != NULL ? calloc((size_t)*argc + 1, sizeof *made) : NULL;
  bool is_good = made != NULL;
  for (int i = 0; is_good && i < *argc; i++) {
    const int size = WideCharToMultiByte(CP_UTF8, 0, wide[i], -1, NULL, 0, NULL, NULL);
    made[i] = malloc((size_t)size);
    is_good = made[i] != NULL && narrow(wide[i], made[i], (size_t)size);
  }
  LocalFree(wide);
  *argv = made; /* until the process ends */
  return is_good;
}

/* Windows starts no program with more rights than the caller has, unless the user agrees. */
bool cli_system_begin(int *argc, char ***argv) {
  for (int fd = 0; fd < 3; fd++) {
    _setmode(fd, _O_BINARY);
  }
  if (!read_arguments(argc, argv)) {
    abort();
  }
  return true;
}

static SRWLOCK lock = SRWLOCK_INIT;
static void (*remove_files)(void);

/* Runs in a separate thread. FALSE lets Windows end the process. The lock stays taken. */
static BOOL WINAPI on_event(DWORD event) {
  (void)event;
  AcquireSRWLockExclusive(&lock);
  remove_files();
  return FALSE;
}

void cli_signals_guard(void (*before_end)(void)) {
  remove_files = before_end;
  (void)SetConsoleCtrlHandler(on_event, TRUE);
}

void cli_signals_hold(void) {
  AcquireSRWLockExclusive(&lock);
}

void cli_signals_release(void) {
  ReleaseSRWLockExclusive(&lock);
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
  return file != INVALID_HANDLE_VALUE ? _open_osfhandle((intptr_t)file, _O_BINARY | _O_NOINHERIT)
                                      : fail();
}

int cli_file_look_opened(int fd, cli_file_info *info) {
  BY_HANDLE_FILE_INFORMATION found;
  const HANDLE file = handle_of(fd);
  *info = (cli_file_info){.device = UINT64_MAX, .number = UINT64_MAX}; /* of no file */
  if (file == INVALID_HANDLE_VALUE || GetFileType(file) != FILE_TYPE_DISK) {
    return file == INVALID_HANDLE_VALUE ? -1 : 0;
  }
  if (!GetFileInformationByHandle(file, &found)) {
    return fail();
  }
  info->device = found.dwVolumeSerialNumber;
  info->number = (uint64_t)found.nFileIndexHigh << 32 | found.nFileIndexLow;
  info->size = (uint64_t)found.nFileSizeHigh << 32 | found.nFileSizeLow;
  info->is_regular = (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) == 0;
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

int cli_file_open(const char *path, bool follows) {
  return open_as(path, GENERIC_READ, OPEN_EXISTING, follows ? 0 : FILE_FLAG_OPEN_REPARSE_POINT);
}

FILE *cli_file_stream(const char *path) {
  const int fd = cli_file_open(path, true);
  return fd >= 0 ? _fdopen(fd, "rb") : NULL;
}

/* Links are rare on Windows, and are no outputs. */
char *cli_file_follow(const char *path, const cli_file_info *there) {
  (void)there;
  if (is_of(path, FILE_ATTRIBUTE_REPARSE_POINT)) {
    errno = ELOOP;
    return NULL;
  }
  return _strdup(path);
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

/* A new file has the rights of its folder. */
int cli_file_create_nameless(const char *folder, bool is_private) {
  char name[PATH_MAX];
  (void)is_private;
  const int length = snprintf(name, sizeof name, "%s/.clreshape-XXXXXX", folder);
  const int fd = length > 0 && (size_t)length < sizeof name ? cli_file_create(name) : -1;
  if (fd >= 0 && !mark(fd, true)) {
    _close(fd);
    (void)cli_file_remove(name);
    return -1;
  }
  return fd;
}

int cli_file_give_name(int fd, const char *name) {
  wide_path now, wanted;
  return mark(fd, false) && path_of(fd, &now) && widen(name, &wanted)
             ? end(MoveFileExW(now.text, wanted.text, 0))
             : -1;
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

int cli_file_may_write(const char *path) {
  wide_path wide;
  return widen(path, &wide) ? _waccess(wide.text, 2) : -1;
}

int cli_file_set_mode(int fd, bool is_private) {
  (void)fd, (void)is_private;
  return 0;
}

/* Keeps the access list. */
int cli_file_keep_mode(int fd, const char *path, const cli_file_info *of) {
  char rights[4096];
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
  char names[PATH_MAX + 2], name[4 * MAX_PATH];
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

/* ---- PoCL for Windows has other folders and another linker: nothing is checked ---- */

bool cli_pocl_is(cl_platform_id platform) {
  return platform == NULL;
}

bool cli_pocl_cache_works(char *sentence, size_t size) {
  return snprintf(sentence, size, "%s", "") == 0;
}

bool cli_pocl_finds_linker(void) {
  return true;
}
