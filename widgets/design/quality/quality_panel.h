// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/job_runner.h"
#include "widgets/design/quality/judgment.h"

#include <QWidget>

#include <vector>

class QTabWidget;

namespace quadric::widgets {

class QualityView;
struct ViewKind;

/// How good the runs of a study are before anything is measured: the views of designViews(), each on its tab.
/// Judges in the background; the newest study wins and the old numbers stay until then.
class QualityPanel : public QWidget {
    Q_OBJECT

public:
    explicit QualityPanel(QWidget* parent = nullptr);
    void setStudy(const study::Study& study);
    /// Nothing to judge; says why.
    void clear(const QString& reason);
    /// Another view of the design on the first tab, until it gets another parent.
    void showFirst(QWidget* view, const QString& title);

    const Judgment& judgment() const { return m_judgment; }
    const JudgmentOptions& options() const { return m_options; }
    bool isBusy() const { return m_jobs.isBusy(); }

signals:
    void judged();

private:
    void addTab(QualityView* view, const ViewKind& kind);
    void judgeAgain();
    void show(const Judgment& judgment);

    study::Study m_study;
    JudgmentOptions m_options;
    Judgment m_judgment;
    JobRunner<Judgment> m_jobs;
    QTabWidget* m_tabs;
    std::vector<QualityView*> m_views;
};

} // namespace quadric::widgets
