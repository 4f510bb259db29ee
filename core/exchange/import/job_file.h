// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/job_records.h"

#include <filesystem>

namespace quadric::exchange {

/// Jobs of a file: a table with a heading a column, or what `sacct --parsable2` prints
/// (plan::readJobRecords()). Throws ImportError naming the file, and study::DocumentError where it cannot be
/// read.
plan::JobRecords readJobFile(const std::filesystem::path& path);

} // namespace quadric::exchange
