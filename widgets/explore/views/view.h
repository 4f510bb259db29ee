// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/select/recommendation.h"
#include "core/report/finding.h"
#include "widgets/base/picked_runs.h"
#include "widgets/text/about.h"

#include <QWidget>

#include <functional>
#include <vector>

class QMenu;

namespace quadric::widgets {

class Plot;

/// One way to look at the fitted model of a response. It fills a cell of the page's grid.
class View : public QWidget {
    Q_OBJECT

public:
    /// `plot` is what the view draws; none for words and tables.
    explicit View(Plot* plot = nullptr);

    /// A fit without a model shows its message.
    virtual void showFit(const study::Study& study, const model::Fit& fit) = 0;
    /// What is recommended for the response, told before showFit(); for views that speak of it.
    virtual void setScales(const model::Recommendation& /*scales*/) {}
    /// Lights these runs.
    void setPickedRuns(const PickedRuns& runs);
    void setAbout(const About& about);
    /// What can be done with what the view shows.
    void addActions(QMenu& menu);
    Plot* plot() const { return m_plot; }
    /// Puts these factors, by index, on the axes, where the view has a choice of them.
    virtual void setAxes(const std::vector<std::size_t>& /*factors*/) {}
    /// The factors are held elsewhere, in the same study with the same fit; for views that show a slice.
    virtual void moveSlice(const study::Study& /*study*/) {}

signals:
    /// The user wants this factor held at this value, in all views.
    void valueHeld(const QString& factor, const quadric::study::Value& value);
    void runsPicked(const quadric::widgets::PickedRuns& runs);
    void remedyRequested(const quadric::report::Finding& finding);
    /// A model as model::parseModel() reads it.
    void modelRequested(const QString& model);

protected:
    /// How words and tables are copied.
    virtual void addCopyAction(QMenu& /*menu*/) {}
    void contextMenuEvent(QContextMenuEvent* event) override;

    /// What the view draws from now on, with the same help.
    void setPlot(Plot* plot);

private:
    Plot* m_plot;
    About m_about; ///< of words and tables
};

/// A view that is one plot.
class PlotView : public View {
    Q_OBJECT

public:
    /// `show` fills the plot; it is called for fits with and without a model.
    using Show = std::function<void(const study::Study&, const model::Fit&)>;
    PlotView(Plot* plot, Show show);

    void showFit(const study::Study& study, const model::Fit& fit) override;

private:
    Show m_show;
};

} // namespace quadric::widgets
