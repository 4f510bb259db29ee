// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <QString>

#include <vector>

namespace quadric::design {
struct Evaluation;
}

namespace quadric::widgets {

/// "15 runs of a Box–Behnken design vary batch (4 … 16 images), … to maximize throughput."
QString summarySentence(const study::Study& study);

/// How long the runs take, in words.
QString durationSentence(const study::Study& study);

/// "Lowest power for a 2σ effect at α = 5 %: 36 % …": what the design can find.
QString powerSentence(const design::Evaluation& evaluation);

/// A line of the summary: "Factors", and what they are.
struct SummaryRow {
    QString title, text;
};

/// What the user has decided, in the order of the pages, and what the design can find; without what is empty.
std::vector<SummaryRow> summaryRows(const study::Study& study, const QString& power);

} // namespace quadric::widgets
