// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <QWidget>

class QComboBox;
class QLineEdit;

namespace quadric::widgets {

/// How the results of a command are read: `parse` of its recipe.
class ReadingForm : public QWidget {
    Q_OBJECT

public:
    explicit ReadingForm(QWidget* parent = nullptr);

    /// What the user is typing into is left alone where it already means the same.
    void setStudy(const study::Study& study);
    study::ParseSpec parse() const;

signals:
    void edited();

private:
    void showRows();
    void buildPatterns();

    study::Study m_study;
    QComboBox* m_reading;
    QLineEdit* m_file;
    QWidget* m_patterns;
    std::vector<std::pair<std::string, QLineEdit*>> m_patternEdits; ///< response name, its pattern
};

} // namespace quadric::widgets
