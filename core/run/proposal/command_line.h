// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <filesystem>
#include <string>
#include <vector>

namespace quadric::run {

/// A line as people type it, taken apart as a shell does it: blanks separate, '…', "…" and \ quote. Nothing
/// is expanded. An unclosed quote lasts to the end.
std::vector<std::string> splitCommand(const std::string& line);

/// The line that splitCommand() takes apart into these words.
std::string joinCommand(const std::vector<std::string>& words);

/// The study's command as it is run, quoted as a shell takes it, variables first: "A=1 python3 train.py --lr
/// 0.01", with the values of the first run or, while there are no runs, of the center. Names without a value
/// stay as they are written. Empty without a command.
std::string makeCommandPreview(const study::Study& study);

/// Whether a program of this name executes the script that follows it: python3, bash, torchrun …
bool isInterpreter(const std::string& program);

/// Whether the name is that of a script: "train.py", "run.sh".
bool hasScriptEnding(const std::string& word);

/// The command that starts the ranks of a script which imports quadric_worker.py, by that file beside it.
std::vector<std::string> startedByWorker(const std::string& script);

/// Where the script of a command is among its words: the program itself, or what its interpreter is given (or
/// quadric_worker.py, which starts ranks).
/// The size of argv where there is none ("python3 -m module").
std::size_t findScript(const std::vector<std::string>& argv);

/// The command with this script in the place of its own, started by what such a file needs. An empty command
/// gets "--name {name}" for every factor.
std::vector<std::string> withScript(const std::vector<std::string>& argv, const std::string& script,
                                    bool isExecutable, const study::Study& study);

/// The study's command with this file, an absolute path, as its script. A file that is not within the working
/// folder makes its own folder the working folder. `document` is where the study is; empty: not known. An
/// empty command is made for a script that imports quadric_worker.py, where it does.
study::Benchmark withScriptFile(const study::Study& study, const std::filesystem::path& document,
                                const std::filesystem::path& file, bool isExecutable);

} // namespace quadric::run
