// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/findings/process_findings.h"
#include "widgets/base/banner.h"
#include "widgets/base/job_runner.h"
#include "widgets/base/page.h"

namespace quadric::widgets {

/// Says that a Gaussian process predicts responses notably better than the model that the answer comes from,
/// and offers to use it.
class ProcessBanner : public Banner {
    Q_OBJECT

public:
    explicit ProcessBanner(QWidget* parent = nullptr);

    /// Hidden where nothing is gained, and without a context; compared in the background.
    void showAdvice(const ContextPointer& context);

signals:
    void accepted(const std::vector<std::string>& responses);

private:
    void show(const report::ProcessAdvice& advice);

    report::ProcessAdvice m_advice;
    JobRunner<report::ProcessAdvice> m_job;
};

} // namespace quadric::widgets
