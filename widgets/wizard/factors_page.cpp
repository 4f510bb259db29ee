// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/factors_page.h"

#include "widgets/base/style.h"
#include "widgets/wizard/forms/constraint_editor.h"
#include "widgets/wizard/forms/factor_table_model.h"
#include "widgets/wizard/forms/fixed_table_model.h"
#include "widgets/wizard/forms/knob_offers.h"
#include "widgets/wizard/forms/spreadsheet.h"
#include "widgets/wizard/forms/value_scale_delegate.h"
#include "widgets/wizard/wizard_problems.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
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

QLabel* boldLabel(const QString& text)
{
    auto* label = new QLabel(text);
    QFont font = label->font();
    font.setWeight(QFont::DemiBold);
    label->setFont(font);
    return label;
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
    layOutTable(*this, *m_table, {add, m_remove, paste});
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
    m_constraints->setStudy(study);
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
