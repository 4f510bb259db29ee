// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/import/table_import.h"
#include "core/study/document/json.h"

#include <filesystem>

namespace quadric::exchange {

/// What one result file of doehelper says about one run.
struct ResultFile {
    std::string name;
    int number = 0; ///< in the file's name; 0: none
    study::Settings settings;
    std::map<std::string, double, std::less<>> results;
};

/// The settings of the study's factors among the entries of an object. Empty with the name of the factor in
/// `missing` where one is not there or is no number.
std::optional<study::Settings> settingsIn(const study::Json& object, const study::Study& study,
                                          std::string& missing);

/// Counts what is left alone, to name each kind of it once.
class IgnoredKeys {
public:
    void note(const std::string& key) { ++m_counts[key]; }
    /// "design_matrix.json: operation and whole_plot_id (15 times) are ignored".
    void tell(const std::string& where, std::vector<std::string>& warnings) const;

private:
    std::map<std::string, int> m_counts;
};

/// The result files of a folder by the number in their names. Files that cannot be read, that record no
/// settings or lack a response, keys that are no response, and settings that differ from the fixed ones are
/// named in `warnings`. Throws ImportError for a folder that cannot be read.
std::vector<ResultFile> readResults(const std::filesystem::path& folder, const study::Study& study,
                                    std::vector<std::string>& warnings);

} // namespace quadric::exchange
