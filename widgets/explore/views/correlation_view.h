// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/job_runner.h"
#include "widgets/explore/views/table_view.h"

namespace quadric::widgets {

/// Correlations of the residuals of all responses, whichever is shown. Their models are fitted in the
/// background.
class CorrelationView : public TableView {
    Q_OBJECT

public:
    CorrelationView();

    void showFit(const study::Study& study, const model::Fit& fit) override;

private:
    study::Study m_study; ///< that m_table was made of
    report::Table m_table;
    JobRunner<report::Table> m_job;
};

} // namespace quadric::widgets
