// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/view_grid.h"

#include "widgets/base/style.h"
#include "widgets/explore/view_cell.h"
#include "widgets/explore/views/explore_views.h"
#include "widgets/plots/view_kind.h"

#include <QKeyEvent>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace quadric::widgets {

namespace {

constexpr double kSmallest = 0.05, kLargest = 20.0; ///< sizes beside which a cell could not be seen any more

double sizeAt(const std::vector<double>& sizes, std::size_t index)
{
    return index < sizes.size() ? std::clamp(sizes[index], kSmallest, kLargest) : 1.0;
}

Arrangement::Row rowFrom(const std::vector<std::string>& views, const std::vector<double>& widths)
{
    Arrangement::Row row;
    for (std::size_t i = 0; i < views.size() && row.views.size() < Arrangement::kMostColumns; ++i) {
        if (findView(exploreViews(), views[i]) == nullptr)
            continue;
        row.views.push_back(views[i]);
        row.widths.push_back(sizeAt(widths, i));
    }
    return row;
}

/// Three digits are finer than a pixel.
double rounded(double size)
{
    return std::round(size * 1000.0) / 1000.0;
}

constexpr int kHandle = 16;
constexpr int kRest = 400;      ///< milliseconds after which a handle counts as let go
constexpr double kWhole = 1000; ///< pixels that relative sizes are spread over

QSplitter* makeSplitter(Qt::Orientation orientation)
{
    auto* splitter = new QSplitter(orientation);
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(kHandle);
    return splitter;
}

/// Sizes relative to their mean.
std::vector<double> relativeSizes(const QSplitter& splitter)
{
    const QList<int> sizes = splitter.sizes();
    const double mean =
        std::accumulate(sizes.begin(), sizes.end(), 0.0) / std::max(1.0, double(sizes.size()));
    std::vector<double> relative;
    relative.reserve(sizes.size());
    for (const int size : sizes)
        relative.push_back(mean > 0.0 ? size / mean : 1.0);
    return relative;
}

QList<int> pixels(const std::vector<double>& relative)
{
    QList<int> sizes;
    for (const double size : relative)
        sizes << static_cast<int>(size * kWhole);
    return sizes;
}

/// A view that is not shown yet, so that a new place shows something new.
std::string unusedView(const std::vector<ViewCell*>& cells)
{
    for (const ExploreView& view : exploreViews())
        if (std::ranges::none_of(cells, [&view](const ViewCell* cell) { return cell->view() == view.id; }))
            return view.id;
    return exploreViews().front().id;
}

} // namespace

Arrangement defaultArrangement()
{
    return {{{{"pareto", "main-effects"}, {1.0, 1.0}, 1.0}, {{"surface", "report-card"}, {1.0, 1.0}, 1.25}}};
}

study::PageView writeArrangement(const Arrangement& arrangement)
{
    study::PageView page;
    for (const Arrangement::Row& row : arrangement.rows) {
        page.views.push_back(row.views);
        std::vector<double>& widths = page.widths.emplace_back();
        for (const double width : row.widths)
            widths.push_back(rounded(width));
        page.heights.push_back(rounded(row.height));
    }
    return page;
}

Arrangement readArrangement(const study::PageView& page)
{
    Arrangement arrangement;
    for (std::size_t i = 0; i < page.views.size() && arrangement.rows.size() < Arrangement::kMostRows; ++i) {
        Arrangement::Row row =
            rowFrom(page.views[i], i < page.widths.size() ? page.widths[i] : std::vector<double>());
        row.height = sizeAt(page.heights, i);
        if (!row.views.empty())
            arrangement.rows.push_back(std::move(row));
    }
    return arrangement.rows.empty() ? defaultArrangement() : arrangement;
}

ViewGrid::ViewGrid(QWidget* parent)
    : QWidget(parent)
    , m_rows(makeSplitter(Qt::Vertical))
{
    auto* layout = marginless<QVBoxLayout>(this);
    layout->addWidget(m_rows);
    m_settled.setSingleShot(true);
    m_settled.setInterval(kRest);
    connect(&m_settled, &QTimer::timeout, this, &ViewGrid::arranged);
    connect(m_rows, &QSplitter::splitterMoved, &m_settled, qOverload<>(&QTimer::start));
    build(defaultArrangement());
}

QSplitter* ViewGrid::rowAt(int index) const
{
    return static_cast<QSplitter*>(m_rows->widget(index));
}

std::vector<ViewCell*> ViewGrid::cells() const
{
    std::vector<ViewCell*> all;
    for (int row = 0; row < m_rows->count(); ++row)
        for (int column = 0; column < rowAt(row)->count(); ++column)
            all.push_back(static_cast<ViewCell*>(rowAt(row)->widget(column)));
    return all;
}

Arrangement ViewGrid::arrangement() const
{
    Arrangement arrangement;
    const std::vector<double> heights = relativeSizes(*m_rows);
    for (int i = 0; i < m_rows->count(); ++i) {
        const auto index = static_cast<std::size_t>(i);
        Arrangement::Row row;
        row.height = m_maximised != nullptr ? m_before.rows[index].height : heights[index];
        row.widths = m_maximised != nullptr ? m_before.rows[index].widths : relativeSizes(*rowAt(i));
        for (int column = 0; column < rowAt(i)->count(); ++column)
            row.views.push_back(static_cast<ViewCell*>(rowAt(i)->widget(column))->view());
        arrangement.rows.push_back(std::move(row));
    }
    return arrangement;
}

void ViewGrid::setArrangement(const Arrangement& wanted)
{
    const Arrangement shown = arrangement();
    const bool hasSameShape = std::ranges::equal(
        shown.rows, wanted.rows, {}, [](const auto& row) { return row.views.size(); },
        [](const auto& row) { return row.views.size(); });
    if (!hasSameShape)
        return build(wanted);
    std::vector<double> heights;
    for (std::size_t i = 0; i < wanted.rows.size(); ++i) {
        QSplitter* row = rowAt(int(i));
        for (std::size_t column = 0; column < wanted.rows[i].views.size(); ++column) {
            auto* cell = static_cast<ViewCell*>(row->widget(int(column)));
            cell->setView(wanted.rows[i].views[column]);
        }
        row->setSizes(pixels(wanted.rows[i].widths));
        heights.push_back(wanted.rows[i].height);
    }
    m_rows->setSizes(pixels(heights));
}

void ViewGrid::build(const Arrangement& arrangement)
{
    m_maximised = nullptr;
    while (m_rows->count() > 0)
        delete m_rows->widget(0);
    std::vector<double> heights;
    for (const Arrangement::Row& each : arrangement.rows) {
        QSplitter* row = makeRow();
        m_rows->addWidget(row);
        for (const std::string& view : each.views)
            row->addWidget(makeCell(view));
        row->setSizes(pixels(each.widths));
        heights.push_back(each.height);
    }
    m_rows->setSizes(pixels(heights));
    updateCellMenus();
}

QSplitter* ViewGrid::makeRow()
{
    QSplitter* row = makeSplitter(Qt::Horizontal);
    connect(row, &QSplitter::splitterMoved, &m_settled, qOverload<>(&QTimer::start));
    return row;
}

ViewCell* ViewGrid::makeCell(const std::string& view)
{
    auto* cell = new ViewCell(view);
    connect(cell, &ViewCell::runsPicked, this, &ViewGrid::runsPicked);
    connect(cell, &ViewCell::valueHeld, this, &ViewGrid::valueHeld);
    connect(cell, &ViewCell::remedyRequested, this, &ViewGrid::remedyRequested);
    connect(cell, &ViewCell::modelRequested, this, &ViewGrid::modelRequested);
    connect(cell, &ViewCell::viewChosen, this, [this, cell] {
        fill(*cell);
        emit arranged();
    });
    connect(cell, &ViewCell::columnRequested, this, [this, cell] { addColumn(cell); });
    connect(cell, &ViewCell::rowRequested, this, [this, cell] { addRow(cell); });
    connect(cell, &ViewCell::removeRequested, this, [this, cell] { remove(cell); });
    connect(cell, &ViewCell::maximiseRequested, this, [this, cell] { maximize(cell); });
    return cell;
}

/// Views that are not shown yet know nothing of a study without responses.
void ViewGrid::fill(ViewCell& cell)
{
    if (!m_fit.response.empty())
        cell.showFit(m_study, m_fit);
    cell.setPickedRuns(m_picked);
}

void ViewGrid::showFit(const study::Study& study, const model::Fit& fit)
{
    m_study = study;
    m_fit = fit;
    for (ViewCell* cell : cells())
        fill(*cell);
}

void ViewGrid::moveSlice(const study::Study& study)
{
    if (m_study.view == study.view)
        return;
    m_study.view = study.view;
    for (ViewCell* cell : cells())
        if (!m_fit.response.empty())
            cell->moveSlice(m_study);
}

void ViewGrid::setPickedRuns(const PickedRuns& runs)
{
    m_picked = runs;
    for (ViewCell* cell : cells())
        cell->setPickedRuns(runs);
}

void ViewGrid::showView(const std::string& view)
{
    if (m_maximised == nullptr || m_maximised->view() != view)
        showAll();
    const std::vector<ViewCell*> all = cells();
    const auto isShown = [&view](const ViewCell* cell) { return cell->view() == view; };
    if (all.empty() || std::ranges::any_of(all, isShown))
        return;
    all.back()->setView(view);
    fill(*all.back());
    emit arranged();
}

void ViewGrid::addColumn(ViewCell* cell)
{
    showAll();
    auto* row = static_cast<QSplitter*>(cell->parentWidget());
    ViewCell* added = makeCell(unusedView(cells()));
    row->insertWidget(row->indexOf(cell) + 1, added);
    row->setSizes(QList<int>(row->count(), int(kWhole)));
    fill(*added);
    updateCellMenus();
    emit arranged();
}

void ViewGrid::addRow(ViewCell* cell)
{
    showAll();
    QSplitter* row = makeRow();
    ViewCell* added = makeCell(unusedView(cells()));
    row->addWidget(added);
    m_rows->insertWidget(m_rows->indexOf(cell->parentWidget()) + 1, row);
    m_rows->setSizes(QList<int>(m_rows->count(), int(kWhole)));
    fill(*added);
    updateCellMenus();
    emit arranged();
}

void ViewGrid::remove(ViewCell* cell)
{
    auto* row = static_cast<QSplitter*>(cell->parentWidget());
    if (cells().size() < 2)
        return;
    showAll();
    // Its own menu may have asked, so it is deleted later.
    cell->setParent(nullptr);
    cell->deleteLater();
    if (row->count() == 0)
        delete row;
    updateCellMenus();
    emit arranged();
}

/// Shows one cell alone; asked again, all of them.
void ViewGrid::maximize(ViewCell* cell)
{
    if (m_maximised != nullptr)
        return showAll();
    m_before = arrangement();
    m_maximised = cell;
    for (ViewCell* each : cells())
        each->setVisible(each == cell);
    for (int i = 0; i < m_rows->count(); ++i)
        rowAt(i)->setVisible(rowAt(i) == cell->parentWidget());
    cell->setMaximised(true);
    revealWidget(*cell->shown());
}

void ViewGrid::showAll()
{
    if (m_maximised == nullptr)
        return;
    m_maximised->setMaximised(false);
    m_maximised = nullptr;
    for (int i = 0; i < m_rows->count(); ++i)
        rowAt(i)->setVisible(true);
    for (ViewCell* each : cells())
        each->setVisible(true);
}

/// Tells every cell what its menu can offer.
void ViewGrid::updateCellMenus()
{
    const std::vector<ViewCell*> all = cells();
    for (ViewCell* cell : all) {
        const auto columns = static_cast<std::size_t>(static_cast<QSplitter*>(cell->parentWidget())->count());
        cell->setRoom(
            {columns<Arrangement::kMostColumns,
                     static_cast<std::size_t>(m_rows->count()) < Arrangement::kMostRows, all.size()> 1});
    }
}

void ViewGrid::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape || m_maximised == nullptr)
        return QWidget::keyPressEvent(event);
    showAll();
}

} // namespace quadric::widgets
