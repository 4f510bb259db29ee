// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/wizard/wizard_page.h"

class QPushButton;

namespace quadric::widgets {

class ConstraintEditor;
class FactorTableModel;
class Spreadsheet;

/// What is varied, in a table that is typed into.
class FactorsPage : public WizardPage {
    Q_OBJECT

public:
    explicit FactorsPage(QWidget* parent = nullptr);
    void setStudy(const study::Study& study) override;
    QStringList places() const override { return {QStringLiteral("factors")}; }

private:
    void take();
    void addFactor();
    void removeFactor();

    study::Study m_study;
    FactorTableModel* m_model;
    Spreadsheet* m_table;
    ConstraintEditor* m_constraints;
    QPushButton* m_remove;
};

} // namespace quadric::widgets
