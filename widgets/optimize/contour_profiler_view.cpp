// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/limits_view.h"

#include "core/optimize/merit/limit_map.h"
#include "widgets/base/theme.h"
#include "widgets/optimize/axis_pair.h"
#include "widgets/optimize/limit_plot.h"
#include "widgets/optimize/setting_steps.h"
#include "widgets/optimize/steady_label.h"
#include "widgets/text/held_text.h"
#include "widgets/text/wording.h"

#include <QVBoxLayout>

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr int kPoints = 33;
constexpr int kPlaces = 25; ///< of the region of the best setting along each axis

QString percent(double share)
{
    return formatPercent(share, 0).replace(QLatin1Char(' '), QChar::Nbsp);
}

/// 1 where a setting of the plane may be the best, 0 elsewhere.
Eigen::MatrixXd placesOf(const Answer& answer, std::size_t x, std::size_t y, const std::stop_token& stop)
{
    const study::Coding coding(answer.study().factors);
    const auto actual = [&coding](std::size_t factor, int i) {
        return coding.toActual(factor, -1.0 + 2.0 * i / (kPlaces - 1.0));
    };
    Eigen::MatrixXd places = Eigen::MatrixXd::Zero(kPlaces, kPlaces);
    study::Settings settings = answer.settings();
    for (int i = 0; i < kPlaces && !stop.stop_requested(); ++i) {
        for (int j = 0; j < kPlaces; ++j) {
            settings[answer.study().factors[x].name] = actual(x, i);
            settings[answer.study().factors[y].name] = actual(y, j);
            places(i, j) = answer.region->contains(settings) ? 1.0 : 0.0;
        }
    }
    return places;
}

} // namespace

QString limitsText(const optimize::LimitMap& map)
{
    QString size = map.feasible > 0.0
                       ? LimitsView::tr("All limits hold on %1 of this map.").arg(percent(map.feasible))
                       : LimitsView::tr("Nowhere on this map do all limits hold at once.");
    const auto worst = std::ranges::max_element(
        map.layers, {}, [](const optimize::LimitLayer& layer) { return layer.forbidsAlone; });
    if (worst == map.layers.end() || worst->forbidsAlone <= 0.0)
        return size;
    return size + LimitsView::tr(" What limits it most: %1, which alone rules out another %2.")
                      .arg(nameText(worst->response), percent(worst->forbidsAlone));
}

LimitsView::LimitsView(QWidget* parent)
    : AnswerView(parent)
    , m_axes(new AxisPair(this))
    , m_words(new SteadyLabel(1, this))
    , m_plot(new LimitPlot(this))
{
    setPlot(m_plot);
    m_words->setGrowing(true);
    m_words->setObjectName(QStringLiteral("limitsText"));
    m_words->setToolTip(tr("Shares of the rectangle between low and high of both factors, other factors "
                           "fixed at the current setting."));
    m_plot->setObjectName(QStringLiteral("limits"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 8, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_axes);
    layout->addWidget(m_words);
    layout->addWidget(m_plot, 1);
    connect(m_axes, &AxisPair::changed, this, &LimitsView::showMap);
    connect(m_plot, &LimitPlot::placeRequested, this, &LimitsView::look);
    connect(m_plot, &LimitPlot::stepRequested, this, &LimitsView::step);
}

void LimitsView::choose(const AnswerSource& source)
{
    m_axes->setFactors(source.answer.study().factors);
    m_axes->setAxes(source.axes);
}

void LimitsView::showAnswer(const Answer& answer, Change change)
{
    if (change == Change::Status)
        return;
    m_answer = answer;
    m_axes->setFactors(answer.study().factors);
    showMap();
}

void LimitsView::showMap()
{
    const auto axes = m_axes->axes();
    m_words->setText({});
    if (!axes || !m_answer.context) {
        m_plot->clear(tr("A map of the limits needs two numeric factors."));
        return;
    }
    const auto& [x, y] = *axes;
    const study::CodedPoint at = study::Coding(m_answer.study().factors).toCoded(m_answer.settings());
    const optimize::LimitMap map = optimize::limitMap(m_answer.study(), m_answer.fits(), x, y, at, kPoints);
    if (map.isEmpty()) {
        m_plot->clear(tr("No response with a goal has a model, so there are no limits to show."));
        return;
    }
    m_words->setText(limitsText(map) + defaultLimitsText(m_answer));
    const QPointF shown(study::numberOf(m_answer.settings().at(m_answer.study().factors[x].name)),
                        study::numberOf(m_answer.settings().at(m_answer.study().factors[y].name)));
    m_plot->setHeld(heldText(m_answer.study(), at, {x, y}));
    m_plot->setMap(map, shown);
    findPlaces(map, shown, x, y);
}

/// The settings of the map that may be the best are outlined as soon as they are known.
void LimitsView::findPlaces(const optimize::LimitMap& map, QPointF shown, std::size_t x, std::size_t y)
{
    m_places.cancel();
    if (!m_answer.region || m_answer.region->isEmpty())
        return;
    startSearch(
        m_places,
        [answer = m_answer, x, y](const std::stop_token& stop) { return placesOf(answer, x, y, stop); },
        [this, map, shown](const Eigen::MatrixXd& places) { m_plot->setMap(map, shown, places); });
}

void LimitsView::look(double x, double y)
{
    const auto axes = m_axes->axes();
    if (!axes)
        return;
    const study::Settings moved = withValue(m_answer.study(), m_answer.settings(), axes->first, x);
    emit settingsPicked(withValue(m_answer.study(), moved, axes->second, y));
}

void LimitsView::step(double x, double y)
{
    const auto axes = m_axes->axes();
    if (!axes)
        return;
    const study::Settings moved = withStep(m_answer.study(), m_answer.settings(), axes->first, x);
    emit settingsPicked(withStep(m_answer.study(), moved, axes->second, y));
}

} // namespace quadric::widgets
