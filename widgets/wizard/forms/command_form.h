// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <QWidget>

class QComboBox;
class QFormLayout;
class QLineEdit;
class QPlainTextEdit;
class QSpinBox;

namespace quadric::widgets {

class ReadingForm;

/// A command of the user's own: argv template, environment, folder, time limit, and how its results are read;
/// ready recipes to start from, and a button that asks for a test.
class CommandForm : public QWidget {
    Q_OBJECT

public:
    explicit CommandForm(QWidget* parent = nullptr);
    void setStudy(const study::Study& study);

signals:
    void benchmarkEdited(const quadric::study::Benchmark& benchmark);
    void testRequested();

private:
    void buildRows();
    void takeRecipe(int index);
    void take();

    study::Study m_study;
    QFormLayout* m_form;
    QComboBox* m_recipe;
    QLineEdit* m_command;
    QPlainTextEdit* m_environment;
    QLineEdit* m_folder;
    QSpinBox* m_timeout;
    ReadingForm* m_reading;
    bool m_isShowing = false;
};

} // namespace quadric::widgets
