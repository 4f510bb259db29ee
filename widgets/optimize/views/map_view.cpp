// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/views/map_view.h"

#include "core/model/feasibility/feasibility.h"
#include "core/optimize/merit/desirability.h"
#include "core/study/space/constraint.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/plots/scene/surface_view.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr int kMovingPoints = 15;
constexpr int kRestingPoints = 41;
constexpr int kRest = 150;   ///< ms without a change
constexpr int kPlaces = 25;  ///< of the region of the best setting along each axis
constexpr int kOverall = -1; ///< choice of what is shown; a response has its index

study::CodedPoint toCodedPoint(const Answer& answer)
{
    return study::Coding(answer.study().factors).toCoded(answer.settings());
}

/// "throughput 49 300 ± 5 100 img/s, below its limit 52 000".
QString predictionLine(const model::Fit& fit, const optimize::Desirability& desirability,
                       const study::CodedPoint& point)
{
    const model::Prediction prediction = model::predict(fit, point);
    QString line = nameText(fit.response) + QLatin1Char(' ') + predictionText(prediction, fit.unit);
    const optimize::SetLimits limits = optimize::setLimitsOf(desirability);
    if (limits.low && prediction.mean < *limits.low)
        return line + tr(", below its limit %1").arg(formatNumber(*limits.low));
    if (limits.high && prediction.mean > *limits.high)
        return line + tr(", above its limit %1").arg(formatNumber(*limits.high));
    return line;
}

/// 1 where a setting of the plane may be the best, 0 elsewhere; empty while that region is not known.
Eigen::MatrixXd sampleOptimumRegion(const Answer& answer, const AxisChoice& axes)
{
    if (!answer.region || answer.region->isEmpty())
        return {};
    const std::vector<study::Factor>& factors = answer.study().factors;
    const study::Coding coding(factors);
    const auto actual = [&coding](std::size_t factor, int i) {
        return coding.toActual(factor, -1.0 + 2.0 * i / (kPlaces - 1.0));
    };
    Eigen::MatrixXd places = Eigen::MatrixXd::Zero(kPlaces, kPlaces);
    study::Settings settings = answer.settings();
    for (int i = 0; i < kPlaces; ++i) {
        for (int j = 0; j < kPlaces; ++j) {
            settings[factors[axes->first].name] = actual(axes->first, i);
            settings[factors[axes->second].name] = actual(axes->second, j);
            places(i, j) = answer.region->contains(settings) ? 1.0 : 0.0;
        }
    }
    return places;
}

/// What is told of a place of the map: both factors, all predictions with what their limits say, and what
/// forbids it.
std::function<QString(double x, double y)> makeMapReading(const Answer& answer, const AxisChoice& axes)
{
    return [context = answer.context, held = answer.held, settings = answer.settings(),
            axes](double x, double y) mutable {
        const std::vector<study::Factor>& factors = held->factors;
        settings[factors[axes->first].name] = x;
        settings[factors[axes->second].name] = y;
        const auto setting = [&](std::size_t factor, double value) {
            return nameText(factors[factor].name) + QLatin1Char(' ') + valueText(factors[factor], value);
        };
        QStringList lines{setting(axes->first, x), setting(axes->second, y)};
        const study::CodedPoint point = study::Coding(factors).toCoded(settings);
        const optimize::Goals goals = optimize::goalsOf(*held, context->fits);
        for (std::size_t row = 0; row < goals.count(); ++row)
            lines << predictionLine(*goals.fits[row], goals.desirabilities[row], point);
        if (const auto feasibility = model::feasibilityOf(*held))
            lines << runsWithText(feasibility->probabilityAt(point.x));
        if (const QString why = infeasibleText(study::findViolation(*held, settings)); !why.isEmpty())
            lines << why;
        return lines.join(QLatin1Char('\n'));
    };
}

/// The limits that were set; without layers where none was.
optimize::LimitMap answerLimits(const Answer& answer, const AxisChoice& axes, int points)
{
    if (!optimize::hasSetLimits(answer.study()))
        return {};
    return optimize::limitMap(answer.study(), answer.fits(), axes->first, axes->second, toCodedPoint(answer),
                              points);
}

AnswerMap makeMap(const Answer& answer, const SurfaceSubject& subject, const AxisChoice& axes, int points)
{
    return {.surface = computeAnswerSurface(answer, subject, axes, points),
            .limits = answerLimits(answer, axes, points),
            .shown = projectSetting(answer, axes->first, axes->second),
            .reading = makeMapReading(answer, axes)};
}

} // namespace

MapView::MapView(QWidget* parent)
    : AnswerView(parent)
    , m_subject(new QComboBox(this))
    , m_axes(new AxisPair(this))
    , m_asSurface(new QToolButton(this))
    , m_stack(new QStackedWidget(this))
    , m_plot(new AnswerMapPlot)
    , m_surface(new SurfaceView)
{
    setPlot(m_plot);
    m_plot->setObjectName(QStringLiteral("map"));
    m_surface->setObjectName(QStringLiteral("largeSurface"));
    nameWidget(m_subject, "mapOf", tr("Shown on the map"));
    m_subject->setToolTip(tr("The score D (overall desirability), or the prediction of one response."));
    m_subject->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_subject->setMinimumContentsLength(5);
    nameWidget(m_asSurface, "asSurface", tr("As a surface"));
    m_asSurface->setText(tr("3D"));
    m_asSurface->setCheckable(true);
    m_asSurface->setFocusPolicy(Qt::StrongFocus);
    m_asSurface->setToolTip(tr("Shows the map as a large surface that turns."));
    m_axes->addBefore(m_asSurface, 0);
    m_axes->addBefore(m_subject);
    m_stack->addWidget(m_plot);
    m_stack->addWidget(m_surface);
    m_stack->setMinimumSize(180, 140);
    auto* layout = marginless<QVBoxLayout>(this, 4);
    layout->addWidget(m_axes);
    layout->addWidget(m_stack, 1);
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRest);
    connect(&m_rest, &QTimer::timeout, this, [this] { draw(kRestingPoints); });
    connect(m_axes, &AxisPair::changed, this, [this] { draw(kRestingPoints); });
    connect(m_subject, &QComboBox::activated, this, [this] { draw(kRestingPoints); });
    connect(m_asSurface, &QToolButton::toggled, this, [this](bool isShown) {
        emit surfaceToggled(isShown);
        draw(kRestingPoints);
    });
    connect(m_plot, &AnswerMapPlot::placeRequested, this, &MapView::requestSettingsAt);
    connect(m_plot, &AnswerMapPlot::stepRequested, this, &MapView::step);
    connect(m_surface, &Plot::runsPicked, this, &AnswerView::runsPicked);
}

/// The choice is kept while there is such a response.
void MapView::fillSubjects()
{
    const QSignalBlocker quiet(m_subject);
    const QString chosen = m_subject->currentText();
    m_subject->clear();
    m_subject->addItem(tr("Score"), kOverall);
    for (std::size_t i = 0; i < m_answer.fits().size(); ++i)
        if (m_answer.fits()[i].isOk())
            m_subject->addItem(nameText(m_answer.fits()[i].response), static_cast<int>(i));
    m_subject->setCurrentIndex(std::max(0, m_subject->findText(chosen)));
}

SurfaceSubject MapView::subject() const
{
    const int index = m_subject->currentData().toInt();
    return index == kOverall ? SurfaceSubject() : SurfaceSubject(static_cast<std::size_t>(index));
}

void MapView::showAnswer(const Answer& answer, Change change)
{
    if (change == Change::Status)
        return;
    m_answer = answer;
    m_axes->setFactors(answer.study().factors);
    if (m_surface->isSimulated() != answer.isSimulated())
        m_surface->setSimulated(answer.isSimulated());
    const bool isFirst = m_subject->count() == 0; // the first answer may come with any change
    if (change == Change::Models || isFirst)
        fillSubjects();
    m_isStale = m_isStale || change >= Change::Goals;
    const bool isAtRest = change == Change::Models || isFirst;
    draw(isAtRest ? kRestingPoints : kMovingPoints);
    if (!isAtRest)
        m_rest.start();
}

void MapView::draw(int points)
{
    if (!m_answer.context)
        return;
    m_rest.stop();
    m_stack->setCurrentIndex(m_asSurface->isChecked() ? 1 : 0);
    m_isStale = m_isStale || points == kRestingPoints;
    if (m_asSurface->isChecked())
        return showSurface(*m_surface, m_answer, subject(), m_axes->axes(), points);
    if (!m_axes->axes())
        return m_plot->clear(tr("A map needs two numeric factors."));
    drawMap(points);
}

/// The map stays while the dot moves on it.
void MapView::drawMap(int points)
{
    const AxisChoice axes = m_axes->axes();
    study::Settings others = m_answer.settings();
    others.erase(m_answer.study().factors[axes->first].name);
    others.erase(m_answer.study().factors[axes->second].name);
    const bool isOther = m_isStale || others != m_others;
    m_isStale = false;
    if (!isOther && !m_plot->board().panels.empty())
        return m_plot->setShown(projectSetting(m_answer, axes->first, axes->second));
    m_others = std::move(others);
    const AnswerMap map = makeMap(m_answer, subject(), axes, points);
    if (map.surface.x.empty())
        return m_plot->clear(tr("No response has a goal and a weight above 0."));
    m_plot->setHeld(describeHeldFactors(m_answer, axes->first, axes->second));
    m_plot->setMap(map);
}

void MapView::requestSettingsAt(double x, double y)
{
    const auto axes = m_axes->axes();
    if (!axes)
        return;
    const study::Settings moved = withValue(m_answer.study(), m_answer.settings(), axes->first, x);
    emit settingsPicked(withValue(m_answer.study(), moved, axes->second, y));
}

void MapView::step(double x, double y)
{
    const auto axes = m_axes->axes();
    if (!axes)
        return;
    const study::Settings moved = withStep(m_answer.study(), m_answer.settings(), axes->first, x);
    emit settingsPicked(withStep(m_answer.study(), moved, axes->second, y));
}

std::shared_ptr<Plot> drawMap(const AnswerSource& source)
{
    auto plot = std::make_shared<AnswerMapPlot>();
    AnswerMap map;
    if (source.axes && source.answer.context)
        map = makeMap(source.answer, {}, source.axes, kRestingPoints);
    if (map.surface.x.empty()) {
        plot->clear(MapView::tr("A map needs two numeric factors and a response with a goal and a model."));
        return plot;
    }
    plot->setHeld(describeHeldFactors(source.answer, source.axes->first, source.axes->second));
    plot->setMap(map);
    return plot;
}

std::shared_ptr<Plot> drawLimits(const AnswerSource& source)
{
    constexpr int kPoints = 33;
    auto plot = std::make_shared<AnswerMapPlot>();
    plot->setAccessibleName({});
    const Answer& answer = source.answer;
    AnswerMap map;
    if (source.axes && answer.context)
        map.limits = optimize::limitMap(answer.study(), answer.fits(), source.axes->first,
                                        source.axes->second, toCodedPoint(answer), kPoints);
    if (map.limits.isEmpty()) {
        plot->clear(MapView::tr("A map needs two numeric factors and a response with a model."));
        return plot;
    }
    map.shown = projectSetting(answer, source.axes->first, source.axes->second);
    map.support = optimize::supportGrid(answer.study(), answer.fits(), source.axes->first,
                                        source.axes->second, toCodedPoint(answer), kPoints);
    map.places = sampleOptimumRegion(answer, source.axes);
    plot->setHeld(describeHeldFactors(answer, source.axes->first, source.axes->second));
    plot->setMap(map);
    return plot;
}

} // namespace quadric::widgets
