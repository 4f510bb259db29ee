// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/surface_view.h"

#include "widgets/plots/surface_scene.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <cmath>

namespace quadric::widgets {

namespace {

constexpr Orbit kHome{35.0, 28.0, 1.0};
constexpr double kClickReach = 4.0; ///< pixels that a click may wander
constexpr int kBarSteps = 128;

bool isUsable(const model::SurfaceGrid& grid)
{
    const auto nx = static_cast<Eigen::Index>(grid.x.size());
    const auto ny = static_cast<Eigen::Index>(grid.y.size());
    return nx >= 2 && ny >= 2 && grid.z.rows() == nx && grid.z.cols() == ny &&
           grid.z.array().isFinite().any();
}

double colorBarWidth(const SurfaceScene& scene, const PlotStyle& style)
{
    double width = 0.0;
    for (const BoxTick& tick : scene.axes().z.ticks)
        width = std::max(width, QFontMetricsF(style.small).horizontalAdvance(tick.label));
    return width + 28.0;
}

void drawColorBar(QPainter& painter, const QRectF& area, const SurfaceScene& scene, const PlotStyle& style)
{
    const QRectF bar(area.left() + 8.0, area.top() + area.height() * 0.14, 11.0, area.height() * 0.66);
    const AxisScale scale{scene.lowestColored(), scene.highestColored(), false};
    painter.setRenderHint(QPainter::Antialiasing, false);
    const double step = bar.height() / kBarSteps;
    for (int i = 0; i < kBarSteps; ++i)
        painter.fillRect(QRectF(bar.left(), bar.bottom() - (i + 1) * step, bar.width(), step + 0.5),
                         viridis((i + 0.5) / kBarSteps));
    painter.setRenderHint(QPainter::Antialiasing);
    for (const Tick& tick : verticalTicks(scale, bar.height(), QFontMetricsF(style.small))) {
        const double y = bar.bottom() - scale.fractionOf(tick.value) * bar.height();
        painter.setPen(QPen(style.colors.axis, 1.0));
        painter.drawLine(QPointF(bar.right(), y), QPointF(bar.right() + 3.0, y));
        drawLine(painter, {bar.right() + 6.0, y - 8.0, 200.0, 16.0}, Qt::AlignLeft | Qt::AlignVCenter,
                 style.small, style.colors.mutedText, tick.label);
    }
}

QString namedValue(const std::string& name, const std::string& unit, double value)
{
    const QString end = unit.empty() ? QString() : QLatin1Char(' ') + QString::fromStdString(unit);
    return QString::fromStdString(name) + QStringLiteral(" = ") + formatNumber(value) + end;
}

QString describe(const model::SurfaceGrid& grid, double x, double y, double z)
{
    return namedValue(grid.xName, grid.xUnit, x) + QLatin1Char('\n') + namedValue(grid.yName, grid.yUnit, y) +
           QLatin1Char('\n') + namedValue(grid.response, grid.responseUnit, z);
}

} // namespace

struct SurfaceView::Scene {
    std::optional<SurfaceScene> surface;
    QString reason = QStringLiteral("No surface yet.");
    Orbit orbit = kHome;
    std::optional<QPointF> pressedAt, lastAt;
    bool isDragging = false;
    bool hasTurned = false;

    /// How the box is seen in a plot area; on the screen, in the whole widget.
    Projection projectionIn(const QRectF& plot, const PlotStyle& style) const;
    Projection projectionIn(const SurfaceView& view) const;
    QString tooltipAt(const Projection& projection, QPointF position) const;
};

Projection SurfaceView::Scene::projectionIn(const QRectF& plot, const PlotStyle& style) const
{
    const QRectF area = plot.adjusted(0.0, 0.0, -colorBarWidth(*surface, style), 0.0);
    return Projection(orbit, SurfaceScene::kHeight, area.marginsRemoved(surface->axes().margins(style)));
}

Projection SurfaceView::Scene::projectionIn(const SurfaceView& view) const
{
    const PlotStyle style = plotStyle(view, false);
    return projectionIn(areaBelowHeader(view.rect(), style, true), style);
}

QString SurfaceView::Scene::tooltipAt(const Projection& projection, QPointF position) const
{
    const model::SurfaceGrid& grid = surface->grid();
    if (const model::ObservedPoint* point = surface->pointAt(projection, position))
        return QStringLiteral("Run %1, observed\n").arg(point->run) +
               describe(grid, point->x, point->y, point->z) +
               (surface->isOnThisSurface(*point) ? QString()
                                                 : QStringLiteral("\nother factors are set differently"));
    if (const auto hit = surface->surfaceAt(projection, position))
        return describe(grid, hit->x, hit->y, hit->z) +
               (hit->isExtrapolation ? QStringLiteral("\nextrapolated") : QString());
    return {};
}

SurfaceView::SurfaceView(QWidget* parent)
    : Plot(parent)
    , m_scene(std::make_unique<Scene>())
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Response surface"));
}

SurfaceView::~SurfaceView() = default;

void SurfaceView::setGrid(const model::SurfaceGrid& grid)
{
    if (!isUsable(grid)) {
        clear(tr("The surface has no values to show."));
        return;
    }
    m_scene->surface.emplace(grid);
    update();
}

void SurfaceView::clear(const QString& reason)
{
    m_scene->surface.reset();
    m_scene->reason = reason;
    update();
}

void SurfaceView::setView(double azimuth, double elevation)
{
    m_scene->orbit.set(azimuth, elevation);
    update();
}

double SurfaceView::azimuth() const
{
    return m_scene->orbit.azimuth;
}

double SurfaceView::elevation() const
{
    return m_scene->orbit.elevation;
}

void SurfaceView::setPickedRun(int runId)
{
    Plot::setPickedRun(runId);
}

QSize SurfaceView::sizeHint() const
{
    return {560, 420};
}

void SurfaceView::paintTo(QPainter& painter, const QRectF& target, bool forPrint)
{
    const PlotStyle style = plotStyle(*this, forPrint);
    painter.save();
    painter.setClipRect(target, Qt::IntersectClip);
    const bool isEmpty = !m_scene->surface;
    const QString title =
        isEmpty ? QString()
                : withUnit(m_scene->surface->grid().response, m_scene->surface->grid().responseUnit);
    const QRectF plot = drawHeader(painter, target, style, title, isSimulated());
    if (isEmpty) {
        drawReason(painter, plot, style, m_scene->reason);
    } else {
        const Projection projection = m_scene->projectionIn(plot, style);
        m_scene->surface->axes().paint(painter, projection, style);
        m_scene->surface->paint(painter, projection, style, pickedRun());
        const double width = colorBarWidth(*m_scene->surface, style);
        drawColorBar(painter, {plot.right() - width, plot.top(), width, plot.height()}, *m_scene->surface,
                     style);
    }
    painter.restore();
}

void SurfaceView::paintEvent(QPaintEvent* event)
{
    Plot::paintEvent(event);
    if (!m_scene->surface || m_scene->hasTurned)
        return;
    QPainter painter(this);
    const PlotStyle style = plotStyle(*this, false);
    const QRectF line = QRectF(rect()).adjusted(10.0, height() - style.smallHeight() - 6.0, -10.0, -6.0);
    drawLine(painter, line, Qt::AlignRight | Qt::AlignVCenter, style.small, style.colors.mutedText,
             tr("drag to turn · wheel to zoom"));
}

void SurfaceView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return Plot::mousePressEvent(event);
    m_scene->pressedAt = m_scene->lastAt = event->position();
    m_scene->isDragging = false;
}

void SurfaceView::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_scene->surface)
        return;
    const QPointF at = event->position();
    if (!m_scene->lastAt) {
        const QString text = m_scene->tooltipAt(m_scene->projectionIn(*this), at);
        QToolTip::showText(event->globalPosition().toPoint(), text, this);
        return;
    }
    const QPointF moved = at - *m_scene->pressedAt;
    if (!m_scene->isDragging && std::hypot(moved.x(), moved.y()) <= kClickReach)
        return;
    m_scene->isDragging = m_scene->hasTurned = true;
    m_scene->orbit.drag(at - *m_scene->lastAt);
    m_scene->lastAt = at;
    update();
}

void SurfaceView::mouseReleaseEvent(QMouseEvent* event)
{
    const bool isClick = m_scene->lastAt && !m_scene->isDragging && m_scene->surface;
    m_scene->lastAt.reset();
    if (!isClick)
        return;
    if (const auto* point = m_scene->surface->pointAt(m_scene->projectionIn(*this), event->position()))
        emit runPicked(point->run);
}

void SurfaceView::wheelEvent(QWheelEvent* event)
{
    m_scene->orbit.zoomBy(std::exp2(event->angleDelta().y() / 960.0));
    m_scene->hasTurned = true;
    event->accept();
    update();
}

void SurfaceView::keyPressEvent(QKeyEvent* event)
{
    if (!m_scene->orbit.handleKey(*event, kHome))
        return Plot::keyPressEvent(event);
    m_scene->hasTurned = true;
    update();
}

} // namespace quadric::widgets
