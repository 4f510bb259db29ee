// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/scene/design_cube.h"

#include "core/text/numbers.h"
#include "widgets/plots/scene/design_scene.h"
#include "widgets/plots/scene/orbit_box.h"
#include "widgets/text/wording.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace quadric::widgets {

namespace {

constexpr Orbit kDesignHome{32.0, 22.0, 1.0};

/// From straight above, so little aside that the axes are drawn at the left and below.
constexpr Orbit kFlatHome{-0.01, 89.99, 1.0};

/// Pixels in which a cube with its axes can be read.
constexpr QSizeF kReadableFacet(190.0, 170.0);

/// Share of a picture's width that labels may take at a side of a cube.
constexpr double kMostMargin = 0.16;

constexpr std::size_t kMostRunsInTip = 6;

/// "Run 11 · batch 8 · lr 0.01 · done", a line for each run of the place.
QString placeText(const study::Study& study, const DesignPoint& point)
{
    QStringList lines;
    for (const int id : point.runs) {
        const study::Run* run = study::findRun(study, id);
        if (lines.size() == qsizetype(kMostRunsInTip)) {
            lines << DesignCube::tr("and %1 more").arg(point.runs.size() - kMostRunsInTip);
            break;
        }
        if (run)
            lines << DesignCube::tr("Run %1 · %2 · %3")
                         .arg(id)
                         .arg(settingsText(study, run->settings), statusText(*run));
    }
    return lines.join(QLatin1Char('\n'));
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
    study::Study study;
    std::vector<std::string> wantedAxes;
    std::vector<DesignScene> facets;  ///< one without a categorical factor; none before the first study
    std::optional<std::string> level; ///< that is wanted; "": all of them; empty: as there is room
    std::string followed;             ///< the level of the picked run
    std::string shown;                ///< the level that was shown last
    Orbit orbit = kDesignHome;
    OrbitDrag drag;

    struct Cell {
        const DesignScene* scene = nullptr;
        QRectF area;
    };

    bool isEmpty() const { return facets.empty() || !facets.front().reason().isEmpty(); }
    bool isFlat() const { return !facets.empty() && facets.front().isFlat(); }
    const Orbit& home() const { return isFlat() ? kFlatHome : kDesignHome; }
    void build();
    const DesignScene* findFacet(const std::string& wanted) const;
    std::string levelIn(const QRectF& plot, bool forPrint) const;
    std::vector<Cell> cellsIn(const QRectF& plot, const PlotStyle& style) const;
    Projection projectionIn(const Cell& cell, const PlotStyle& style) const;
    double titleHeight(const PlotStyle& style) const { return facets.size() > 1 ? style.lineHeight() : 0.0; }
    QString formatFacetTitle(const Cell& cell, bool isAlone) const;
    void paint(QPainter& painter, const QRectF& plot, const PlotStyle& style, const PickedRuns& picked) const;
    const DesignPoint* pointAt(const QRectF& plot, const PlotStyle& style, QPointF position) const;
};

void DesignCube::Scene::build()
{
    DesignView view;
    view.axes = cubeAxes(study, wantedAxes);
    facets.clear();
    const study::Factor* categorical = facetFactor(study);
    for (const std::string& each : categorical ? categorical->categories : std::vector<std::string>{""}) {
        view.facet = categorical ? categorical->name : std::string();
        view.level = each;
        facets.emplace_back(study, view);
    }
}

const DesignScene* DesignCube::Scene::findFacet(const std::string& wanted) const
{
    const auto found =
        std::ranges::find_if(facets, [&](const DesignScene& scene) { return scene.view().level == wanted; });
    return found == facets.end() ? nullptr : &*found;
}

/// The level that is shown in this room; "": all of them.
std::string DesignCube::Scene::levelIn(const QRectF& plot, bool forPrint) const
{
    if (facets.size() < 2)
        return {};
    if (level && (level->empty() || findFacet(*level)))
        return *level;
    const QRectF cell = gridCells(plot, facets.size()).front();
    const bool isReadable =
        cell.width() >= kReadableFacet.width() && cell.height() >= kReadableFacet.height();
    if (forPrint || isReadable)
        return {};
    return findFacet(followed) ? followed : facets.front().view().level;
}

/// The pictures that are shown, above the line of the legend.
std::vector<DesignCube::Scene::Cell> DesignCube::Scene::cellsIn(const QRectF& plot,
                                                                const PlotStyle& style) const
{
    const QRectF pictures = plot.adjusted(0.0, 0.0, 0.0, -style.smallHeight() - 4.0);
    const std::string one = levelIn(plot, style.isForPrint);
    if (const DesignScene* scene = one.empty() ? nullptr : findFacet(one))
        return {{scene, pictures}};
    std::vector<Cell> cells;
    const std::vector<QRectF> areas = gridCells(pictures, facets.size());
    for (std::size_t i = 0; i < facets.size(); ++i)
        cells.push_back({&facets[i], areas[i]});
    return cells;
}

Projection DesignCube::Scene::projectionIn(const Cell& cell, const PlotStyle& style) const
{
    QMarginsF margins = cell.scene->axes().margins(style);
    if (!isFlat()) { // long labels of a cube stand below it, where its corner leaves room
        const double most = kMostMargin * cell.area.width();
        margins.setLeft(std::min(margins.left(), most));
        margins.setRight(std::min(margins.right(), most));
    }
    QRectF area = cell.area.adjusted(0.0, titleHeight(style) + 4.0, 0.0, -4.0).marginsRemoved(margins);
    if (isFlat()) { // it does not turn, so that its corners need no room
        const QSizeF size = area.size() * std::numbers::sqrt2;
        area = QRectF(area.center() - QPointF(size.width(), size.height()) / 2.0, size);
    }
    return Projection(orbit, cell.scene->height(), area);
}

/// "catalyst Pt", and where it stands alone which of them it is.
QString DesignCube::Scene::formatFacetTitle(const Cell& cell, bool isAlone) const
{
    const QString title = QString::fromStdString(cell.scene->view().facet + " " + cell.scene->view().level);
    const auto place = cell.scene - facets.data() + 1;
    return !isAlone ? title : DesignCube::tr("%1 (%2 of %3)").arg(title).arg(place).arg(facets.size());
}

void DesignCube::Scene::paint(QPainter& painter, const QRectF& plot, const PlotStyle& style,
                              const PickedRuns& picked) const
{
    std::vector<study::RunStatus> statuses;
    const std::vector<Cell> cells = cellsIn(plot, style);
    for (const Cell& cell : cells) {
        cell.scene->paint(painter, projectionIn(cell, style), style, picked);
        for (const DesignPoint& point : cell.scene->points())
            statuses.push_back(point.status);
        if (facets.size() > 1)
            drawLine(painter, {cell.area.left(), cell.area.top(), cell.area.width(), titleHeight(style)},
                     Qt::AlignCenter, style.font, style.colors.text,
                     formatFacetTitle(cell, cells.size() == 1));
    }
    const double height = style.smallHeight();
    paintDesignLegend(painter, {plot.left(), plot.bottom() - height, plot.width(), height}, style, statuses);
}

const DesignPoint* DesignCube::Scene::pointAt(const QRectF& plot, const PlotStyle& style,
                                              QPointF position) const
{
    for (const Cell& cell : cellsIn(plot, style))
        if (cell.area.contains(position))
            return cell.scene->pointAt(projectionIn(cell, style), position);
    return nullptr;
}

DesignCube::DesignCube(QWidget* parent)
    : Plot(parent)
    , m_scene(std::make_unique<Scene>())
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Design in space"));
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
    if (!study::findRun(study, pickedRun()))
        setPickedRuns({});
    showLevel();
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

void DesignCube::setLevel(std::optional<std::string> level)
{
    m_scene->level = std::move(level);
    showLevel();
}

std::string DesignCube::shownLevel() const
{
    return m_scene->levelIn(plotArea(), false);
}

void DesignCube::showLevel()
{
    update();
    const std::string level = shownLevel();
    if (std::exchange(m_scene->shown, level) != level)
        emit levelShown(level);
}

bool DesignCube::showNextLevel(int step)
{
    const auto count = static_cast<int>(m_scene->facets.size());
    if (count < 2)
        return false;
    const DesignScene* shown = m_scene->findFacet(shownLevel());
    const int place = shown ? static_cast<int>(shown - m_scene->facets.data()) : step > 0 ? -1 : count;
    setLevel(m_scene->facets[static_cast<std::size_t>((place + step + count) % count)].view().level);
    return true;
}

/// The level of the current run comes into sight.
void DesignCube::setPickedRuns(const PickedRuns& runs)
{
    Plot::setPickedRuns(runs);
    const study::Run* run = study::findRun(m_scene->study, runs.current);
    if (m_scene->facets.size() < 2 || !run)
        return;
    const auto setting = run->settings.find(m_scene->facets.front().view().facet);
    if (setting == run->settings.end())
        return;
    m_scene->followed = study::toText(setting->second);
    if (m_scene->level && !m_scene->level->empty())
        m_scene->level = m_scene->followed;
    showLevel();
}

TextTable DesignCube::table() const
{
    TextTable table{tr("Runs of the design"), {{tr("Run"), {}, true}}, {}, {}};
    for (const study::Factor& factor : m_scene->study.factors)
        table.columns.push_back({nameWithUnit(factor.name, factor.unit), {}, factor.isNumeric()});
    table.columns.push_back({tr("Status"), {}, false});
    for (const study::Run& run : m_scene->study.runs) {
        QStringList& row = table.rows.emplace_back(QStringList{QString::number(run.id)});
        for (const study::Factor& factor : m_scene->study.factors) {
            const auto setting = run.settings.find(factor.name);
            row << (setting == run.settings.end() ? QString::fromUtf8(text::kNothing.data())
                                                  : QString::fromStdString(study::toText(setting->second)));
        }
        row << statusText(run);
    }
    return table.rows.empty() ? TextTable{} : table;
}

void DesignCube::paintTo(QPainter& painter, const QRectF& target, bool forPrint)
{
    const PlotStyle style = plotStyle(*this, forPrint);
    painter.save();
    painter.setClipRect(target, Qt::IntersectClip);
    const QRectF plot = paintHeader(painter, target, style, {});
    if (m_scene->isEmpty())
        drawReason(painter, plot, style,
                   m_scene->facets.empty() ? tr("No design yet.") : m_scene->facets.front().reason());
    else
        m_scene->paint(painter, plot, style, pickedRuns());
    painter.restore();
}

QRectF DesignCube::plotArea() const
{
    return areaBelowHeader(rect(), plotStyle(*this, false), false);
}

void DesignCube::resizeEvent(QResizeEvent* event)
{
    Plot::resizeEvent(event);
    showLevel();
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
        const DesignPoint* point = m_scene->pointAt(plotArea(), plotStyle(*this, false), at);
        QToolTip::showText(event->globalPosition().toPoint(),
                           point ? placeText(m_scene->study, *point) : QString(), this);
        return;
    }
    Orbit orbit = m_scene->orbit;
    if (!m_scene->drag.moveTo(at, orbit) || m_scene->isFlat())
        return;
    m_scene->orbit = orbit;
    update();
}

void DesignCube::mouseReleaseEvent(QMouseEvent* event)
{
    if (!m_scene->drag.release() || m_scene->isEmpty())
        return;
    const bool isBeside = event->modifiers() & Qt::ControlModifier;
    if (const DesignPoint* point = m_scene->pointAt(plotArea(), plotStyle(*this, false), event->position()))
        emit runsPicked(isBeside ? pickedRuns().toggled(nextRun(*point, -1)) : nextRun(*point, pickedRun()));
}

/// Back to the usual view; on a point it is the second of two clicks on it.
void DesignCube::mouseDoubleClickEvent(QMouseEvent* event)
{
    const bool isOnPoint = !m_scene->isEmpty() && m_scene->pointAt(plotArea(), plotStyle(*this, false),
                                                                   event->position()) != nullptr;
    if (event->button() != Qt::LeftButton || isOnPoint)
        return mousePressEvent(event);
    m_scene->orbit = m_scene->home();
    update();
}

void DesignCube::wheelEvent(QWheelEvent* event)
{
    m_scene->orbit.zoomBy(std::exp2(event->angleDelta().y() / 960.0));
    event->accept();
    update();
}

void DesignCube::keyPressEvent(QKeyEvent* event)
{
    const int key = event->key();
    if ((key == Qt::Key_PageDown && showNextLevel(1)) || (key == Qt::Key_PageUp && showNextLevel(-1)))
        return;
    Orbit orbit = m_scene->orbit;
    if (!orbit.handleKey(*event, m_scene->home()))
        return Plot::keyPressEvent(event);
    if (m_scene->isFlat()) // it only grows and shrinks
        orbit.set(m_scene->orbit.azimuth, kFlatHome.elevation);
    m_scene->orbit = orbit;
    update();
}

} // namespace quadric::widgets
