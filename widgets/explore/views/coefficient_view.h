// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/explore/views/table_view.h"

class QLineEdit;
class QPushButton;

namespace quadric::widgets {

/// The coefficients in coded units, and under them the equation in actual units to copy.
class CoefficientView : public TableView {
    Q_OBJECT

public:
    CoefficientView();

    void showFit(const study::Study& study, const model::Fit& fit) override;

protected:
    void addCopyAction(QMenu& menu) override;

private:
    void copyEquation();

    QLineEdit* m_equation;
    QPushButton* m_copy;
};

} // namespace quadric::widgets
