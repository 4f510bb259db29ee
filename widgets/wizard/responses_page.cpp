// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/responses_page.h"

#include "core/workload/response_table.h"
#include "widgets/base/style.h"
#include "widgets/wizard/forms/response_table_model.h"
#include "widgets/wizard/forms/spreadsheet.h"

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

/// The first quantity of the built-in workload that is not asked for yet, or one with a name of its own.
study::Response nextResponse(const study::Study& study)
{
    study::Response response;
    if (study.benchmark.workload == "builtin") {
        for (const workload::Response& known : workload::kResponses) {
            if (study::findResponse(study, known.name))
                continue;
            response.name = known.name;
            response.unit = known.unit;
            response.goal =
                known.aim == workload::Aim::Maximize ? study::Goal::Maximize : study::Goal::Minimize;
            return response;
        }
    }
    for (size_t i = study.responses.size() + 1;
         response.name.empty() || study::findResponse(study, response.name); ++i)
        response.name = "response_" + std::to_string(i);
    return response;
}

} // namespace

ResponsesPage::ResponsesPage(QWidget* parent)
    : WizardPage(parent)
    , m_model(new ResponseTableModel(this))
    , m_table(new Spreadsheet)
{
    m_table->setModel(m_model);
    m_table->setItemDelegateForColumn(ResponseTableModel::Name,
                                      new ChoiceDelegate(measureNames(), true, this));
    m_table->setItemDelegateForColumn(ResponseTableModel::GoalColumn,
                                      new ChoiceDelegate(goalNames(), false, this));
    nameWidget(m_table, "responseTable", tr("Responses"));

    auto* add = quietButton(tr("&Add response"));
    m_remove = quietButton(tr("&Remove response"));
    nameWidget(add, "addResponse", tr("Add a response"));
    nameWidget(m_remove, "removeResponse", tr("Remove the picked response"));
    connect(add, &QPushButton::clicked, this, &ResponsesPage::addResponse);
    connect(m_remove, &QPushButton::clicked, this, &ResponsesPage::removeResponse);
    connect(m_model, &ResponseTableModel::edited, this, &ResponsesPage::take);

    layOutTable(*this, *m_table, {add, m_remove});
}

void ResponsesPage::setStudy(const study::Study& study)
{
    m_study = study;
    m_model->setResponses(study.responses);
    m_remove->setEnabled(study.responses.size() > 1);
}

void ResponsesPage::take()
{
    study::Study study = m_study;
    study.responses = m_model->responses();
    emit edited(study);
}

void ResponsesPage::addResponse()
{
    study::Study study = m_study;
    study.responses.push_back(nextResponse(study));
    emit edited(study);
    m_table->setCurrentIndex(m_model->index(m_model->rowCount() - 1, 0));
    m_table->setFocus();
}

void ResponsesPage::removeResponse()
{
    const int row = m_table->currentRow() >= 0 ? m_table->currentRow() : m_model->rowCount() - 1;
    if (row < 0)
        return;
    study::Study study = m_study;
    study.model.erase(study.responses[size_t(row)].name);
    study.responses.erase(study.responses.begin() + row);
    emit edited(study);
}

} // namespace quadric::widgets
