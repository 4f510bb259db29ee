// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/scene/surface_view.h"

#include "widgets/plots/base/plot_annotations.h"
#include "widgets/plots/panel/panel.h"
#include "widgets/plots/scene/orbit_box.h"
#include "widgets/plots/scene/surface_mesh.h"
#include "widgets/plots/scene/surface_scene.h"
#include "widgets/text/wording.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QTimer>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr Orbit kSurfaceHome{35.0, 28.0, 1.0};
constexpr double kSmallestCell = 9.5; ///< pixels along an edge of the box, about
constexpr int kRest = 150;            ///< milliseconds without a turn after which it is drawn smoothly again

} // namespace

struct SurfaceView::Scene {
    std::optional<SurfaceScene> surface;
    std::optional<QPointF> setting; ///< that is looked at
    QString reason = QStringLiteral("No surface yet.");
    Orbit orbit = kSurfaceHome;
    bool showsInterval = false, showsContours = false;
    OrbitDrag drag;
    bool hasTurned = false;
    QTimer rest; ///< runs while the surface is being turned

    Finish finish() const { return rest.isActive() ? Finish::Quick : Finish::Smooth; }
    double barWidth(const QRectF& plot, const PlotStyle& style) const;
    QRectF legendIn(const QRectF& plot, const PlotStyle& style) const;
    /// How the box is seen in a plot area; on the screen, in the whole widget.
    Projection projectionIn(const QRectF& plot, const PlotStyle& style) const;
    Projection projectionIn(const SurfaceView& view) const;
    QString tooltipAt(const Projection& projection, QPointF position) const;
    void paint(QPainter& painter, const Projection& projection, const PlotStyle& style,
               const PickedRuns& picked, Finish finish) const;
};

/// In a small picture with fewer cells: more of them than pixels can tell apart would only make its file
/// large.
void SurfaceView::Scene::paint(QPainter& painter, const Projection& projection, const PlotStyle& style,
                               const PickedRuns& picked, Finish finish) const
{
    surface->axes().paint(painter, projection, style);
    const double cells = std::max(0.0, 2.0 * projection.scale() / kSmallestCell);
    const auto nodes = static_cast<std::size_t>(cells) + 2;
    const model::MarkedSurface& grid = surface->grid();
    if (nodes >= std::max(grid.x.size(), grid.y.size()))
        surface->paint(painter, projection, style, picked, showsContours, finish);
    else
        surface->coarser(nodes).paint(painter, projection, style, picked, showsContours, finish);
    if (setting)
        surface->paintSetting(painter, projection, style, *setting);
}

double SurfaceView::Scene::barWidth(const QRectF& plot, const PlotStyle& style) const
{
    constexpr double kNarrow = 400.0; // pixels; the upright axis says the same
    return plot.width() < kNarrow ? 0.0 : colorBarWidth(surface->scales().colors, plot.height(), style);
}

QRectF SurfaceView::Scene::legendIn(const QRectF& plot, const PlotStyle& style) const
{
    return {plot.topLeft(),
            QSizeF(plot.width(), legendHeight(listLegendTexts(surface->legend()), plot.size(), style))};
}

Projection SurfaceView::Scene::projectionIn(const QRectF& plot, const PlotStyle& style) const
{
    const QRectF area = plot.adjusted(0.0, legendIn(plot, style).height(), -barWidth(plot, style), 0.0);
    return Projection(orbit, SurfaceScales::kHeight, area.marginsRemoved(surface->axes().margins(style)));
}

Projection SurfaceView::Scene::projectionIn(const SurfaceView& view) const
{
    const PlotStyle style = plotStyle(view, false);
    return projectionIn(areaBelowHeader(view.rect(), style, true), style);
}

QString SurfaceView::Scene::tooltipAt(const Projection& projection, QPointF position) const
{
    const model::MarkedSurface& grid = surface->grid();
    if (const model::ObservedPoint* point = surface->pointAt(projection, position))
        return describe(grid, *point) +
               (surface->isOnThisSurface(*point)
                    ? QString()
                    : SurfaceView::tr("\nmeasured at other settings of the held factors"));
    if (const model::FailedPoint* failed = surface->failedAt(projection, position))
        return describe(grid, *failed);
    if (const auto hit = surface->surfaceAt(projection, position))
        return describe(grid, hit->x(), hit->y());
    return {};
}

SurfaceView::SurfaceView(QWidget* parent)
    : Plot(parent)
    , m_scene(std::make_unique<Scene>())
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Response surface"));
    m_scene->rest.setSingleShot(true);
    m_scene->rest.setInterval(kRest);
    connect(&m_scene->rest, &QTimer::timeout, this, qOverload<>(&QWidget::update));
}

SurfaceView::~SurfaceView() = default;

void SurfaceView::setGrid(const model::MarkedSurface& grid)
{
    if (!isUsable(grid)) {
        clear(tr("The surface has no values to show."));
        return;
    }
    model::MarkedSurface drawn = grid;
    const std::size_t stride = thinningStride(grid.observed.size());
    for (std::size_t i = 0; i * stride < grid.observed.size(); ++i)
        drawn.observed[i] = grid.observed[i * stride];
    drawn.observed.resize((grid.observed.size() + stride - 1) / stride);
    m_scene->surface.emplace(drawn, m_scene->showsInterval);
    update();
}

void SurfaceView::setSetting(std::optional<QPointF> setting)
{
    m_scene->setting = setting;
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

void SurfaceView::setPreset(Preset preset)
{
    m_scene->orbit = kSurfaceHome;
    if (preset != Preset::Corner)
        m_scene->orbit.set(0.0, preset == Preset::Front ? 0.0 : 90.0);
    m_scene->hasTurned = true;
    update();
}

void SurfaceView::setIntervalShown(bool isShown)
{
    m_scene->showsInterval = isShown;
    if (m_scene->surface) // the interval needs room of its own on the axis
        m_scene->surface.emplace(model::MarkedSurface(m_scene->surface->grid()), isShown);
    update();
    emit extrasChanged();
}

bool SurfaceView::isIntervalShown() const
{
    return m_scene->showsInterval;
}

void SurfaceView::setContoursShown(bool isShown)
{
    m_scene->showsContours = isShown;
    update();
    emit extrasChanged();
}

bool SurfaceView::areContoursShown() const
{
    return m_scene->showsContours;
}

TextTable SurfaceView::table() const
{
    return m_scene->surface ? gridTable(m_scene->surface->grid()) : TextTable{};
}

void SurfaceView::paintTo(QPainter& painter, const QRectF& target, bool forPrint)
{
    const PlotStyle style = plotStyle(*this, forPrint);
    painter.save();
    painter.setClipRect(target, Qt::IntersectClip);
    const bool isEmpty = !m_scene->surface;
    const QString title =
        isEmpty ? QString()
                : nameWithUnit(m_scene->surface->grid().response, m_scene->surface->grid().responseUnit);
    const QRectF plot = paintHeader(painter, target, style, title);
    if (isEmpty) {
        drawReason(painter, plot, style, m_scene->reason);
    } else {
        const Projection projection = m_scene->projectionIn(plot, style);
        m_scene->paint(painter, projection, style, pickedRuns(),
                       forPrint ? Finish::Smooth : m_scene->finish());
        paintLegend(painter, m_scene->legendIn(plot, style), m_scene->surface->legend(), style);
        if (const double width = m_scene->barWidth(plot, style); width > 0.0)
            paintColorBar(painter, {plot.right() - width, plot.top(), width, plot.height()},
                          m_scene->surface->scales().colors, style);
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
    m_scene->drag.press(event->position());
}

void SurfaceView::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_scene->surface)
        return;
    const QPointF at = event->position();
    if (!m_scene->drag.isPressed()) {
        const QString text = m_scene->tooltipAt(m_scene->projectionIn(*this), at);
        QToolTip::showText(event->globalPosition().toPoint(), text, this);
        return;
    }
    if (m_scene->drag.moveTo(at, m_scene->orbit))
        turned();
}

void SurfaceView::mouseReleaseEvent(QMouseEvent* event)
{
    if (!m_scene->drag.release() || !m_scene->surface)
        return;
    const bool isBeside = event->modifiers() & Qt::ControlModifier;
    if (const auto* point = m_scene->surface->pointAt(m_scene->projectionIn(*this), event->position()))
        emit runsPicked(isBeside ? pickedRuns().toggled(point->run) : PickedRuns(point->run));
}

void SurfaceView::wheelEvent(QWheelEvent* event)
{
    m_scene->orbit.zoomBy(std::exp2(event->angleDelta().y() / 960.0));
    event->accept();
    turned();
}

/// Draws quickly until the surface rests.
void SurfaceView::turned()
{
    m_scene->hasTurned = true;
    m_scene->rest.start();
    update();
}

bool SurfaceView::handleSwitch(int key)
{
    switch (key) {
    case Qt::Key_1:
        setPreset(Preset::Corner);
        return true;
    case Qt::Key_2:
        setPreset(Preset::Front);
        return true;
    case Qt::Key_3:
        setPreset(Preset::Top);
        return true;
    case Qt::Key_I:
        setIntervalShown(!isIntervalShown());
        return true;
    case Qt::Key_C:
        setContoursShown(!areContoursShown());
        return true;
    default:
        return false;
    }
}

void SurfaceView::keyPressEvent(QKeyEvent* event)
{
    if (m_scene->orbit.handleKey(*event, kSurfaceHome))
        return turned();
    if (event->modifiers() != Qt::NoModifier || !handleSwitch(event->key()))
        Plot::keyPressEvent(event);
}

} // namespace quadric::widgets
