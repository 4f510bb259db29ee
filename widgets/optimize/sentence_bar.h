// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/answer/optimism.h"
#include "widgets/optimize/session/follow_up.h"
#include "widgets/optimize/session/optimize_session.h"

class QFrame;
class QLabel;
class QPushButton;
class QSpinBox;

namespace quadric::widgets {

class SteadyLabel;

/// The recommendation in one sentence, what its predictions owe to having been chosen, the button that
/// confirms it by new runs, and what earlier confirming runs said.
class SentenceBar : public QWidget {
    Q_OBJECT

public:
    explicit SentenceBar(OptimizeSession& session, QWidget* parent = nullptr);

    void refresh(Change change);

signals:
    void confirmRequested(const quadric::study::Settings& settings, int runs);

private:
    void showSentence();
    void startCorrection();
    void showCorrection();
    void showRuns();
    void showButton();

    OptimizeSession& m_session;
    SteadyLabel* m_sentence = nullptr;
    SteadyLabel* m_corrected = nullptr;
    SteadyLabel* m_runsText = nullptr; ///< how surely the setting gives a result
    QPushButton* m_confirm = nullptr;
    QSpinBox* m_runs = nullptr;
    FollowUp<optimize::OptimumCorrection> m_job;
    optimize::OptimumCorrection m_correction; ///< of the best settings, once it is known
};

} // namespace quadric::widgets
