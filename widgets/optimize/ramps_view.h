// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/optimize/answer_view.h"
#include "widgets/optimize/ramps_plot.h"

namespace quadric::widgets {

/// The setting that is looked at, as ramps.
class RampsView : public AnswerView {
    Q_OBJECT

public:
    explicit RampsView(QWidget* parent = nullptr);

    void showAnswer(const Answer& answer, Change change) override;

private:
    RampsPlot* m_plot = nullptr;
};

/// Factors first, then the responses with a goal.
std::vector<Ramp> rampsOf(const Answer& answer);

} // namespace quadric::widgets
