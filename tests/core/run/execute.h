// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/runner/runner.h"

namespace quadric::test {

/// Executes the study in this process until it ends.
run::RunnerSummary execute(const std::filesystem::path& path, const run::RunnerOptions& options = {});

} // namespace quadric::test
