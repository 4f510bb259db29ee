// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

namespace quadric::widgets {

/// Which views the page shows where: rows of cells with relative sizes.
struct Arrangement {
    struct Row {
        std::vector<std::string> views; ///< ids of exploreViews()
        std::vector<double> widths;     ///< as many as views; their sum does not matter
        double height = 1.0;
        bool operator==(const Row&) const = default;
    };
    std::vector<Row> rows;

    static constexpr std::size_t kMostRows = 4, kMostColumns = 4;

    bool operator==(const Arrangement&) const = default;
};

/// Pareto chart, main effects, surface, report card.
Arrangement defaultArrangement();

/// As it is kept in the study.
study::PageView pageViewOf(const Arrangement& arrangement);

/// Reads what pageViewOf() gives. Whatever is missing, unknown or too much is repaired; a page without views
/// has the default.
Arrangement arrangementFrom(const study::PageView& page);

} // namespace quadric::widgets
