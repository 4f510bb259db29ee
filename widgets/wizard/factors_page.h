// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/recipe/renames.h"
#include "widgets/wizard/wizard_page.h"

class QPushButton;

namespace quadric::widgets {

class ConstraintEditor;
class FactorTableModel;
class FixedTableModel;
class Spreadsheet;

/// What is varied, in a table that is typed into; under it what is fixed and which constraints there are.
class FactorsPage : public WizardPage {
    Q_OBJECT

public:
    explicit FactorsPage(QWidget* parent = nullptr);
    void setStudy(const study::Study& study) override;
    QStringList refusals() const override;

private:
    void buildTable();
    QWidget* buildFixed();
    void take();
    void addFactor();
    void removeFactor();
    void removeFixed();

    study::Study m_study;
    run::RenameTracker m_names;
    FactorTableModel* m_model;
    FixedTableModel* m_fixedModel;
    Spreadsheet* m_table;
    Spreadsheet* m_fixed;
    ConstraintEditor* m_constraints;
    QPushButton* m_remove = nullptr;
};

} // namespace quadric::widgets
