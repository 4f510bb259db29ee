// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/words/time_left.h"
#include "core/study/study.h"

#include <QWidget>

#include <optional>

class QLabel;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace quadric::study {
enum class BaselineMode;
}

namespace quadric::widgets {

class BaselineChooser;

/// Where the experiment stands, besides what the study says itself.
struct BarState {
    bool isRunning = false;
    bool isPaused = false;
    std::optional<run::TimeLeft> remaining; ///< empty: not known
};

/// How far the experiment is, when it will be over, how many runs are executed at once, and the large button:
/// start, pause, resume, and when all runs have ended, on to their results.
class RunBar : public QWidget {
    Q_OBJECT

public:
    explicit RunBar(QWidget* parent = nullptr);

    void show(const study::Study& study, const BarState& state);
    using QWidget::show;

signals:
    void startRequested();
    void pauseRequested();
    void resumeRequested();
    void stopRequested();
    /// All runs have ended: on to what they say.
    void resultsRequested();
    /// The user wants that many runs at once from the next start on.
    void parallelChosen(int runs);
    /// The user wants baselines from there from the next start on.
    void baselineChosen(quadric::study::BaselineMode mode);

private:
    QWidget* makeParallel();
    void showParallel(const study::Study& study);
    void showWords(const study::Study& study);
    void showButtons(const study::Study& study);
    void click();

    BarState m_state;
    bool m_canExplore = false;
    QLabel* m_summary = nullptr;
    QLabel* m_simulated = nullptr;
    QLabel* m_words = nullptr;
    QProgressBar* m_done = nullptr;
    BaselineChooser* m_baseline = nullptr;
    QWidget* m_parallelField = nullptr;
    QSpinBox* m_parallel = nullptr;
    QPushButton* m_stop = nullptr;
    QPushButton* m_button = nullptr;
};

} // namespace quadric::widgets
