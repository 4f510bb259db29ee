// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/factors_page.h"

#include "core/run/cluster/slurm_call.h"
#include "widgets/base/style.h"
#include "widgets/wizard/forms/constraint_editor.h"
#include "widgets/wizard/forms/workload_form.h"
#include "widgets/wizard/sheets/factor_table_model.h"
#include "widgets/wizard/sheets/response_table_model.h"
#include "widgets/wizard/sheets/spreadsheet.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QVBoxLayout>

namespace quadric::widgets {

namespace {

constexpr int kFixedRows = 3; ///< in sight

QStringList typeNames()
{
    QStringList names;
    for (const auto type : {study::FactorType::Continuous, study::FactorType::Integer,
                            study::FactorType::Discrete, study::FactorType::Categorical})
        names << QString::fromUtf8(study::nameOf(type).data());
    return names;
}

QStringList scaleNames()
{
    return {QString::fromUtf8(study::nameOf(study::Scale::Linear).data()),
            QString::fromUtf8(study::nameOf(study::Scale::Log2).data())};
}

std::vector<std::string> namesOf(const std::vector<study::Factor>& factors)
{
    std::vector<std::string> names;
    names.reserve(factors.size());
    for (const study::Factor& factor : factors)
        names.push_back(factor.name);
    return names;
}

} // namespace

FactorsPage::FactorsPage(QWidget* parent)
    : WizardPage(parent)
    , m_model(new FactorTableModel(this))
    , m_fixedModel(new FixedTableModel(this))
    , m_table(new Spreadsheet(*m_model))
    , m_fixed(new Spreadsheet(*m_fixedModel))
    , m_constraints(new ConstraintEditor)
{
    buildTable();
    setFocusProxy(m_table);
    auto* lower = new QHBoxLayout;
    lower->setSpacing(kPageMargin);
    lower->addWidget(buildFixed(), 2);
    lower->addWidget(m_constraints, 3, Qt::AlignTop);
    static_cast<QVBoxLayout*>(layout())->addLayout(lower);
    connect(m_model, &FactorTableModel::edited, this, &FactorsPage::take);
    connect(m_fixedModel, &FixedTableModel::edited, this, &FactorsPage::take);
    connect(m_constraints, &ConstraintEditor::constraintsEdited, this,
            [this](const std::vector<std::string>& constraints) {
                study::Study study = m_study;
                study.constraints = constraints;
                emit edited(study);
            });
}

void FactorsPage::buildTable()
{
    m_table->setItemDelegateForColumn(FactorTableModel::Type, new ChoiceDelegate(typeNames(), false, this));
    m_table->setItemDelegateForColumn(FactorTableModel::ScaleColumn,
                                      new ChoiceDelegate(scaleNames(), false, this));
    m_table->setItemDelegateForColumn(FactorTableModel::Used, new ValueScaleDelegate(*m_model, this));
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 3 * kGap);
    m_table->horizontalHeader()->setStretchLastSection(true);
    nameWidget(m_table, "factorTable", tr("Factors"));

    auto* add = quietButton(tr("&Add factor"));
    auto* paste = quietButton(tr("&Paste"));
    m_remove = quietButton(tr("&Remove factor"));
    nameWidget(add, "addFactor", tr("Add a factor"));
    nameWidget(paste, "pasteFactors", tr("Paste rows from a spreadsheet"));
    nameWidget(m_remove, "removeFactor", tr("Remove the selected factor"));
    paste->setToolTip(
        tr("Rows from a spreadsheet: name, low and high, or name and levels; with headings in any "
           "order."));
    connect(add, &QPushButton::clicked, this, &FactorsPage::addFactor);
    connect(paste, &QPushButton::clicked, m_table, &Spreadsheet::paste);
    connect(m_remove, &QPushButton::clicked, this, &FactorsPage::removeFactor);
    m_counts = quietButton(tr("GPU co&unts"));
    m_counts->setToolTip(
        tr("Counts that can be scheduled: whole nodes, powers of two, and tensor × pipeline × "
           "data parallel sets."));
    m_countMenu = new QMenu(m_counts);
    m_countMenu->setToolTipsVisible(true);
    m_counts->setMenu(m_countMenu);
    nameWidget(m_counts, "gpuCounts", tr("Counts of GPUs that can be scheduled"));
    connect(m_countMenu, &QMenu::aboutToShow, this, &FactorsPage::fillCounts);
    layOutTable(*this, *m_table, {add, m_remove, paste, m_counts});
}

QWidget* FactorsPage::buildFixed()
{
    nameWidget(m_fixed, "fixedTable", tr("Fixed settings"));
    m_fixed->horizontalHeader()->setStretchLastSection(true);
    m_fixed->setFixedHeight(m_fixed->horizontalHeader()->sizeHint().height() +
                            kFixedRows * m_fixed->verticalHeader()->defaultSectionSize() +
                            2 * m_fixed->frameWidth());
    auto* title = boldLabel(tr("Fixed settings"));
    title->setToolTip(tr("Settings that every run shares. Constraints and commands can use them."));
    auto* remove = quietButton(tr("Remove settin&g"));
    nameWidget(remove, "removeFixed", tr("Remove the selected fixed setting"));
    remove->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    connect(remove, &QPushButton::clicked, this, &FactorsPage::removeFixed);
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, kGap, 0, 0);
    column->setSpacing(kGap);
    column->addWidget(title);
    column->addWidget(m_fixed);
    column->addWidget(remove);
    return box;
}

void FactorsPage::setStudy(const study::Study& study)
{
    m_study = study;
    m_model->setFactors(study.factors);
    m_model->setProblems(cellProblems(study, "factors",
                                      {{"name", FactorTableModel::Name},
                                       {"low", FactorTableModel::Low},
                                       {"high", FactorTableModel::High},
                                       {"scale", FactorTableModel::ScaleColumn},
                                       {"levels", FactorTableModel::Levels},
                                       {"multiple_of", FactorTableModel::Levels}},
                                      *m_model));
    m_fixedModel->setSettings(study.fixed);
    m_fixedModel->setProblems(m_fixedModel->refusals());
    m_names.show(namesOf(study.factors));
    m_remove->setEnabled(!study.factors.empty());
    // The built-in workload has nodes on a cluster and in its simulation.
    const auto node = run::nodeSizeFor(m_study, m_nodes);
    const bool hasNodes = m_study.benchmark.workload != "builtin" || (node && !node->isAssumed);
    m_counts->setVisible(hasNodes && study::rankFactorOf(m_study) != nullptr);
    m_constraints->setStudy(study);
    if (study.benchmark.launcher == study::LauncherKind::Slurm)
        askCluster();
}

QStringList FactorsPage::refusals() const
{
    return inWords(m_model->refusals()) + inWords(m_fixedModel->refusals());
}

void FactorsPage::take()
{
    study::Study study = m_study;
    study.factors = m_model->factors();
    study.fixed = m_fixedModel->settings();
    emit edited(run::withFactorsRenamed(study, m_names.take(namesOf(study.factors))));
}

/// Slurm's nodes, once: a cluster does not change while a study is described.
void FactorsPage::askCluster()
{
    if (m_hasAskedCluster)
        return;
    m_hasAskedCluster = true;
    run::queryClusterNodes(this,
                           [this](const std::vector<run::ClusterNode>& nodes) { m_nodes.cluster = nodes; });
}

/// Where the size of a node is known from, and each proposal with its reason.
void FactorsPage::fillCounts()
{
    m_countMenu->clear();
    const auto node = run::nodeSizeFor(m_study, m_nodes);
    const QString size =
        node ? tr("Nodes of %1 (%2)").arg(node->ranks).arg(QString::fromStdString(node->source))
             : tr("Size of a node: not known. A fixed setting gpus_per_node says it.");
    m_countMenu->addAction(size)->setEnabled(false);
    for (const run::CountProposal& proposal : run::proposeCounts(m_study, node))
        addCounts(proposal);
    if (m_study.benchmark.workload == "builtin") // is data parallel
        return;
    m_countMenu->addSeparator();
    addParallelism(node);
}

void FactorsPage::addCounts(const run::CountProposal& proposal)
{
    QAction* action = m_countMenu->addAction(QString::fromStdString(proposal.title), this, [this, proposal] {
        emit edited(run::withCounts(m_study, proposal));
    });
    action->setToolTip(QString::fromStdString(proposal.reason));
}

void FactorsPage::addParallelism(const std::optional<run::NodeSize>& node)
{
    const study::Study split = run::withParallelism(m_study, node);
    QAction* parallel = m_countMenu->addAction(tr("Add tensor × pipeline × data parallelism"), this,
                                               [this, split] { emit edited(split); });
    parallel->setEnabled(split != m_study);
    parallel->setToolTip(
        split != m_study
            ? tr("Factors tp and pp, and the constraint %1: what is left of the GPUs is data parallel.")
                  .arg(QString::fromStdString(split.constraints.back()))
            : tr("The study has them already."));
}

/// A knob of the built-in workload that is not varied yet, or one with a new name.
void FactorsPage::addFactor()
{
    study::Study study = m_study;
    std::optional<study::Factor> knob;
    if (study.benchmark.workload == "builtin")
        knob = suggestedFactor(study, run::thisMachine());
    study.factors.push_back(knob ? *knob : m_model->newRecord());
    study.fixed.erase(study.factors.back().name);
    emit edited(study);
    m_table->setCurrentIndex(m_model->index(m_model->recordCount() - 1, 0));
    m_table->setFocus();
}

void FactorsPage::removeFactor()
{
    const int row = m_table->currentRow() >= 0 ? m_table->currentRow() : m_model->recordCount() - 1;
    if (row < 0)
        return;
    study::Study study = m_study;
    const workload::Knob* knob = workload::findKnob(study.factors[size_t(row)].name);
    if (knob && study.benchmark.workload == "builtin")
        study.fixed[std::string(knob->name)] = usualValue(*knob);
    study.factors.erase(study.factors.begin() + row);
    emit edited(study);
}

void FactorsPage::removeFixed()
{
    study::Study study = m_study;
    const int row = m_fixed->currentRow();
    if (row < 0)
        return;
    study.fixed.erase(m_fixedModel->index(row, FixedTableModel::Name).data().toString().toStdString());
    emit edited(study);
}

} // namespace quadric::widgets
