// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/optimize/optimize_session.h"

class QFrame;
class QLabel;
class QPushButton;
class QSpinBox;

namespace quadric::widgets {

class SteadyLabel;

/// The recommendation in one sentence, the button that confirms it by new runs, and what earlier confirming
/// runs said.
class SentenceBar : public QWidget {
    Q_OBJECT

public:
    explicit SentenceBar(OptimizeSession& session, QWidget* parent = nullptr);

    void refresh(Change change);

signals:
    void confirmRequested(const quadric::study::Settings& settings, int runs);

private:
    void showSentence();
    void showButton();

    OptimizeSession& m_session;
    SteadyLabel* m_sentence = nullptr;
    QPushButton* m_confirm = nullptr;
    QSpinBox* m_runs = nullptr;
};

} // namespace quadric::widgets
