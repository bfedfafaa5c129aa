/*
 * The commands of the program. Each command takes the arguments of main from the command's name on
 * (argv[0] is the name), and returns the exit code. Each command is in the file of the same name.
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
