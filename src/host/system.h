/*
 * The functions that depend on the operating system: posix/ and windows/ have one of each. No other
 * file of the program asks which system it runs on.
 *
 * Paths are UTF-8. A function that returns -1 or NULL sets errno.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stdio.h>
#include <sys/types.h>

#include <clreshape/plan.h>

enum { CLI_PATH_BYTES = 4096 }; /* a longer path is refused */

/* ---- the process ---- */

/* Call first. The arguments become UTF-8, and standard streams pass bytes unchanged. Returns false
 * if the program has more rights than the caller. */
bool cli_system_begin(int *argc, char ***argv);

/* Calls `before_end` when a signal ends the program. `before_end` may only remove files. The
 * program still ends by the signal. An ignored signal, such as SIGHUP under nohup, stays ignored.
 * For main only, because a process has one set of signal handlers. */
void cli_signals_guard(void (*before_end)(void));

/* Signals wait between hold and release, so that the code in between runs as a whole. Calls must
 * not be nested, and the code in between must be brief. */
void cli_signals_hold(void);
void cli_signals_release(void);

/* ---- bytes ---- */

/* Works as read and write, or as pread and pwrite at byte *at if `at` is not NULL. A call that a
 * signal interrupts is repeated. Returns the number of bytes, 0 at the end of a file that is read,
 * or -1. */
ssize_t cli_read_some(int fd, const uint64_t *at, void *bytes, size_t size);
ssize_t cli_write_some(int fd, const uint64_t *at, const void *bytes, size_t size);

/* ---- files ---- */

typedef struct cli_file_info {
  uint64_t device, number; /* the same for all names of a file, and different for other files */
  uint64_t size;
  bool is_regular;
  uint32_t mode, user, group; /* permissions and owners of POSIX, or 0 */
} cli_file_info;

/* Follows links. "/dev/stdin" is the file of standard input. */
int cli_file_look(const char *path, cli_file_info *info);
int cli_file_look_opened(int fd, cli_file_info *info);

/* Opens a file for reading. Does not wait for the writer of a pipe. A link fails unless links are
 * followed. */
int cli_file_open(const char *path, bool follows);
/* Opens a stream of bytes for reading. */
FILE *cli_file_stream(const char *path);

/* Creates a private, empty file. The last six characters of the name are chosen so that the name is
 * new. */
int cli_file_create(char *name);
/* Creates a file that vanishes when it is closed, however the program ends. Returns -1 if the file
 * system has no such files. */
int cli_file_create_nameless(const char *folder, bool is_private);
/* Gives such a file a name that no file has. The file then stays. */
int cli_file_give_name(int fd, const char *name);

int cli_file_link(const char *path, const char *name); /* a second name */
int cli_file_rename(const char *path, const char *name);
int cli_file_remove(const char *path);

/* Returns the last path behind links from `path`, whether a file is there or not. `there` is the
 * file that the system finds at `path`, or NULL. The result, to be freed, leads to the same file.
 */
char *cli_file_follow(const char *path, const cli_file_info *there);

/* ---- rights and room ---- */

int cli_file_may_write(const char *path);
/* Gives a new file the rights of new files, or rights of the user alone. */
int cli_file_set_mode(int fd, bool is_private);
/* Gives the new, empty file the owner, permissions and access list of the file `of` at `path`. If
 * the group or the list cannot be kept, the group's permissions shrink to the permissions of all
 * others, so that nobody gains access. */
int cli_file_keep_mode(int fd, const char *path, const cli_file_info *of);

/* Does the user own the file, and may nobody else write to it? */
bool cli_file_is_own(int fd);
/* Finds the bytes that the file system of the file has left. */
bool cli_file_room(int fd, uint64_t *bytes);

/* ---- folders ---- */

/* Returns the length of the folder in front of the last name, including the separator. */
size_t cli_folder_length(const char *path);
/* Writes the folder for temporary files, including a separator. Returns false if `size` bytes are
 * too few. */
bool cli_folder_of_temporary(char *folder, size_t size);
/* Finds the folder that keeps the user's caches, and makes the folder if it is missing. */
clrs_status cli_folder_of_caches(char *folder, size_t size, clrs_error *error);
/* Makes a private folder. Root makes no folder inside another user's folder, because the other user
 * could not write there. */
void cli_folder_make(char *path);
/* Is `path` a folder, and no link, that the user owns and nobody else may use? */
bool cli_folder_is_own(const char *path);

/* Calls the visitor for each name in the folder, with the time of the last write. */
typedef void (*cli_folder_visitor)(void *user_data, const char *name, int64_t written);
void cli_folder_each(const char *path, cli_folder_visitor visitor, void *user_data);
