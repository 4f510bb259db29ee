// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit.h"
#include "widgets/text/about.h"

#include <QWidget>

#include <functional>

class QMenu;

namespace quadric::widgets {

class Plot;

/// One way to look at the fitted model of a response. It fills a cell of the page's grid.
class View : public QWidget {
    Q_OBJECT

public:
    explicit View(QWidget* parent = nullptr);

    /// A fit without a model shows its message.
    virtual void showFit(const study::Study& study, const model::Fit& fit) = 0;
    /// Lights this run; −1: none.
    virtual void setPickedRun(int run);
    virtual void setAbout(const About& about) = 0;
    /// What can be done with what the view shows.
    virtual void addActions(QMenu& menu) = 0;
    /// What the view draws; none for words and tables.
    virtual Plot* plot() { return nullptr; }
    /// Puts these two numeric factors on the axes, where the view has a choice of them.
    virtual void setAxes(std::size_t /*x*/, std::size_t /*y*/) {}

signals:
    void runPicked(int run);
};

/// A view that is one plot.
class PlotView : public View {
    Q_OBJECT

public:
    /// `show` fills the plot; it is called for fits with and without a model.
    using Show = std::function<void(const study::Study&, const model::Fit&)>;
    PlotView(Plot* plot, Show show);

    void showFit(const study::Study& study, const model::Fit& fit) override;
    void setPickedRun(int run) override;
    void setAbout(const About& about) override;
    void addActions(QMenu& menu) override;
    Plot* plot() override { return m_plot; }

private:
    Plot* m_plot;
    Show m_show;
};

} // namespace quadric::widgets
