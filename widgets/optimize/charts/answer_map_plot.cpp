// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/charts/answer_map_plot.h"

#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/plots/base/iso_lines.h"
#include "widgets/plots/base/plot_style.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/plots/response_plots.h"
#include "widgets/text/axis_choosers.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>

namespace quadric::widgets {

namespace {

/// One limit of one response.
struct OneLimit {
    int layer = 0; ///< of the map
    double limit = 0.0;
    bool isLow = false;
    QString name;
};

OneLimit oneLimit(const optimize::LimitLayer& layer, int index, double limit, bool isLow)
{
    return {index, limit, isLow,
            QString::fromStdString(layer.response) + (isLow ? QStringLiteral(" ≥ ") : QStringLiteral(" ≤ ")) +
                formatNumber(limit)};
}

std::vector<OneLimit> collectMapLimits(const optimize::LimitMap& map)
{
    std::vector<OneLimit> limits;
    for (std::size_t i = 0; i < map.layers.size(); ++i) {
        const optimize::LimitLayer& layer = map.layers[i];
        if (layer.low)
            limits.push_back(oneLimit(layer, static_cast<int>(i), *layer.low, true));
        if (layer.high)
            limits.push_back(oneLimit(layer, static_cast<int>(i), *layer.high, false));
    }
    return limits;
}

void addForbidden(Panel& panel, const GridAxes& axes, const Eigen::MatrixXd& excess, int response)
{
    PanelRegion region{.role = RegionRole::Forbidden, .limitOf = response};
    for (const std::vector<Eigen::Vector2d>& outline : isoRegion(excess, 0.0))
        region.outlines.push_back(axes.polygonOf(outline));
    if (!region.outlines.empty())
        panel.regions.push_back(std::move(region));
}

/// Lines where a grid is 0; the name stands on the longest piece.
void addLines(Panel& panel, const GridAxes& axes, const Eigen::MatrixXd& margin, const PanelContour& like)
{
    PanelContour* longest = nullptr;
    const std::size_t first = panel.contours.size();
    for (const IsoLine& line : isoLines(margin, {0.0})) {
        PanelContour& added = panel.contours.emplace_back(like);
        added.points = axes.polygonOf(line.points);
        added.label.clear();
    }
    for (std::size_t i = first; i < panel.contours.size(); ++i)
        if (longest == nullptr || panel.contours[i].points.size() > longest->points.size())
            longest = &panel.contours[i];
    if (longest != nullptr)
        longest->label = like.label;
}

GridAxes makeMapAxes(const optimize::LimitMap& map)
{
    return {{map.x.front(), map.x.back(), map.xIsLog2},
            {map.y.front(), map.y.back(), map.yIsLog2},
            static_cast<Eigen::Index>(map.x.size()),
            static_cast<Eigen::Index>(map.y.size())};
}

/// Where a grid is above a level, and what the legend calls that; nothing where it is so nowhere.
void addRegion(PanelBoard& board, Panel& panel, const Eigen::MatrixXd& grid, double level, RegionRole role,
               const QString& text)
{
    if (grid.size() == 0)
        return;
    const GridAxes axes{panel.x.scale, panel.y.scale, grid.rows(), grid.cols()};
    PanelRegion region{.role = role};
    for (const std::vector<Eigen::Vector2d>& outline : isoRegion(grid, level))
        region.outlines.push_back(axes.polygonOf(outline));
    if (region.outlines.empty())
        return;
    panel.regions.push_back(std::move(region));
    board.legend.push_back({.sample = LegendEntry::Sample::Region, .text = text, .region = role});
}

void addLimits(Panel& panel, const optimize::LimitMap& map)
{
    for (const OneLimit& limit : collectMapLimits(map)) {
        const GridAxes axes = makeMapAxes(map);
        const Eigen::MatrixXd& value = map.layers[static_cast<std::size_t>(limit.layer)].value;
        const Eigen::MatrixXd excess = ((value.array() - limit.limit) * (limit.isLow ? -1.0 : 1.0)).matrix();
        addForbidden(panel, axes, excess, limit.layer);
        addLines(panel, axes, -excess, {.label = limit.name, .limitOf = limit.layer});
    }
}

/// Limits that stand alone, with all that forbids a setting.
PanelBoard makeLimitBoard(const AnswerMap& shown)
{
    const optimize::LimitMap& map = shown.limits;
    PanelBoard board;
    Panel& panel = board.panels.emplace_back();
    panel.grid = PanelGrid::Both;
    panel.x = {withUnit(map.xName, map.xUnit), {map.x.front(), map.x.back(), map.xIsLog2}};
    panel.y = {withUnit(map.yName, map.yUnit), {map.y.front(), map.y.back(), map.yIsLog2}};
    addLimits(panel, map);
    if (shown.support.size() > 0 && (shown.support.array() < 0.0 && map.isAllowed.array()).any())
        addRegion(board, panel, -shown.support, 0.0, RegionRole::Unsupported,
                  AnswerMapPlot::tr("extrapolated"));
    addFailing(board, panel, makeMapAxes(map), map.running);
    addFailedRuns(board, panel, map.failed);
    addInfeasible(board, panel, makeMapAxes(map), map.constraints);
    addRegion(board, panel, shown.places, 0.5, RegionRole::Confidence,
              AnswerMapPlot::tr("may be the best (95 %)"));
    return board;
}

constexpr std::size_t kBandStride = 2; ///< of the bands of colors

/// The colors need no bar: their lines are labeled.
PanelBoard makeFilledBoard(const AnswerMap& shown)
{
    PanelBoard board = makeMapBoard(std::make_shared<const model::MarkedSurface>(shown.surface), kBandStride);
    board.colors.reset();
    board.title.clear();
    addLimits(board.panels.front(), shown.limits);
    return board;
}

constexpr double kKeyStep = 0.05; ///< of an axis; a fifth of it with Shift

} // namespace

AnswerMapPlot::AnswerMapPlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Map"));
}

void AnswerMapPlot::setMap(const AnswerMap& map)
{
    PanelBoard drawn = map.surface.x.empty() ? makeLimitBoard(map) : makeFilledBoard(map);
    drawn.panels.front().reading = map.reading;
    drawn.panels.front().dots.emplace_back();
    setBoard(std::move(drawn));
    setShown(map.shown);
}

void AnswerMapPlot::setShown(QPointF shown)
{
    PanelBoard moved = board();
    Panel& panel = moved.panels.front();
    panel.dots.back() = {.x = shown.x(),
                         .y = shown.y(),
                         .role = DotRole::Setting,
                         .tip = panel.reading ? panel.reading(shown.x(), shown.y()) : QString(),
                         .isHandle = true};
    setBoard(std::move(moved));
}

void AnswerMapPlot::keyPressEvent(QKeyEvent* event)
{
    const double step = kKeyStep * (event->modifiers() & Qt::ShiftModifier ? 0.2 : 1.0);
    const double x = event->key() == Qt::Key_Right ? step : event->key() == Qt::Key_Left ? -step : 0.0;
    const double y = event->key() == Qt::Key_Up ? step : event->key() == Qt::Key_Down ? -step : 0.0;
    if (board().panels.empty() || (x == 0.0 && y == 0.0) || event->modifiers() & Qt::ControlModifier)
        return PanelPlot::keyPressEvent(event);
    emit stepRequested(x, y);
}

QComboBox* addAxisChooser(QHBoxLayout& row, const QString& name, QWidget* parent)
{
    constexpr int kLetters = 5; // that are seen at least
    auto* chooser = new QComboBox(parent);
    chooser->setAccessibleName(name);
    chooser->setToolTip(name);
    chooser->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    chooser->setMinimumContentsLength(kLetters);
    row.addWidget(chooser, 2);
    return chooser;
}

AxisPair::AxisPair(QWidget* parent)
    : QWidget(parent)
    , m_layout(marginless<QHBoxLayout>(this, 8))
{
    m_first = addAxisChooser(*m_layout, tr("X axis"), this);
    m_layout->addWidget(new QLabel(QStringLiteral("×"), this));
    m_second = addAxisChooser(*m_layout, tr("Y axis"), this);
    m_layout->addStretch(1);
    connect(m_first, &QComboBox::activated, this, [this] { swapWhenEqual(m_first, m_second); });
    connect(m_second, &QComboBox::activated, this, [this] { swapWhenEqual(m_second, m_first); });
}

void AxisPair::setFactors(const std::vector<study::Factor>& factors)
{
    fillAxisChoosers(*m_first, *m_second, factors);
    for (QComboBox* chooser : {m_first, m_second})
        chooser->setProperty("last", chooser->currentIndex());
}

std::optional<std::pair<std::size_t, std::size_t>> AxisPair::axes() const
{
    if (m_first->count() < 2)
        return std::nullopt;
    return std::pair(static_cast<std::size_t>(m_first->currentData().toInt()),
                     static_cast<std::size_t>(m_second->currentData().toInt()));
}

void AxisPair::setAxes(const std::optional<std::pair<std::size_t, std::size_t>>& axes)
{
    if (!axes)
        return;
    m_first->setCurrentIndex(m_first->findData(static_cast<int>(axes->first)));
    m_second->setCurrentIndex(m_second->findData(static_cast<int>(axes->second)));
    for (QComboBox* chooser : {m_first, m_second})
        chooser->setProperty("last", chooser->currentIndex());
}

void AxisPair::addBefore(QWidget* widget, int stretch)
{
    m_layout->insertWidget(0, widget, stretch);
}

/// Choosing the other axis's factor swaps the two.
void AxisPair::swapWhenEqual(QComboBox* moved, QComboBox* other)
{
    if (moved->currentIndex() == other->currentIndex())
        other->setCurrentIndex(moved->property("last").toInt());
    moved->setProperty("last", moved->currentIndex());
    other->setProperty("last", other->currentIndex());
    emit changed();
}

} // namespace quadric::widgets
