// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/design_cube.h"

#include "widgets/plots/design_scene.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <optional>

namespace quadric::widgets {

namespace {

constexpr Orbit kHome{32.0, 22.0, 1.0};
constexpr Orbit kFlatHome{20.0, 55.0, 1.0};
constexpr double kClickReach = 4.0;

QString runsText(const DesignPoint& point)
{
    QStringList ids;
    for (const int run : point.runs)
        ids << QString::number(run);
    const QString word = point.runs.size() == 1 ? QStringLiteral("Run ") : QStringLiteral("Runs ");
    return word + ids.join(QStringLiteral(", "));
}

/// The run of this place that follows the picked one, so that repeated clicks go through all of them.
int nextRun(const DesignPoint& point, int picked)
{
    const auto found = std::ranges::find(point.runs, picked);
    if (found == point.runs.end() || std::next(found) == point.runs.end())
        return point.runs.front();
    return *std::next(found);
}

} // namespace

struct DesignCube::Scene {
    std::optional<DesignScene> design;
    Orbit orbit = kHome;
    std::optional<QPointF> pressedAt, lastAt;
    bool isDragging = false;

    bool isEmpty() const { return !design || !design->reason().isEmpty(); }
    const Orbit& home() const { return design && design->isFlat() ? kFlatHome : kHome; }
    Projection projectionIn(const QRectF& plot, const PlotStyle& style) const
    {
        const QRectF area = plot.adjusted(0.0, 4.0, 0.0, -style.smallHeight() - 4.0);
        return Projection(orbit, design->height(), area.marginsRemoved(design->axes().margins(style)));
    }
    Projection projectionIn(const DesignCube& cube) const
    {
        const PlotStyle style = plotStyle(cube, false);
        return projectionIn(areaBelowHeader(cube.rect(), style, cube.isSimulated()), style);
    }
};

DesignCube::DesignCube(QWidget* parent)
    : Plot(parent)
    , m_scene(std::make_unique<Scene>())
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Design cube"));
}

DesignCube::~DesignCube() = default;

void DesignCube::setStudy(const study::Study& study)
{
    const bool wasFlat = m_scene->design && m_scene->design->isFlat();
    const bool isFirst = !m_scene->design;
    m_scene->design.emplace(study);
    if (isFirst || wasFlat != m_scene->design->isFlat())
        m_scene->orbit = m_scene->home();
    update();
}

void DesignCube::setPickedRun(int runId)
{
    Plot::setPickedRun(runId);
}

void DesignCube::paintTo(QPainter& painter, const QRectF& target, bool forPrint)
{
    const PlotStyle style = plotStyle(*this, forPrint);
    painter.save();
    painter.setClipRect(target, Qt::IntersectClip);
    const QRectF plot = drawHeader(painter, target, style, {}, isSimulated());
    if (m_scene->isEmpty()) {
        drawReason(painter, plot, style, m_scene->design ? m_scene->design->reason() : tr("No design yet."));
    } else {
        const Projection projection = m_scene->projectionIn(plot, style);
        m_scene->design->axes().paint(painter, projection, style);
        m_scene->design->paint(painter, projection, style, pickedRun());
        const double height = style.smallHeight();
        m_scene->design->paintLegend(painter, {plot.left(), plot.bottom() - height, plot.width(), height},
                                     style);
    }
    painter.restore();
}

void DesignCube::paintEvent(QPaintEvent* event)
{
    Plot::paintEvent(event);
}

void DesignCube::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return Plot::mousePressEvent(event);
    m_scene->pressedAt = m_scene->lastAt = event->position();
    m_scene->isDragging = false;
}

void DesignCube::mouseMoveEvent(QMouseEvent* event)
{
    if (m_scene->isEmpty())
        return;
    const QPointF at = event->position();
    if (!m_scene->lastAt) {
        const DesignPoint* point = m_scene->design->pointAt(m_scene->projectionIn(*this), at);
        QToolTip::showText(event->globalPosition().toPoint(), point ? runsText(*point) : QString(), this);
        return;
    }
    const QPointF moved = at - *m_scene->pressedAt;
    if (!m_scene->isDragging && std::hypot(moved.x(), moved.y()) <= kClickReach)
        return;
    m_scene->isDragging = true;
    m_scene->orbit.drag(at - *m_scene->lastAt);
    m_scene->lastAt = at;
    update();
}

void DesignCube::mouseReleaseEvent(QMouseEvent* event)
{
    const bool isClick = m_scene->lastAt && !m_scene->isDragging && !m_scene->isEmpty();
    m_scene->lastAt.reset();
    if (!isClick)
        return;
    if (const DesignPoint* point = m_scene->design->pointAt(m_scene->projectionIn(*this), event->position()))
        emit runPicked(nextRun(*point, pickedRun()));
}

void DesignCube::wheelEvent(QWheelEvent* event)
{
    m_scene->orbit.zoomBy(std::exp2(event->angleDelta().y() / 960.0));
    event->accept();
    update();
}

void DesignCube::keyPressEvent(QKeyEvent* event)
{
    if (!m_scene->orbit.handleKey(*event, m_scene->home()))
        return Plot::keyPressEvent(event);
    update();
}

} // namespace quadric::widgets
