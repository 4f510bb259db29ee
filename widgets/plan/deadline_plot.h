// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/deadline_answer.h"
#include "widgets/plots/panel/panel_plot.h"

namespace quadric::widgets {

/// The probability of being done in time over the size of the work, with the largest size that is done as
/// surely as asked; beside it how often runs that were left out kept such promises.
class DeadlinePlot : public PanelPlot {
    Q_OBJECT

public:
    explicit DeadlinePlot(QWidget* parent = nullptr);
    void setAnswer(const model::Fit& fit, const plan::DeadlineQuestion& question,
                   const plan::DeadlineAnswer& answer);
};

/// What of the work is counted: "img" of a speed in img/s; else empty.
QString unitOfAmount(const model::Fit& fit);

/// Three digits, downwards: what is promised is kept.
double withoutNeedlessDigits(double amount);

/// "9.4 × 10⁷ img", or without a unit "12 units of work".
QString amountText(const model::Fit& fit, double amount);

} // namespace quadric::widgets
