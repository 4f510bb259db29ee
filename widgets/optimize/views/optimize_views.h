// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/page.h"
#include "widgets/optimize/session/optimize_session.h"
#include "widgets/plots/view_kind.h"

#include <QWidget>

namespace quadric::widgets {

/// What the picture of a view of the page is drawn from.
struct AnswerSource {
    const Answer& answer;
    std::vector<std::string> responses = {}; ///< of the views about one or two; overall desirability: none
    AxisChoice axes = {};                    ///< of the views over two factors; none: the study has not two
};

/// One way to look at the answer, below the profiler. A view is told about changes only while it can be seen;
/// what it missed it gets at once when it is shown.
class AnswerView : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;
    virtual void showAnswer(const Answer& answer, Change change) = 0;
    /// The view has something to say of this answer; otherwise it has no tab.
    virtual bool isAbout(const Answer&) const { return true; }
    /// What the view draws; none for words and tables.
    Plot* plot() const { return m_plot; }

    /// For a picture of the view: shows the answer with the responses and axes of the source, and waits for
    /// searches.
    void showWhole(const AnswerSource& source);

signals:
    void settingsPicked(const quadric::study::Settings& settings);
    void runsPicked(const quadric::widgets::PickedRuns& runs);
    /// The setting of a factor varies by this standard deviation in use.
    void deviationRequested(const QString& factor, double sd);
    /// The user wants to add runs at these settings.
    void runsRequested(const std::vector<quadric::study::Settings>& settings);
    /// The study is to go on by itself for so many seconds of runs.
    void goOnRequested(double seconds);
    /// What runs now is to be stopped.
    void stopRequested();

protected:
    /// Says what the view draws.
    void setPlot(Plot* plot);

    /// Chooses what the source names, before its answer is shown.
    virtual void choose(const AnswerSource& source) { Q_UNUSED(source) }

    /// Searches in the background; for a picture, at once.
    template <typename Runner>
    void startSearch(Runner& runner, typename Runner::Job job, typename Runner::Done done)
    {
        if (m_waits)
            return done(job(std::stop_token()));
        runner.start(std::move(job), std::move(done));
    }

private:
    Plot* m_plot = nullptr;
    bool m_waits = false;
};

/// A view that is one plot.
class AnswerPlotView : public AnswerView {
public:
    using Show = std::function<void(const Answer&)>;
    /// `show` fills the plot; `name` is the one that the plot has as an object.
    AnswerPlotView(Plot* plot, const char* name, Show show);

    void showAnswer(const Answer& answer, Change change) override;

private:
    Show m_show;
};

class SurfaceView;

/// What a surface of the answer is of: a response by its index, or the overall desirability.
using SurfaceSubject = std::optional<std::size_t>;

/// The subject over two numeric factors around the setting that is looked at, with so many nodes along each
/// axis; without nodes where no response counts. A response has a model.
model::MarkedSurface computeAnswerSurface(const Answer& answer, const SurfaceSubject& subject,
                                          const AxisChoice& axes, int points);

/// Shows the surface over two factors around the setting that is looked at, which is marked, with so many
/// nodes along each axis; or why there is none.
void showSurface(SurfaceView& surface, const Answer& answer, const SurfaceSubject& subject,
                 const AxisChoice& axes, int points);

using OptimizeView = ViewRow<AnswerView, AnswerSource>;

/// All views of the page: first those with a place of their own and pictures, then what the page shows in
/// place of its map on demand, in that order.
const std::vector<OptimizeView>& optimizeViews();

} // namespace quadric::widgets
