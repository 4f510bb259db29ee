// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/import/table_import.h"

#include <QString>
#include <QStringList>

namespace quadric::widgets {

/// What an import would make, or why it cannot.
struct ImportOutcome {
    std::optional<study::Study> study;
    QString recognized; ///< which design the runs are
    QStringList warnings;
    QString problem; ///< empty where there is a study
};

/// The outcome of an import that did not fail.
ImportOutcome outcomeOf(const exchange::ImportedStudy& imported);
ImportOutcome failedOutcome(const std::exception& error);

/// A table as it was read, its columns and what becomes of it. Without a mapping the columns are guessed.
struct TableOutcome {
    exchange::TextGrid grid;
    std::vector<exchange::ColumnMapping> mapping;
    ImportOutcome import;
};
TableOutcome readTable(const std::string& text, const std::string& name, const exchange::Dialect& dialect,
                       const std::vector<exchange::ColumnMapping>& mapping);

} // namespace quadric::widgets
