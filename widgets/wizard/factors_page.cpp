// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/factors_page.h"

#include "widgets/base/style.h"
#include "widgets/wizard/forms/constraint_editor.h"
#include "widgets/wizard/forms/factor_table_model.h"
#include "widgets/wizard/forms/knob_offers.h"
#include "widgets/wizard/forms/spreadsheet.h"
#include "widgets/wizard/forms/value_scale_delegate.h"

#include <QHeaderView>
#include <QVBoxLayout>

namespace quadric::widgets {

namespace {

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

/// A knob of the built-in workload that is not varied yet, or a factor with a name of its own.
study::Factor nextFactor(const study::Study& study)
{
    if (study.benchmark.workload == "builtin") {
        if (const std::optional<study::Factor> knob = suggestedFactor(study, run::thisMachine()))
            return *knob;
    }
    study::Factor factor;
    for (size_t i = study.factors.size() + 1; factor.name.empty() || study::findFactor(study, factor.name);
         ++i)
        factor.name = "factor_" + std::to_string(i);
    return factor;
}

} // namespace

FactorsPage::FactorsPage(QWidget* parent)
    : WizardPage(parent)
    , m_model(new FactorTableModel(this))
    , m_table(new Spreadsheet)
    , m_constraints(new ConstraintEditor)
{
    m_table->setModel(m_model);
    m_table->setItemDelegateForColumn(FactorTableModel::Type, new ChoiceDelegate(typeNames(), false, this));
    m_table->setItemDelegateForColumn(FactorTableModel::ScaleColumn,
                                      new ChoiceDelegate(scaleNames(), false, this));
    m_table->setItemDelegateForColumn(FactorTableModel::Used, new ValueScaleDelegate(*m_model, this));
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 3 * kGap);
    m_table->horizontalHeader()->setStretchLastSection(true);
    nameWidget(m_table, "factorTable", tr("Factors"));

    auto* add = quietButton(tr("&Add factor"));
    m_remove = quietButton(tr("&Remove factor"));
    nameWidget(add, "addFactor", tr("Add a factor"));
    nameWidget(m_remove, "removeFactor", tr("Remove the picked factor"));
    connect(add, &QPushButton::clicked, this, &FactorsPage::addFactor);
    connect(m_remove, &QPushButton::clicked, this, &FactorsPage::removeFactor);
    connect(m_model, &FactorTableModel::edited, this, &FactorsPage::take);

    layOutTable(*this, *m_table, {add, m_remove});
    layout()->addWidget(m_constraints);
    connect(m_constraints, &ConstraintEditor::constraintsEdited, this,
            [this](const std::vector<std::string>& constraints) {
                study::Study study = m_study;
                study.constraints = constraints;
                emit edited(study);
            });
}

void FactorsPage::setStudy(const study::Study& study)
{
    m_study = study;
    m_model->setFactors(study.factors);
    m_remove->setEnabled(!study.factors.empty());
    m_constraints->setStudy(study);
}

void FactorsPage::take()
{
    study::Study study = m_study;
    study.factors = m_model->factors();
    emit edited(study);
}

void FactorsPage::addFactor()
{
    study::Study study = m_study;
    study.factors.push_back(nextFactor(study));
    study.fixed.erase(study.factors.back().name);
    emit edited(study);
    m_table->setCurrentIndex(m_model->index(m_model->rowCount() - 1, 0));
    m_table->setFocus();
}

void FactorsPage::removeFactor()
{
    const int row = m_table->currentRow() >= 0 ? m_table->currentRow() : m_model->rowCount() - 1;
    if (row < 0)
        return;
    study::Study study = m_study;
    const workload::Knob* knob = workload::findKnob(study.factors[size_t(row)].name);
    if (knob && study.benchmark.workload == "builtin")
        study.fixed[std::string(knob->name)] = usualValue(*knob);
    study.factors.erase(study.factors.begin() + row);
    emit edited(study);
}

} // namespace quadric::widgets
