// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/optimize/session/optimize_session.h"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QSpinBox;

namespace quadric::widgets {

class Profiler;
class SteadyLabel;

/// The prediction profiler with what its padlocks cost, and the way back to the optimum.
class ProfilerPanel : public QWidget {
    Q_OBJECT

public:
    explicit ProfilerPanel(OptimizeSession& session, QWidget* parent = nullptr);

    void refresh(Change change);
    Profiler& profiler() { return *m_profiler; }

private:
    void addNearRunsChooser(QHBoxLayout& row);
    void addRunsLimit(QHBoxLayout& row);
    void showRunsLimit(const study::Study& study);

    OptimizeSession& m_session;
    QComboBox* m_nearRuns = nullptr;
    QLabel* m_runsLimitName = nullptr;
    QSpinBox* m_runsLimit = nullptr;
    SteadyLabel* m_words = nullptr;
    QPushButton* m_back = nullptr;
    Profiler* m_profiler = nullptr;
};

/// What the factors that are held cost against the best setting without padlocks, in one sentence.
QString costText(const Answer& answer);

} // namespace quadric::widgets
