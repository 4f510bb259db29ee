// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/exchange/import_outcome.h"

#include "core/exchange/import/recognize.h"

namespace quadric::widgets {

ImportOutcome outcomeOf(const exchange::ImportedStudy& imported)
{
    ImportOutcome outcome;
    outcome.study = imported.study;
    if (!imported.study.runs.empty())
        outcome.recognized = QString::fromStdString(exchange::recognize(imported.study).sentence);
    for (const std::string& warning : imported.warnings)
        outcome.warnings << QString::fromStdString(warning);
    return outcome;
}

ImportOutcome failedOutcome(const std::exception& error)
{
    ImportOutcome outcome;
    outcome.problem = QString::fromUtf8(error.what());
    return outcome;
}

TableOutcome readTable(const std::string& text, const std::string& name, const exchange::Dialect& dialect,
                       const std::vector<exchange::ColumnMapping>& mapping)
{
    TableOutcome outcome;
    try {
        outcome.grid = exchange::readDelimited(text, name, dialect);
        outcome.mapping = mapping.empty() ? exchange::guessMapping(outcome.grid) : mapping;
        exchange::ImportedStudy imported = exchange::studyOf(outcome.grid, outcome.mapping, name);
        imported.study.name = name;
        exchange::checkImported(imported, name);
        outcome.import = outcomeOf(imported);
    } catch (const std::exception& error) {
        outcome.import = failedOutcome(error);
    }
    return outcome;
}

} // namespace quadric::widgets
