// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/words/worker_protocol.h"
#include "core/study/files/file.h"
#include "core/study/study.h"

#include <filesystem>

namespace quadric::run {

/// How much of the end of a program's standard output is kept for reading results, in bytes.
inline constexpr std::size_t kMostOutputBytes = std::size_t{1} << 20;

/// Results in what a program printed. For a pattern the last match counts (result_pattern.h); it is looked
/// for in the errors, where logging goes, only if the output has none. For JSON the numbers of the last
/// object of the output count, or of its "responses". Takes a few seconds of processor time at most: a
/// pattern that would need more gives up, and the failure names it.
std::variant<Result, study::Failure> parseOutput(const study::ParseSpec& spec, std::string_view output,
                                                 std::string_view errors = {});

/// The specification for one run: the values of its settings and {run_id} in the place of their names.
study::ParseSpec forRun(study::ParseSpec spec, const study::Study& study, const study::Run& run);

/// Results in the JSON file of `spec`, which must be another one than `before`, the file as it was when the
/// run began. Times are not compared: clocks jump, and differ between machines.
std::variant<Result, study::Failure> parseResultFile(const study::ParseSpec& spec,
                                                     const std::filesystem::path& folder,
                                                     const study::FileIdentity& before);

/// What is wrong when the worker says that it measured something else than it was given: kind "bad-output".
/// `claimed`: JSON object of settings as the worker tells them in its provenance; what it leaves out is
/// believed. The built-in workload tells all that it has: a factor that is none of them is "bad-settings".
std::optional<study::Failure> contradiction(const study::Study& study, const study::Run& run,
                                            const std::string& claimed);

} // namespace quadric::run
