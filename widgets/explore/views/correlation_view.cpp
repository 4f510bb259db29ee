// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/views/correlation_view.h"

#include "core/model/select/recommended_models.h"
#include "core/report/tables/joint_tables.h"

namespace quadric::widgets {

CorrelationView::CorrelationView()
    : TableView([this](const study::Study&, const model::Fit&) { return m_table; },
                [](const model::Fit&) { return QString(); })
{
}

void CorrelationView::showFit(const study::Study& study, const model::Fit& fit)
{
    TableView::showFit(study, fit);
    if (study == m_study)
        return;
    m_study = study;
    m_job.start(
        [study](const std::stop_token&) {
            return report::makeResidualCorrelationTable(model::fitByDefault(study));
        },
        [this, fit](const report::Table& table) {
            m_table = table;
            TableView::showFit(m_study, fit);
        });
}

} // namespace quadric::widgets
