/*
 * The commands of the program. Each takes what main got from the command's name on (argv[0] is the
 * name) and returns the exit code; each is in the file of its name.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

int cli_devices(int argc, char **argv);
int cli_resolve(int argc, char **argv);
int cli_run(int argc, char **argv);
int cli_explain(int argc, char **argv);
int cli_onnx(int argc, char **argv);
int cli_warm(int argc, char **argv);
int cli_bench(int argc, char **argv);
