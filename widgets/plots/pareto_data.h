// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit.h"
#include "widgets/text/text_table.h"

namespace quadric::widgets {

/// One bar of a Pareto chart: its length on the axis and how it is drawn.
struct ParetoBar {
    QString name;
    double length = 0.0;
    bool isNegative = false;
    bool isBeyondLimit = false;
    QString tip;
};

struct ParetoLimit {
    double value = 0.0;
    QString label;
};

/// What a Pareto chart says, without any geometry.
struct ParetoData {
    std::vector<ParetoBar> bars; ///< longest first
    std::vector<ParetoLimit> limits;
    QString axisTitle;
};

/// Bars of |t| with its limits, or of |effect| with Lenth's.
ParetoData paretoOf(const model::Fit& fit);

/// All effects in the order of the model.
TextTable effectTable(const model::Fit& fit);

} // namespace quadric::widgets
