// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/proposal/renames.h"
#include "core/run/recipe/baseline_needs.h"
#include "widgets/wizard/wizard_frame.h"

class QMenu;
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
    /// How many this machine has: the size of a node where the study says none.
    void setGpus(int gpus) { m_nodes.gpusHere = gpus; }

private:
    void buildTable();
    QWidget* buildFixed();
    void take();
    void addFactor();
    void removeFactor();
    void removeFixed();
    void askCluster();
    void fillCounts();
    void addCounts(const run::CountProposal& proposal);
    void addParallelism(const std::optional<run::NodeSize>& node);

    study::Study m_study;
    run::RenameTracker m_names;
    FactorTableModel* m_model;
    FixedTableModel* m_fixedModel;
    Spreadsheet* m_table;
    Spreadsheet* m_fixed;
    ConstraintEditor* m_constraints;
    QPushButton* m_remove = nullptr;
    QPushButton* m_counts = nullptr;
    QMenu* m_countMenu = nullptr;
    run::NodesSeen m_nodes;
    bool m_hasAskedCluster = false;
};

} // namespace quadric::widgets
