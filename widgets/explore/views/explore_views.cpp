// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/views/explore_views.h"

#include "widgets/base/style.h"
#include "widgets/plots/base/plot.h"
#include "widgets/text/wording.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QLabel>
#include <QMenu>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace quadric::widgets {

View::View(Plot* plot)
    : m_plot(plot)
{
    if (plot == nullptr)
        return;
    setFocusProxy(plot);
    connect(plot, &Plot::runsPicked, this, &View::runsPicked);
}

void View::setPlot(Plot* plot)
{
    plot->setAbout(m_plot->about());
    m_plot = plot;
    setFocusProxy(plot);
}

void View::setPickedRuns(const PickedRuns& runs)
{
    if (m_plot != nullptr)
        m_plot->setPickedRuns(runs);
}

void View::setAbout(const About& about)
{
    if (m_plot != nullptr)
        m_plot->setAbout(about);
    else
        m_about = about;
}

void View::addActions(QMenu& menu)
{
    if (m_plot != nullptr)
        return addPlotActions(menu, *m_plot);
    addCopyAction(menu);
    if (!m_about.isEmpty())
        menu.addAction(tr("&What is this?"), this, [this] { showAbout(this, m_about); })
            ->setObjectName(QStringLiteral("about"));
}

/// Plots have a menu of their own.
void View::contextMenuEvent(QContextMenuEvent* event)
{
    if (m_plot != nullptr)
        return QWidget::contextMenuEvent(event);
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    addActions(*menu);
    menu->popup(event->globalPos());
}

PlotView::PlotView(Plot* plot, Show show)
    : View(plot)
    , m_show(std::move(show))
{
    auto* layout = marginless<QVBoxLayout>(this);
    layout->addWidget(plot);
}

void PlotView::showFit(const study::Study& study, const model::Fit& fit)
{
    plot()->setSimulated(study::hasSimulatedResults(study));
    plot()->setSource({nameText(study.name), {nameText(fit.response)}});
    m_show(study, fit);
}

namespace {

constexpr qsizetype kShortTitle = 7;

/// Titles of several words on two lines, so that the columns are no wider than their numbers.
TextTable withBrokenTitles(TextTable table)
{
    for (TextColumn& column : table.columns) {
        const qsizetype last = column.title.lastIndexOf(QLatin1Char(' '));
        if (column.isNumber && column.title.size() > kShortTitle && last > 0)
            column.title[last] = QLatin1Char('\n');
    }
    return table;
}

std::shared_ptr<Plot> drawFit(View* made, const ModelSource& source)
{
    const std::shared_ptr<View> view(made);
    view->showFit(source.study, source.fit);
    view->setAxes(source.axes);
    return plotOf(view);
}

} // namespace

report::Table withColumnAt(report::Table table, std::string_view key, std::size_t place)
{
    const auto found = std::ranges::find(table.columns, key, &report::Column::key);
    const auto from = static_cast<std::size_t>(found - table.columns.begin());
    if (found == table.columns.end() || from <= place)
        return table;
    const auto move = [from, place](auto& cells) {
        const auto begin = cells.begin();
        std::rotate(begin + static_cast<std::ptrdiff_t>(place), begin + static_cast<std::ptrdiff_t>(from),
                    begin + static_cast<std::ptrdiff_t>(from) + 1);
    };
    move(table.columns);
    for (std::vector<report::Cell>& row : table.rows)
        move(row);
    return table;
}

TableView::TableView(MakeTable table, MakeReading reading)
    : m_makeTable(std::move(table))
    , m_makeReading(std::move(reading))
    , m_reading(new QLabel)
    , m_note(new QLabel)
    , m_view(new QTableView)
    , m_model(new TextTableModel(this))
{
    m_reading->setWordWrap(true);
    m_reading->setObjectName(QStringLiteral("reading"));
    m_reading->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_note->setWordWrap(true);
    m_note->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_note->setFocusPolicy(Qt::StrongFocus); // where there is no table yet
    setUpTable(*m_view);
    m_view->setModel(m_model);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 4, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(m_reading);
    layout->addWidget(m_view, 1);
    layout->addWidget(m_note);
    setFocusProxy(m_view);
}

void TableView::showFit(const study::Study& study, const model::Fit& fit)
{
    m_shown = fit.isOk() ? typeset(m_makeTable(study, fit)) : TextTable{};
    m_model->setTable(withBrokenTitles(m_shown));
    m_view->setAccessibleName(m_shown.caption);
    m_view->setVisible(!m_shown.columns.empty());
    m_reading->setText(fit.isOk() ? m_makeReading(fit) : QString::fromStdString(fit.message));
    m_reading->setVisible(!m_reading->text().isEmpty());
    m_note->setText(m_shown.note);
    m_note->setVisible(!m_shown.note.isEmpty());
}

void TableView::addCopyAction(QMenu& menu)
{
    QAction* copy = menu.addAction(tr("&Copy table"), this,
                                   [this] { QGuiApplication::clipboard()->setText(tabSeparated(m_shown)); });
    copy->setObjectName(QStringLiteral("copyTable"));
    copy->setEnabled(!m_shown.columns.empty());
}

ExploreView plotRow(const char* id, const QString& title, View* (*make)(), int axes, bool takesLevels)
{
    ExploreView row{{id, title, "explore", ViewSubject::Response, axes},
                    make,
                    [make](const ModelSource& source) { return drawFit(make(), source); }};
    row.takesLevels = takesLevels;
    return row;
}

ExploreView wordRow(const char* id, const QString& title, View* (*make)())
{
    return {{id, title, "explore", ViewSubject::Response, 0, false}, make, {}};
}

const std::vector<ExploreView>& exploreViews()
{
    static const std::vector<ExploreView> views = [] {
        std::vector<ExploreView> all = effectViews();
        for (const auto& more : {planeViews(), fitViews()})
            all.insert(all.end(), more.begin(), more.end());
        return all;
    }();
    return views;
}

} // namespace quadric::widgets
