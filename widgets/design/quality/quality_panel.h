// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/design.h"
#include "widgets/base/job_runner.h"
#include "widgets/plots/view_kind.h"

#include <QString>
#include <QWidget>

#include <optional>
#include <vector>

class QLayout;
class QTabWidget;

namespace quadric::widgets {

/// A design's evaluation, or why there is none.
struct Judgment {
    std::optional<design::Evaluation> evaluation;
    QString reason;
};

/// What the runs of a study are judged for.
struct JudgmentOptions {
    std::string model = {}; ///< empty: design::largestModel()
    double effectSd = 2.0;
    bool operator==(const JudgmentOptions&) const = default;
};

/// Throws what design::evaluate() throws.
design::Evaluation evaluated(const study::Study& study, const JudgmentOptions& options);

Judgment judge(const study::Study& study, const JudgmentOptions& options);

/// One way to look at how good a design is, on a tab beside the matrix.
class QualityView : public QWidget {
    Q_OBJECT

public:
    /// Fills the view, with an evaluation or with the reason why there is none.
    using Show = std::function<void(const Judgment&)>;
    /// `plot` is what the view draws; none for words and tables.
    QualityView(Plot* plot, Show show);

    void showJudgment(const Judgment& judgment) { m_show(judgment); }
    Plot* plot() const { return m_plot; }

    /// Puts a chooser or a text below what is there.
    void add(QLayout* row);
    void add(QWidget* content, int stretch = 1);

signals:
    /// Judge for this model (empty: the largest possible), or for effects of this size in noise standard
    /// deviations.
    void modelChosen(const QString& model);
    void effectChosen(double effectSd);

private:
    Plot* m_plot;
    Show m_show;
};

/// What the picture of a view of the page is drawn from.
struct DesignSource {
    const study::Study& study;
    const std::vector<std::string>& axes;      ///< of the cube; empty: as the window chooses them
    std::function<const Judgment&()> judgment; ///< computed when it is asked for
};

using DesignViewRow = ViewRow<QualityView, DesignSource>;

/// All views of the page: the cube, and the tabs of the quality panel in their order.
const std::vector<DesignViewRow>& designViews();

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
