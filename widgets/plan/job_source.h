// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan_choices.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace quadric::widgets {

/// Whose jobs queue: those of the runs, or of a file.
class JobSource : public QWidget {
    Q_OBJECT

public:
    explicit JobSource(QWidget* parent = nullptr);
    void showChoices(const plan::PlanChoices& choices);

    /// Takes the jobs of a table, such as sacct prints, with as many machines as the largest of them needs at
    /// least, and their rate where the file tells when they came. Returns why it cannot; empty: it did.
    QString takeFile(const QString& path);

signals:
    void choicesChanged(const quadric::plan::PlanChoices& choices, const QString& what);

private:
    void askForFile();

    plan::PlanChoices m_choices;
    QLabel* m_name = nullptr;
    QPushButton* m_runs = nullptr;
    QLabel* m_message = nullptr;
};

} // namespace quadric::widgets
