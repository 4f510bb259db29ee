// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/scene/design_scene.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace quadric::widgets {

namespace {

constexpr double kRadius = 5.0;
constexpr double kDesignPointReach = 11.0;
constexpr double kSamePlace = 1e-3; ///< coded units within which two settings are one

using study::RunStatus;

/// Which run speaks for a place that several runs share.
int attention(RunStatus status)
{
    switch (status) {
    case RunStatus::Failed:
        return 4;
    case RunStatus::Running:
        return 3;
    case RunStatus::Pending:
        return 2;
    case RunStatus::Done:
        return 1;
    default:
        return 0;
    }
}

void drawCross(QPainter& painter, QPointF center, double radius, const QColor& color)
{
    const double arm = radius * 0.8;
    painter.setPen(QPen(color, 2.2, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(center - QPointF(arm, arm), center + QPointF(arm, arm));
    painter.drawLine(center - QPointF(arm, -arm), center + QPointF(arm, -arm));
}

void drawRing(QPainter& painter, QPointF center, double radius, const QColor& color, const QColor& fill)
{
    painter.setPen(QPen(color, 1.8));
    painter.setBrush(fill);
    painter.drawEllipse(center, radius, radius);
}

/// Done: a full dot; running: a ring with a core; pending: an open ring; failed: a cross; excluded: a small
/// cross.
void drawSymbol(QPainter& painter, QPointF center, double radius, RunStatus status, const PlotStyle& style)
{
    const PlotColors& colors = style.colors;
    switch (status) {
    case RunStatus::Done:
        drawDot(painter, center, radius, colors.accent, colors.background);
        break;
    case RunStatus::Running:
        drawRing(painter, center, radius, colors.accent, colors.background);
        drawDot(painter, center, radius * 0.42, colors.accent, colors.accent);
        break;
    case RunStatus::Pending:
        drawRing(painter, center, radius, colors.mutedText, colors.background);
        break;
    case RunStatus::Failed:
        drawCross(painter, center, radius, colors.error);
        break;
    case RunStatus::Excluded:
        drawCross(painter, center, radius * 0.7, colors.mutedText);
        break;
    }
}

QString wordFor(RunStatus status)
{
    switch (status) {
    case RunStatus::Done:
        return QStringLiteral("done");
    case RunStatus::Running:
        return QStringLiteral("running");
    case RunStatus::Pending:
        return QStringLiteral("pending");
    case RunStatus::Failed:
        return QStringLiteral("failed");
    default:
        return QStringLiteral("excluded");
    }
}

/// Whether a coding exists: the factor's values have a low and a high end on its scale.
bool canBeCoded(const study::Factor& factor)
{
    try {
        const study::Coding coding({factor});
        return std::isfinite(coding.toActual(0, 0.0));
    } catch (const std::invalid_argument&) {
        return false;
    }
}

/// Coded values of a run on the axes; empty where a setting is missing or cannot be coded.
std::optional<std::array<double, 3>> codedPlace(const study::Coding& axes, const study::Run& run)
{
    std::array<double, 3> coded{0.0, 0.0, 0.0};
    for (std::size_t axis = 0; axis < axes.factors().size(); ++axis) {
        const study::Factor& factor = axes.factors()[axis];
        const auto setting = run.settings.find(factor.name);
        const double actual = setting == run.settings.end() ? NAN : study::numberOf(setting->second);
        if (!std::isfinite(actual) || (factor.scale == study::Scale::Log2 && actual <= 0.0))
            return {};
        coded[axis] = axes.toCoded(axis, actual);
    }
    return coded;
}

bool isShown(const study::Run& run, const DesignView& view)
{
    if (view.facet.empty())
        return true;
    const auto setting = run.settings.find(view.facet);
    return setting != run.settings.end() && study::toText(setting->second) == view.level;
}

/// Nearer ones are larger; in a small picture all are smaller.
double radiusAt(const Projection& projection, const Point3& place)
{
    constexpr double kFullSize = 80.0; // pixels per unit of the box from which dots have their full size
    return kRadius * std::clamp(projection.scale() / kFullSize, 0.65, 1.0) * projection.depthOf({}) /
           projection.depthOf(place);
}

/// Around a dot: upper and lower right, upper and lower left, above, below.
std::array<QRectF, 6> placesAround(const QRectF& dot, const QSizeF& size)
{
    const double right = dot.right() + 1.0, left = dot.left() - 1.0 - size.width();
    const double upper = dot.center().y() - size.height(), lower = dot.center().y();
    const double middle = dot.center().x() - size.width() / 2.0;
    return {QRectF({right, upper}, size),
            QRectF({right, lower}, size),
            QRectF({left, upper}, size),
            QRectF({left, lower}, size),
            QRectF({middle, dot.top() - 1.0 - size.height()}, size),
            QRectF({middle, dot.bottom() + 1.0}, size)};
}

} // namespace

std::vector<std::size_t> cubeFactors(const study::Study& study)
{
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < study.factors.size(); ++i)
        if (study.factors[i].isNumeric() && canBeCoded(study.factors[i]))
            found.push_back(i);
    return found;
}

std::vector<std::size_t> cubeAxes(const study::Study& study, const std::vector<std::string>& wanted)
{
    const std::vector<std::size_t> possible = cubeFactors(study);
    std::vector<std::size_t> axes;
    const auto add = [&](std::size_t factor) {
        if (axes.size() < 3 && std::ranges::count(axes, factor) == 0)
            axes.push_back(factor);
    };
    for (const std::string& name : wanted)
        for (const std::size_t i : possible)
            if (study.factors[i].name == name)
                add(i);
    std::ranges::for_each(possible, add);
    return axes;
}

const study::Factor* facetFactor(const study::Study& study)
{
    constexpr std::size_t kMostFacets = 12;
    for (const study::Factor& factor : study.factors)
        if (!factor.isNumeric() && factor.categories.size() >= 2 && factor.categories.size() <= kMostFacets)
            return &factor;
    return nullptr;
}

DesignScene::DesignScene(const study::Study& study, DesignView view)
    : m_view(std::move(view))
{
    if (m_view.axes.empty()) {
        m_reason = QStringLiteral("No numeric factor to draw: the table lists the runs.");
        return;
    }
    std::vector<study::Factor> factors;
    for (const std::size_t i : m_view.axes)
        factors.push_back(study.factors[i]);
    const study::Coding axes(factors);
    place(study, axes);
    setUpAxes(axes);
}

void DesignScene::place(const study::Study& study, const study::Coding& coding)
{
    std::map<std::array<long, 3>, std::size_t> places;
    for (const study::Run& run : study.runs) {
        const auto coded = codedPlace(coding, run);
        if (!coded)
            continue;
        for (const double x : *coded) // of all runs, so that the facets of a design have one scale
            m_extent = std::max(m_extent, std::abs(x));
        if (!isShown(run, m_view))
            continue;
        std::array<long, 3> key{};
        std::ranges::transform(*coded, key.begin(), [](double x) { return std::lround(x / kSamePlace); });
        const auto [found, isNew] = places.try_emplace(key, m_points.size());
        if (isNew)
            m_points.push_back({{(*coded)[0], (*coded)[1], (*coded)[2]}, {}, run.status});
        DesignPoint& point = m_points[found->second];
        point.runs.push_back(run.id);
        if (attention(run.status) > attention(point.status))
            point.status = run.status;
    }
    for (DesignPoint& point : m_points)
        point.place = {point.place.x / m_extent, point.place.y / m_extent,
                       height() * point.place.z / m_extent};
}

void DesignScene::setUpAxes(const study::Coding& coding)
{
    const std::array<BoxAxis*, 3> axes{&m_axes.x, &m_axes.y, &m_axes.z};
    for (std::size_t axis = 0; axis < coding.factors().size(); ++axis) {
        const study::Factor& factor = coding.factors()[axis];
        axes[axis]->title = withUnit(factor.name, factor.unit);
        for (const double coded : {-1.0, 0.0, 1.0}) {
            const double actual = study::snapToLegal(factor, coding.toActual(axis, coded));
            const bool isEnd = coded != 0.0;
            if (isEnd || (actual != factor.low && actual != factor.high)) // 1 and 2 have no middle
                axes[axis]->ticks.push_back({coded / m_extent, formatNumber(actual)});
        }
    }
}

std::vector<const DesignPoint*> DesignScene::farthestFirst(const Projection& projection) const
{
    std::vector<const DesignPoint*> order;
    for (const DesignPoint& point : m_points)
        order.push_back(&point);
    std::ranges::stable_sort(order, std::ranges::greater{},
                             [&](const DesignPoint* point) { return projection.depthOf(point->place); });
    return order;
}

/// The axis of a single factor through the middle, its labels and title below.
void DesignScene::paintLine(QPainter& painter, const Projection& projection, const PlotStyle& style) const
{
    constexpr double kTick = 10.0; // pixels: longer than the points are high
    const QPointF left = projection.toScreen({-1.0, 0.0, 0.0});
    const QPointF right = projection.toScreen({1.0, 0.0, 0.0});
    painter.setPen(QPen(style.colors.axis, 1.3));
    painter.drawLine(left, right);
    for (const BoxTick& tick : m_axes.x.ticks) {
        const QPointF at = projection.toScreen({tick.at, 0.0, 0.0});
        painter.setPen(QPen(style.colors.axis, 1.3));
        painter.drawLine(at, at + QPointF(0.0, kTick));
        drawLine(painter, {at.x() - 40.0, at.y() + kTick + 2.0, 80.0, style.smallHeight()}, Qt::AlignCenter,
                 style.small, style.colors.mutedText, tick.label);
    }
    drawLine(
        painter,
        {left.x(), left.y() + kTick + style.smallHeight() + 6.0, right.x() - left.x(), style.lineHeight()},
        Qt::AlignCenter, style.font, style.colors.text, m_axes.x.title);
}

void DesignScene::paintEdges(QPainter& painter, const Projection& projection, const PlotStyle& style) const
{
    const double a = 1.0 / m_extent;
    const auto corner = [&](int index) {
        return Point3{index & 1 ? a : -a, index & 2 ? a : -a, (index & 4 ? a : -a) * height()};
    };
    for (int from = 0; from < 8; ++from)
        for (const int step : {1, 2, 4}) {
            if (from & step)
                continue;
            const Point3 start = corner(from);
            const Point3 end = corner(from | step);
            const bool isFar =
                projection.depthOf(start) + projection.depthOf(end) > 2.0 * projection.depthOf({});
            painter.setPen(QPen(blend(style.colors.axis, style.colors.background, isFar ? 0.55 : 1.0), 1.3));
            painter.drawLine(projection.toScreen(start), projection.toScreen(end));
        }
}

void DesignScene::paintPoint(QPainter& painter, const Projection& projection, const PlotStyle& style,
                             const DesignPoint& point, bool isPicked) const
{
    const QPointF at = projection.toScreen(point.place);
    const double radius = radiusAt(projection, point.place);
    if (isPicked)
        drawRing(painter, at, radius + 4.0, style.colors.text, style.colors.background);
    drawSymbol(painter, at, radius, point.status, style);
}

/// How many runs a place has, beside its dot where neither another dot nor another number is, if there is
/// room.
void DesignScene::paintCounts(QPainter& painter, const Projection& projection, const PlotStyle& style) const
{
    std::vector<QRectF> taken;
    for (const DesignPoint& point : m_points) {
        const double reach = radiusAt(projection, point.place) + 1.0;
        taken.push_back(
            QRectF(-reach, -reach, 2.0 * reach, 2.0 * reach).translated(projection.toScreen(point.place)));
    }
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        if (m_points[i].runs.size() < 2)
            continue;
        const QString count = QStringLiteral("×%1").arg(m_points[i].runs.size());
        const QSizeF size(QFontMetricsF(style.small).horizontalAdvance(count) + 2.0,
                          0.8 * style.smallHeight());
        std::array<QRectF, 6> places = placesAround(taken[i], size);
        const auto* free = std::ranges::find_if(places, [&taken](const QRectF& place) {
            return std::ranges::none_of(taken,
                                        [&place](const QRectF& other) { return other.intersects(place); });
        });
        const QRectF place = free == places.end() ? places.front() : *free;
        taken.push_back(place);
        drawLine(painter, place, Qt::AlignCenter, style.small, style.colors.text, count);
    }
}

void DesignScene::paint(QPainter& painter, const Projection& projection, const PlotStyle& style,
                        const PickedRuns& picked) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_view.axes.size() == 1) {
        paintLine(painter, projection, style);
    } else {
        m_axes.paint(painter, projection, style);
        paintEdges(painter, projection, style);
    }
    for (const DesignPoint* point : farthestFirst(projection)) {
        painter.setPen(QPen(blend(style.colors.axis, style.colors.background, 0.6), 1.0, Qt::DotLine));
        painter.drawLine(projection.toScreen(point->place),
                         projection.toScreen({point->place.x, point->place.y, -height()}));
        paintPoint(painter, projection, style, *point,
                   std::ranges::any_of(point->runs, [&picked](int run) { return picked.contains(run); }));
    }
    paintCounts(painter, projection, style);
}

void paintDesignLegend(QPainter& painter, const QRectF& line, const PlotStyle& style,
                       const std::vector<study::RunStatus>& statuses)
{
    painter.setRenderHint(QPainter::Antialiasing);
    double left = line.left() + 4.0;
    for (const RunStatus status :
         {RunStatus::Done, RunStatus::Running, RunStatus::Pending, RunStatus::Failed, RunStatus::Excluded}) {
        if (std::ranges::count(statuses, status) == 0)
            continue;
        drawSymbol(painter, {left + kRadius, line.center().y()}, kRadius * 0.8, status, style);
        const QString word = wordFor(status);
        const double width = QFontMetricsF(style.small).horizontalAdvance(word);
        drawLine(painter, {left + 2.0 * kRadius + 5.0, line.top(), width + 1.0, line.height()},
                 Qt::AlignLeft | Qt::AlignVCenter, style.small, style.colors.mutedText, word);
        left += 2.0 * kRadius + width + 20.0;
    }
}

const DesignPoint* DesignScene::pointAt(const Projection& projection, QPointF position) const
{
    const DesignPoint* nearest = nullptr;
    double reach = kDesignPointReach;
    for (const DesignPoint* point : farthestFirst(projection)) {
        const QPointF offset = projection.toScreen(point->place) - position;
        const double distance = std::hypot(offset.x(), offset.y());
        if (distance <= reach) {
            reach = distance;
            nearest = point;
        }
    }
    return nearest;
}

} // namespace quadric::widgets
