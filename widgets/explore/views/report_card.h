// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"
#include "widgets/base/job_runner.h"
#include "widgets/explore/views/view.h"

class QGridLayout;
class QLabel;
class QVBoxLayout;

namespace quadric::widgets {

class FindingsList;

/// What speaks for the model of a response and what against it, in words, each with a mark that does not need
/// colors and with what to do; below it the numbers that judge it.
class ReportCard : public View {
    Q_OBJECT

public:
    ReportCard();

    void showFit(const study::Study& study, const model::Fit& fit) override;
    void setScales(const model::Recommendation& scales) override { m_scales = scales; }

protected:
    void addCopyAction(QMenu& menu) override;

private:
    void showVerdict(const model::Fit& fit);
    void showStatistics(const model::Fit& fit);

    JobRunner<bool> m_job;                         ///< tests a chosen model
    std::optional<model::Recommendation> m_scales; ///< without it the response is judged by itself
    QString m_text;                                ///< the card as it is copied
    QLabel* m_verdict = nullptr;
    FindingsList* m_findings = nullptr;
    QWidget* m_statistics = nullptr;
    QGridLayout* m_statisticGrid = nullptr;
};

} // namespace quadric::widgets
