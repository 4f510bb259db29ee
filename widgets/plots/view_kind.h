// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/text/about.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

class QWidget;

namespace quadric::widgets {

class Plot;

/// What a view is about, and with it what a request for its picture has to name.
enum class ViewSubject { Study, Run, Response, TwoResponses };

/// Two factors of a study by their index: X axis and Y axis; of a view along one factor that one twice.
using AxisChoice = std::optional<std::pair<std::size_t, std::size_t>>;

/// What is known of a view of the window. Its help text is resources/help/views/ID.md.
struct ViewKind {
    std::string id;   ///< on the command line and in the study file: "pareto"
    QString title;    ///< "Pareto chart of effects"
    std::string page; ///< "design", "run", "explore", "optimize"
    ViewSubject subject = ViewSubject::Study;
    int axes = 0;             ///< how many factors can be chosen for its axes: 0, 1, 2 or 3
    bool isPlot = true;       ///< false: words or a table
    bool showsResults = true; ///< false: judges the design alone, and is never marked as simulated
    QString tab = {};         ///< its name on a tab, where the title is too long for one
    bool takesLevels = false; ///< categorical factors, too, can be chosen for two or three axes

    QString tabText() const { return tab.isEmpty() ? title : tab; }
};

/// One row of a page's list of views: the view and how it is made. `View` is the page's widget for one,
/// `Source` what its picture is drawn from when no page is shown.
template <typename View, typename Source> struct ViewRow : ViewKind {
    std::function<View*()> make; ///< as the page shows it among others; none: it has a place of its own
    std::function<std::shared_ptr<Plot>(const Source&)> draw; ///< none for words and tables
};

/// The row with this id; none: nullptr.
template <typename Rows> auto findView(const Rows& rows, std::string_view id) -> decltype(rows.data())
{
    for (const auto& row : rows)
        if (row.id == id)
            return &row;
    return nullptr;
}

/// The plot of a view, which lives as long as the view.
template <typename View> std::shared_ptr<Plot> plotOf(const std::shared_ptr<View>& view)
{
    return {view, view->plot()};
}

/// What "What is this?" says of a view.
About aboutView(const ViewKind& kind);

/// The first paragraph of that in plain text for a tooltip, after the title where a tab has a shorter one.
QString viewSummary(const ViewKind& kind);

/// Gives the plot of a view its help text, and its title as accessible name where it has none.
void describePlot(Plot& plot, const ViewKind& kind);

/// Says that `widget` shows the view with this id (ViewKind::id), so that help and search find it.
void markView(QWidget& widget, const std::string& id);

/// The view that `widget` shows or is a part of; of the bar of tabs, the one in front. Empty: none.
std::string viewShownBy(const QWidget* widget);

/// The widget below `root` that shows the view; null: none does.
QWidget* findShownView(const QWidget& root, const std::string& id);

/// Brings the tabs that `widget` lies in to the front, scrolls to it and gives it the focus, or the first in
/// it that takes it.
void revealWidget(QWidget& widget);

} // namespace quadric::widgets
