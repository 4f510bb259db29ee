// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/import/table_import.h"

#include <filesystem>

namespace quadric::exchange {

/// True when the JSON text is a configuration of doehelper: it has factors whose `levels` are listed and
/// responses with an objective.
bool isDoehelperConfig(std::string_view text);

/// A study from a configuration of doehelper, in either of its dialects (`fixed` or `fixed_factors`;
/// `objective` or `optimize`; `design` or `settings.operation`), with its design matrix where one lies beside
/// it, and the results of a folder.
///
/// A result file is bound to the run whose settings it records in `parameters`, never by its number or name.
/// Each of these is named in a warning: keys that are ignored, result files without settings, results whose
/// settings are no row of the matrix (they become runs of their own) or are out of a factor's range,
/// replicates with identical results (copied or seeded alike), and file numbers that point to another row
/// than the settings do. Throws ImportError or study::DocumentError.
ImportedStudy importDoehelper(const std::filesystem::path& config, const std::filesystem::path& results = {});

} // namespace quadric::exchange
