// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/table/columns.h"

#include <filesystem>
#include <optional>

namespace quadric::exchange {

/// What is said of the lines of a table: each thing once, with all lines that it is true of.
class LineNotes {
public:
    void add(int line, const std::string& what);
    /// "lines 3 and 7: what", in the order in which they were added.
    std::vector<std::string> sentences() const;

private:
    std::vector<std::pair<std::string, std::vector<int>>> m_notes;
};

/// Reads the rows of a table into the runs of a study. What a cell of results says instead of a number makes
/// its run fail or stay without a result, a row without its settings is no run; notes() says so.
class RowReader {
public:
    /// All three must outlive the reader. `name` is that of the table.
    RowReader(const TextGrid& grid, const std::vector<ColumnMapping>& mapping, const std::string& name);

    /// `place` is the number of a run whose row has none.
    std::optional<study::Run> read(std::size_t row, int place);
    const LineNotes& notes() const { return m_notes; }

private:
    struct Facts;

    void addColumn(const ColumnContent& content);
    bool readSetting(std::size_t row, std::size_t column, study::Run& run);
    void readResult(std::size_t row, std::size_t column, study::Run& run, Facts& facts);
    void readState(std::size_t row, std::size_t column, study::Run& run, Facts& facts);
    std::optional<double> number(std::size_t row, std::size_t column) const;
    int counter(std::size_t row, std::size_t column, int otherwise);
    void judge(std::size_t row, study::Run& run, const Facts& facts);
    void noteResults(std::size_t row, const study::Run& run, const Facts& facts);
    void note(std::size_t row, const std::string& what);
    std::string cellIs(std::size_t row, std::size_t column) const;

    const TextGrid& m_grid;
    const std::vector<ColumnMapping>& m_mapping;
    const std::string& m_name;
    std::vector<std::string> m_units; ///< behind the numbers of each column
    std::vector<int> m_first; ///< what is added to the numbers of rows in each column: they begin at 1
    LineNotes m_notes;
};

/// A run's kind by the word of this program or another.
std::optional<study::RunKind> kindFrom(const std::string& word);

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
