// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/factor.h"

#include <QDialog>

class QLabel;
class QLineEdit;
class QPushButton;

namespace quadric::widgets {

/// Asks for the terms of a model as they are written on the command line. What cannot be read is named as it
/// is typed, and cannot be accepted.
class FormulaDialog : public QDialog {
    Q_OBJECT

public:
    FormulaDialog(std::vector<study::Factor> factors, const QString& formula, QWidget* parent);

    QString formula() const;

private:
    void check();

    std::vector<study::Factor> m_factors;
    QLineEdit* m_edit;
    QLabel* m_verdict;
    QPushButton* m_accept;
};

} // namespace quadric::widgets
