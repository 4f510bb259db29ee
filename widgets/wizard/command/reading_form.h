// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/recipe/recipe_problems.h"

#include <QFormLayout>
#include <QLabel>
#include <QWidget>

#include <vector>

class QPushButton;
class QComboBox;
class QLineEdit;

namespace quadric::widgets {

/// The field with a button at its right.
QWidget* besideButton(QWidget* field, QPushButton* button);

/// A row of a form whose parts stand one under the other; what is hidden takes no room. The label leads to
/// `field`.
void addLabeledRow(QFormLayout& form, const QString& title, QWidget* field,
                   const std::vector<QWidget*>& parts);

/// What is wrong with a field, under it: takes no room while there is nothing.
class FieldNote : public QLabel {
    Q_OBJECT

public:
    explicit FieldNote(const char* objectName, const QString& accessibleName, QWidget* parent = nullptr);

    /// Shows those whose place begins with one of these.
    void showProblems(const std::vector<run::RecipeProblem>& problems, const QStringList& places);
};

/// How the results of a command are read: `parse` of its recipe. What was typed for another way of reading
/// stays, and comes back with it.
class ReadingForm : public QWidget {
    Q_OBJECT

public:
    explicit ReadingForm(QWidget* parent = nullptr);

    /// What the user is typing into is left alone where it already means the same.
    void setStudy(const study::Study& study);
    study::ParseSpec parse() const;
    void showProblems(const std::vector<run::RecipeProblem>& problems);

signals:
    void edited();

private:
    /// The pattern for a response.
    struct Row {
        std::string response;
        QLineEdit* edit;
        FieldNote* note;
    };

    void applyReadingChoice();
    void showRows();
    void buildPatterns();
    QString keptPattern(const std::vector<Row>& before, std::size_t row) const;

    study::Study m_study;
    QComboBox* m_reading;
    QLineEdit* m_file;
    FieldNote* m_fileNote;
    QWidget* m_patterns;
    std::vector<Row> m_rows;
};

} // namespace quadric::widgets
