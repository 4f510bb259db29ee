// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/words/time_left.h"

#include <QTimer>
#include <QWidget>

#include <optional>

class QLabel;
class QToolButton;

namespace quadric::app {

/// The line at the bottom of the window: what the study's data are like, on the right how long the experiment
/// still takes. A notice takes its place for a while.
class StatusLine : public QWidget {
    Q_OBJECT

public:
    explicit StatusLine(QWidget* parent = nullptr);
    void setWords(const QString& words);
    /// The button that opens the list of warnings; none without any.
    void setWarnings(int count);
    /// Nothing is shown where it is not known.
    void setRemaining(const std::optional<run::TimeLeft>& left);
    void showNotice(const QString& text);

signals:
    void warningsClicked();

private:
    void showWords();

    QToolButton* m_warnings;
    QLabel* m_left;
    QLabel* m_right;
    QTimer m_notice;
    QString m_words;
};

} // namespace quadric::app
