// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/scene/design_cube.h"

#include "core/text/numbers.h"
#include "widgets/plots/scene/design_scene.h"
#include "widgets/plots/scene/orbit_drag.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr Orbit kDesignHome{32.0, 22.0, 1.0};
constexpr Orbit kFlatHome{20.0, 55.0, 1.0};
constexpr std::size_t kMostFacets = 4;

QString runsText(const DesignPoint& point)
{
    QString runs = QString::fromStdString(text::formatRuns(point.runs));
    runs[0] = runs[0].toUpper();
    return runs;
}

/// The run of this place that follows the picked one, so that repeated clicks go through all of them.
int nextRun(const DesignPoint& point, int picked)
{
    const auto found = std::ranges::find(point.runs, picked);
    if (found == point.runs.end() || std::next(found) == point.runs.end())
        return point.runs.front();
    return *std::next(found);
}

/// The categorical factor that divides the cube: the first one that leaves room for each level.
const study::Factor* facetFactor(const study::Study& study)
{
    for (const study::Factor& factor : study.factors)
        if (!factor.isNumeric() && factor.categories.size() >= 2 && factor.categories.size() <= kMostFacets)
            return &factor;
    return nullptr;
}

} // namespace

struct DesignCube::Scene {
    study::Study study;
    std::vector<std::string> wantedAxes;
    std::vector<DesignScene> facets; ///< one without a categorical factor; none before the first study
    Orbit orbit = kDesignHome;
    OrbitDrag drag;

    bool isEmpty() const { return facets.empty() || !facets.front().reason().isEmpty(); }
    bool isFlat() const { return !facets.empty() && facets.front().isFlat(); }
    const Orbit& home() const { return isFlat() ? kFlatHome : kDesignHome; }
    void build();

    QRectF areaOf(std::size_t facet, const QRectF& plot) const;
    Projection projectionIn(std::size_t facet, const QRectF& plot, const PlotStyle& style) const
    {
        const DesignScene& scene = facets[facet];
        const QRectF area =
            areaOf(facet, plot).adjusted(0.0, titleHeight(style) + 4.0, 0.0, -style.smallHeight() - 4.0);
        return Projection(orbit, scene.height(), area.marginsRemoved(scene.axes().margins(style)));
    }
    double titleHeight(const PlotStyle& style) const { return facets.size() > 1 ? style.lineHeight() : 0.0; }
    const DesignPoint* pointAt(const DesignCube& cube, QPointF position) const;
};

void DesignCube::Scene::build()
{
    DesignView view;
    view.axes = cubeAxes(study, wantedAxes);
    facets.clear();
    const study::Factor* categorical = facetFactor(study);
    for (const std::string& level : categorical ? categorical->categories : std::vector<std::string>{""}) {
        view.facet = categorical ? categorical->name : std::string();
        view.level = level;
        facets.emplace_back(study, view);
    }
}

/// Facets stand side by side, or below one another where the room is higher than wide.
QRectF DesignCube::Scene::areaOf(std::size_t facet, const QRectF& plot) const
{
    const double count = static_cast<double>(facets.size());
    const double at = static_cast<double>(facet);
    if (plot.width() >= plot.height())
        return {plot.left() + at * plot.width() / count, plot.top(), plot.width() / count, plot.height()};
    return {plot.left(), plot.top() + at * plot.height() / count, plot.width(), plot.height() / count};
}

const DesignPoint* DesignCube::Scene::pointAt(const DesignCube& cube, QPointF position) const
{
    const PlotStyle style = plotStyle(cube, false);
    const QRectF plot = areaBelowHeader(cube.rect(), style, cube.isSimulated());
    for (std::size_t i = 0; i < facets.size(); ++i)
        if (areaOf(i, plot).contains(position))
            return facets[i].pointAt(projectionIn(i, plot, style), position);
    return nullptr;
}

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
    const bool isFirst = m_scene->facets.empty();
    const bool wasFlat = m_scene->isFlat();
    m_scene->study = study;
    m_scene->build();
    if (isFirst || wasFlat != m_scene->isFlat())
        m_scene->orbit = m_scene->home();
    update();
}

void DesignCube::setAxes(const std::vector<std::string>& factors)
{
    m_scene->wantedAxes = factors;
    if (!m_scene->facets.empty())
        m_scene->build();
    update();
}

std::vector<std::string> DesignCube::axes() const
{
    std::vector<std::string> names;
    for (const std::size_t i : cubeAxes(m_scene->study, m_scene->wantedAxes))
        names.push_back(m_scene->study.factors[i].name);
    return names;
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
        drawReason(painter, plot, style,
                   m_scene->facets.empty() ? tr("No design yet.") : m_scene->facets.front().reason());
    } else {
        for (std::size_t i = 0; i < m_scene->facets.size(); ++i)
            paintFacet(painter, i, plot, style);
    }
    painter.restore();
}

void DesignCube::paintFacet(QPainter& painter, std::size_t facet, const QRectF& plot, const PlotStyle& style)
{
    const DesignScene& scene = m_scene->facets[facet];
    const QRectF area = m_scene->areaOf(facet, plot);
    const Projection projection = m_scene->projectionIn(facet, plot, style);
    scene.axes().paint(painter, projection, style);
    scene.paint(painter, projection, style, pickedRun());
    if (m_scene->facets.size() > 1)
        drawLine(painter, {area.left(), area.top(), area.width(), m_scene->titleHeight(style)},
                 Qt::AlignCenter, style.font, style.colors.text,
                 QString::fromStdString(scene.view().facet + " " + scene.view().level));
    const double height = style.smallHeight();
    scene.paintLegend(painter, {area.left(), area.bottom() - height, area.width(), height}, style);
}

void DesignCube::paintEvent(QPaintEvent* event)
{
    Plot::paintEvent(event);
}

void DesignCube::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return Plot::mousePressEvent(event);
    m_scene->drag.press(event->position());
}

void DesignCube::mouseMoveEvent(QMouseEvent* event)
{
    if (m_scene->isEmpty())
        return;
    const QPointF at = event->position();
    if (!m_scene->drag.isPressed()) {
        const DesignPoint* point = m_scene->pointAt(*this, at);
        QToolTip::showText(event->globalPosition().toPoint(), point ? runsText(*point) : QString(), this);
        return;
    }
    if (m_scene->drag.moveTo(at, m_scene->orbit))
        update();
}

void DesignCube::mouseReleaseEvent(QMouseEvent* event)
{
    if (!m_scene->drag.release() || m_scene->isEmpty())
        return;
    if (const DesignPoint* point = m_scene->pointAt(*this, event->position()))
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
