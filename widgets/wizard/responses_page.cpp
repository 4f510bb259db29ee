// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/responses_page.h"

#include "core/workload/response_table.h"
#include "widgets/base/style.h"
#include "widgets/wizard/forms/response_table_model.h"
#include "widgets/wizard/forms/spreadsheet.h"
#include "widgets/wizard/wizard_problems.h"

namespace quadric::widgets {

namespace {

QStringList goalNames()
{
    QStringList names;
    for (const auto goal :
         {study::Goal::Maximize, study::Goal::Minimize, study::Goal::Target, study::Goal::None})
        names << QString::fromUtf8(study::nameOf(goal).data());
    return names;
}

QStringList measureNames()
{
    QStringList names;
    for (const workload::Response& known : workload::kResponses)
        names << QString::fromUtf8(known.name);
    return names;
}

/// The first quantity of the built-in workload that is not asked for yet.
std::optional<study::Response> suggestedResponse(const study::Study& study)
{
    if (study.benchmark.workload != "builtin")
        return std::nullopt;
    for (const workload::Response& known : workload::kResponses) {
        if (study::findResponse(study, known.name))
            continue;
        const bool isMaximized = known.aim == workload::Aim::Maximize;
        return study::Response{.name = std::string(known.name),
                               .unit = std::string(known.unit),
                               .goal = isMaximized ? study::Goal::Maximize : study::Goal::Minimize};
    }
    return std::nullopt;
}

std::vector<std::string> namesOf(const std::vector<study::Response>& responses)
{
    std::vector<std::string> names;
    for (const study::Response& response : responses)
        names.push_back(response.name);
    return names;
}

} // namespace

ResponsesPage::ResponsesPage(QWidget* parent)
    : WizardPage(parent)
    , m_model(new ResponseTableModel(this))
    , m_table(new Spreadsheet(*m_model))
    , m_measured(new ChoiceDelegate(measureNames(), true, this))
{
    m_table->setItemDelegateForColumn(ResponseTableModel::GoalColumn,
                                      new ChoiceDelegate(goalNames(), false, this));
    nameWidget(m_table, "responseTable", tr("Responses"));
    setFocusProxy(m_table);

    auto* add = quietButton(tr("&Add response"));
    auto* paste = quietButton(tr("&Paste"));
    m_remove = quietButton(tr("&Remove response"));
    nameWidget(add, "addResponse", tr("Add a response"));
    nameWidget(paste, "pasteResponses", tr("Paste rows from a spreadsheet"));
    nameWidget(m_remove, "removeResponse", tr("Remove the selected response"));
    paste->setToolTip(tr("Rows from a spreadsheet: name, unit, goal, limits; with headings in any order."));
    connect(add, &QPushButton::clicked, this, &ResponsesPage::addResponse);
    connect(paste, &QPushButton::clicked, m_table, &Spreadsheet::paste);
    connect(m_remove, &QPushButton::clicked, this, &ResponsesPage::removeResponse);
    connect(m_model, &ResponseTableModel::edited, this, &ResponsesPage::take);

    layOutTable(*this, *m_table, {add, m_remove, paste});
}

/// Names are offered where they are known: those that the built-in workload reports.
void ResponsesPage::setStudy(const study::Study& study)
{
    m_study = study;
    ChoiceDelegate* names = study.benchmark.workload == "builtin" ? m_measured : nullptr;
    if (m_table->itemDelegateForColumn(ResponseTableModel::Name) != names)
        m_table->setItemDelegateForColumn(ResponseTableModel::Name, names);
    m_model->setResponses(study.responses);
    m_names.show(namesOf(study.responses));
    m_model->setProblems(cellProblems(study, "responses",
                                      {{"name", ResponseTableModel::Name},
                                       {"target", ResponseTableModel::Target},
                                       {"low", ResponseTableModel::Low},
                                       {"high", ResponseTableModel::High},
                                       {"weight", ResponseTableModel::Weight}},
                                      *m_model));
    m_remove->setEnabled(!study.responses.empty());
}

QStringList ResponsesPage::refusals() const
{
    return inWords(m_model->refusals());
}

void ResponsesPage::take()
{
    study::Study study = m_study;
    study.responses = m_model->responses();
    emit edited(run::withResponsesRenamed(study, m_names.take(namesOf(study.responses))));
}

void ResponsesPage::addResponse()
{
    study::Study study = m_study;
    study.responses.push_back(suggestedResponse(study).value_or(m_model->newRecord()));
    emit edited(study);
    m_table->setCurrentIndex(m_model->index(m_model->recordCount() - 1, 0));
    m_table->setFocus();
}

void ResponsesPage::removeResponse()
{
    const int row = m_table->currentRow() >= 0 ? m_table->currentRow() : m_model->recordCount() - 1;
    if (row < 0)
        return;
    study::Study study = m_study;
    study.model.erase(study.responses[size_t(row)].name);
    study.responses.erase(study.responses.begin() + row);
    emit edited(study);
}

} // namespace quadric::widgets
