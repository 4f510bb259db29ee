// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"
#include "core/report/finding.h"
#include "core/report/table.h"
#include "widgets/base/page.h"
#include "widgets/plots/view_kind.h"
#include "widgets/text/about.h"
#include "widgets/text/text_table.h"

#include <QWidget>

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

class QMenu;
class QLabel;
class QTableView;

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

/// The table with the column of this key at this place, so that what decides is seen without scrolling.
report::Table withColumnAt(report::Table table, std::string_view key, std::size_t place);

/// A view that is one table under what it says in plain words.
class TableView : public View {
    Q_OBJECT

public:
    using MakeTable = std::function<report::Table(const study::Study&, const model::Fit&)>;
    using MakeReading = std::function<QString(const model::Fit&)>;
    TableView(MakeTable table, MakeReading reading);

    void showFit(const study::Study& study, const model::Fit& fit) override;

protected:
    void addCopyAction(QMenu& menu) override;

private:
    MakeTable m_makeTable;
    MakeReading m_makeReading;
    TextTable m_shown;
    QLabel* m_reading;
    QLabel* m_note;
    QTableView* m_view;
    TextTableModel* m_model;
};

/// What the picture of a view of the page is drawn from.
struct ModelSource {
    const study::Study& study;
    const model::Fit& fit;
    std::vector<std::size_t> axes = {}; ///< factors that are asked for; none: the view's own choice
};

using ExploreView = ViewRow<View, ModelSource>;

/// All views of the page, in the order of its chooser: effects, planes, and whether the fit can be believed.
const std::vector<ExploreView>& exploreViews();
std::vector<ExploreView> effectViews();
std::vector<ExploreView> planeViews();
std::vector<ExploreView> fitViews();

/// How a view that needs nothing else is made.
template <typename Kind> View* makeView()
{
    return new Kind;
}

/// Rows of these lists: a view that draws, and one that is words or a table.
ExploreView plotRow(const char* id, const QString& title, View* (*make)(), int axes = 0,
                    bool takesLevels = false);
ExploreView levelRow();   ///< observed values by level
ExploreView opinionRow(); ///< other kinds of models
ExploreView wordRow(const char* id, const QString& title, View* (*make)());

} // namespace quadric::widgets
