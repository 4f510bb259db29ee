// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/table/columns.h"

namespace quadric::exchange {

struct ImportedStudy {
    study::Study study;
    std::vector<std::string> warnings; ///< everything ignored, changed or suspicious, in words
};

/// A study from a table of settings and results: one run for each row, results beside the settings of the
/// same row. Ranges are the smallest and largest value; the design is recognized (see recognize.h). Rows
/// without any result become pending runs, or failed ones where a word says so ("OOM") or a result cannot be
/// read; rows without a setting are left out. The warnings name line, column and reason of each. Throws
/// ImportError where no row or no factor is left.
ImportedStudy studyOf(const TextGrid& grid, const std::vector<ColumnMapping>& mapping,
                      const std::string& name);

/// Puts what study::validate() finds to the warnings. Throws ImportError, with `name`, for what no study may
/// have.
void checkImported(ImportedStudy& imported, const std::string& name);

} // namespace quadric::exchange
