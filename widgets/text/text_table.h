// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit.h"
#include "core/optimize/optimum.h"
#include "core/study/study.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace quadric::widgets {

struct TextColumn {
    QString title;
    QString tooltip; ///< one plain sentence; empty for what explains itself
    bool isNumber = false;
};

/// A table as people read it, for the screen and for paper.
struct TextTable {
    QString caption;
    std::vector<TextColumn> columns;
    std::vector<QStringList> rows;
    QString note; ///< below the table: what is marked, what is missing
};

TextTable factorTable(const study::Study& study);
TextTable responseTable(const study::Study& study);
/// All runs in the order in which they are executed, settings and results in actual units, results with their
/// spread.
TextTable runTable(const study::Study& study);
/// Sequential groups with lack of fit and pure error.
TextTable anovaTable(const model::Fit& fit);
TextTable coefficientTable(const model::Fit& fit);
/// Prediction, desirability and sacrifice of every response at one setting.
TextTable optimumTable(const study::Study& study, const optimize::Optimum& optimum);
TextTable solutionTable(const study::Study& study, const std::vector<optimize::Solution>& solutions);

} // namespace quadric::widgets
