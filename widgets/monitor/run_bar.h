// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/words/events.h"
#include "core/study/study.h"
#include "widgets/base/page.h"

#include <QWidget>

#include <optional>

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace quadric::study {
enum class BaselineMode;
}

namespace quadric::widgets {

/// Where the speed of one rank comes from, to which the scaling efficiency is related. Hidden for studies
/// that do not ask for it.
class BaselineChooser : public QWidget {
    Q_OBJECT

public:
    explicit BaselineChooser(QWidget* parent = nullptr);
    void setStudy(const study::Study& study);

    /// The mode that is shown, in one sentence.
    QString sentence() const;

signals:
    void modeChosen(quadric::study::BaselineMode mode);

private:
    QComboBox* m_mode = nullptr;
};

/// Of a change to this mode, for undo: "Shared baselines".
QString baselineModeLabel(study::BaselineMode mode);

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

/// What the bar depends on beside the study.
struct MessageState {
    bool isRunning = false;
    QString pausedBecause; ///< in sentences, where the runner asks whether to go on; empty otherwise
    RunMessage message;
};

/// One place for what is to be said about the execution: why the runner asks, how it ended, which runs
/// failed; colored by severity, with buttons for what can be done about it. Hidden where there is nothing to
/// say.
class MessageBar : public Banner {
    Q_OBJECT

public:
    explicit MessageBar(QWidget* parent = nullptr);

    void show(const study::Study& study, const MessageState& state);

signals:
    void goOnRequested();
    void stopRequested();
    void startRequested();
    void editRequested();
    /// These runs failed and are to be measured again.
    void retryRequested(const std::vector<int>& runs);

private:
    void showButtons(const study::Study& study, const MessageState& state);

    QPushButton* m_edit;
    QPushButton* m_retry;
    QPushButton* m_start;
    QPushButton* m_goOn;
    QPushButton* m_stop;
    std::vector<int> m_failed;
};

} // namespace quadric::widgets
