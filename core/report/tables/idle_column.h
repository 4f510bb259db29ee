// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/table.h"
#include "core/study/node_size.h"

#include <optional>
#include <vector>

namespace quadric::report {

/// A column of a table of settings with what stays idle, where one of them leaves something idle; the note
/// says of which nodes.
class IdleColumn {
public:
    IdleColumn(const study::Study& study, const std::vector<study::Settings>& settings);
    void addTo(Table& table) const;
    void addCell(const study::Settings& settings, std::vector<Cell>& row) const;

private:
    const study::Study& m_study;
    std::optional<study::NodeSize> m_node; ///< of the first setting that leaves something idle
};

} // namespace quadric::report
