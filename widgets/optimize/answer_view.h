// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/optimize/optimize_session.h"

#include <QWidget>

namespace quadric::widgets {

/// One way to look at the answer, below the profiler. A view is told about changes only while it can be seen;
/// what it missed it gets at once when it is shown.
class AnswerView : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;
    virtual void showAnswer(const Answer& answer, Change change) = 0;
    /// Lights this run; −1: none.
    virtual void pickRun(int run) { Q_UNUSED(run) }

signals:
    void settingsPicked(const quadric::study::Settings& settings);
    void runPicked(int run);
};

} // namespace quadric::widgets
