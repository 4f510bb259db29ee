// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace quadric::widgets {

/// The constraints that every run has to satisfy, one line each, with what is wrong right under the line, and
/// how many settings they leave.
class ConstraintEditor : public QWidget {
    Q_OBJECT

public:
    explicit ConstraintEditor(QWidget* parent = nullptr);
    void setStudy(const study::Study& study);

signals:
    void constraintsEdited(const std::vector<std::string>& constraints);

private:
    struct Row {
        QWidget* box = nullptr;
        QLineEdit* text = nullptr;
        QLabel* problem = nullptr;
    };
    void addRow(const QString& text);
    void removeRow(const QWidget* box);
    std::vector<std::string> texts() const;
    void emitConstraints();
    void showState();

    study::Study m_study;
    std::vector<Row> m_rows;
    QVBoxLayout* m_lines;
    QLabel* m_count;
};

/// What is wrong with a constraint, in words; empty: nothing.
QString constraintProblem(const study::Study& study, const std::string& text);

/// "20 of 80 combinations can be run." or "About 79 % of the region can be run."
QString legalWords(const study::Study& study);

} // namespace quadric::widgets
