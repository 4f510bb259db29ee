// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <QWidget>

class QComboBox;
class QFormLayout;
class QLineEdit;
class QSpinBox;

namespace quadric::widgets {

/// A command of the user's own: argv template, folder, time limit, and how its results are read.
class CommandForm : public QWidget {
    Q_OBJECT

public:
    explicit CommandForm(QWidget* parent = nullptr);
    void setStudy(const study::Study& study);

signals:
    void benchmarkEdited(const quadric::study::Benchmark& benchmark);

private:
    void buildRows();
    void buildPatterns();
    void take();

    study::Study m_study;
    QFormLayout* m_form;
    QLineEdit* m_command;
    QLineEdit* m_folder;
    QSpinBox* m_timeout;
    QComboBox* m_reading;
    QWidget* m_patterns;
    std::vector<std::pair<std::string, QLineEdit*>> m_patternEdits; ///< response name, its pattern
    bool m_isShowing = false;
};

} // namespace quadric::widgets
