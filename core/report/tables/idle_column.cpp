// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/idle_column.h"

#include "core/report/catalogue/node_sentences.h"

#include <string>

namespace quadric::report {

IdleColumn::IdleColumn(const study::Study& study, const std::vector<study::Settings>& settings)
    : m_study(study)
{
    for (const study::Settings& each : settings) {
        if (const auto ranks = study::idleRanksAt(study, each); ranks && !m_node)
            m_node = ranks->node;
    }
}

void IdleColumn::addTo(Table& table) const
{
    if (!m_node)
        return;
    const std::string meaning =
        fill(catalogue::kIdleColumn, {{"size", std::to_string(m_node->ranks)}, {"source", m_node->source}});
    table.columns.push_back({"Idle", meaning});
    table.note += (table.note.empty() ? "" : " ") + meaning;
}

void IdleColumn::addCell(const study::Settings& settings, std::vector<Cell>& row) const
{
    if (!m_node)
        return;
    const auto ranks = study::idleRanksAt(m_study, settings);
    row.push_back(ranks ? Cell(fill(catalogue::kIdleOfAll, {{"idle", std::to_string(ranks->idle())},
                                                            {"all", std::to_string(ranks->all())}}))
                        : Cell(0));
}

} // namespace quadric::report
