// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/views/contour_values.h"

#include "core/model/feasibility/feasibility.h"
#include "core/optimize/merit/desirability.h"
#include "core/study/space/constraint.h"
#include "widgets/base/theme.h"
#include "widgets/base/typed_value.h"
#include "widgets/optimize/session/optimize_session.h"
#include "widgets/optimize/session/steady_label.h"
#include "widgets/plots/panel/panel.h"
#include "widgets/plots/panel/panel_look.h"
#include "widgets/plots/scene/surface_mesh.h"
#include "widgets/text/wording.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QPainter>
#include <QSignalBlocker>
#include <QSlider>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr int kSteps = 400; ///< of a slider over the response's range

/// The line of a response as the map has it.
class LineSample : public QWidget {
public:
    LineSample(int response, QWidget* parent)
        : QWidget(parent)
        , m_response(response)
    {
        setFixedSize(18, 12);
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setPen(QPen(responseColor(m_response, plotStyle(*this, false)), 2.2));
        painter.drawLine(QPointF(0.0, height() / 2.0), QPointF(width(), height() / 2.0));
    }

private:
    int m_response;
};

bool isSameResponse(const ContourResponse& a, const ContourResponse& b)
{
    return a.name == b.name && a.unit == b.unit && a.low == b.low && a.high == b.high;
}

int computeSliderStep(const ContourResponse& response, double value)
{
    const double share = (value - response.low) / (response.high - response.low);
    return static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * kSteps));
}

constexpr int kMapPoints = 33;
constexpr int kPlaces = 25; ///< of the region of the best setting along each axis

QString formatWholePercent(double share)
{
    return formatPercent(share, 0).replace(QLatin1Char(' '), QChar::Nbsp);
}

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

std::shared_ptr<Plot> drawMap(const AnswerSource& source, optimize::MapResponses which)
{
    auto plot = std::make_shared<ContourProfilerPlot>();
    const Answer& answer = source.answer;
    ContourProfile profile;
    if (source.axes && answer.context)
        profile.map = answerMap(answer, source.axes, which);
    if (profile.map.isEmpty()) {
        plot->clear(tr("A map needs two numeric factors and a response with a model."));
        return plot;
    }
    profile.shown = projectSetting(answer, source.axes->first, source.axes->second);
    profile.support = answerSupport(answer, source.axes);
    profile.places = sampleOptimumRegion(answer, source.axes, {});
    if (which == optimize::MapResponses::All)
        profile.contours = collectPredictions(answer, profile.map);
    plot->setHeld(describeHeldFactors(answer, source.axes->first, source.axes->second));
    plot->setProfile(profile);
    return plot;
}

} // namespace

ContourValues::ContourValues(QWidget* parent)
    : QScrollArea(parent)
{
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Contour values"));
}

void ContourValues::setResponses(const std::vector<ContourResponse>& responses)
{
    const bool isSame = std::ranges::equal(responses, m_responses, isSameResponse);
    m_responses = responses;
    if (!isSame)
        makeRows();
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        showRow(i);
}

std::vector<double> ContourValues::values() const
{
    std::vector<double> values;
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        values.push_back(valueOf(i));
    return values;
}

double ContourValues::valueOf(std::size_t index) const
{
    return m_rows[index].value.value_or(m_responses[index].predicted);
}

void ContourValues::makeRows()
{
    auto* rows = new QWidget;
    auto* grid = new QGridLayout(rows);
    grid->setContentsMargins(0, 0, 8, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(2);
    grid->setColumnStretch(1, 1);
    m_rows.clear();
    for (std::size_t i = 0; i < m_responses.size(); ++i)
        m_rows.push_back(makeRow(*grid, i));
    grid->setRowStretch(2 * static_cast<int>(m_responses.size()), 1);
    setWidget(rows); // takes the old ones away
}

/// Sample and name, and below them slider, value and what fixes it.
ContourValues::Row ContourValues::makeRow(QGridLayout& grid, std::size_t index)
{
    const ContourResponse& response = m_responses[index];
    const QString name = nameText(response.name);
    auto* label = new SteadyLabel;
    label->setText(nameWithUnit(response.name, response.unit));
    auto* fixed = new QCheckBox(tr("fix"));
    Row row{new QSlider(Qt::Horizontal), new QLineEdit, fixed, {}};
    fixed->setAccessibleName(tr("Fix the contour of %1").arg(name));
    fixed->setToolTip(tr("Keep this value; otherwise the contour follows the crosshair."));
    row.slider->setRange(0, kSteps);
    row.slider->setPageStep(kSteps / 10);
    row.slider->setMinimumWidth(64);
    row.slider->setAccessibleName(tr("Contour of %1").arg(name));
    row.slider->setObjectName(QStringLiteral("contour:") + name);
    row.typed->setAccessibleName(tr("Value of the contour of %1").arg(name));
    row.typed->setObjectName(QStringLiteral("contourValue:") + name);
    row.typed->setFixedWidth(row.typed->fontMetrics().horizontalAdvance(QStringLiteral("−00 000.00")));
    const int line = 2 * static_cast<int>(index);
    grid.addWidget(new LineSample(static_cast<int>(index), nullptr), line, 0);
    grid.addWidget(label, line, 1);
    grid.addWidget(fixed, line, 2);
    grid.addWidget(row.slider, line + 1, 0, 1, 2);
    grid.addWidget(row.typed, line + 1, 2);
    connect(row.slider, &QSlider::valueChanged, this, [this, index](int position) {
        const ContourResponse& moved = m_responses[index];
        fix(index, std::lerp(moved.low, moved.high, static_cast<double>(position) / kSteps));
    });
    connect(row.typed, &QLineEdit::editingFinished, this, [this, index] { commitTypedValue(index); });
    connect(fixed, &QCheckBox::toggled, this, [this, index](bool isFixed) {
        fix(index, isFixed ? std::optional(valueOf(index)) : std::nullopt);
    });
    return row;
}

void ContourValues::showRow(std::size_t index)
{
    const Row& row = m_rows[index];
    const ContourResponse& response = m_responses[index];
    const QSignalBlocker quietSlider(row.slider), quietFixed(row.fixed);
    const double value = valueOf(index);
    if (!row.slider->isSliderDown())
        row.slider->setValue(computeSliderStep(response, value));
    row.fixed->setChecked(row.value.has_value());
    if (!row.typed->hasFocus() || !row.typed->isModified())
        row.typed->setText(formatNumber(value, (response.high - response.low) / kSteps));
}

void ContourValues::fix(std::size_t index, std::optional<double> value)
{
    m_rows[index].value = value;
    m_rows[index].typed->setModified(false);
    showRow(index);
    emit changed();
}

/// What is no number leaves the value as it was.
void ContourValues::commitTypedValue(std::size_t index)
{
    QLineEdit& typed = *m_rows[index].typed;
    if (!typed.isModified())
        return;
    typed.setModified(false);
    if (const std::optional<double> value = parseTypedNumber(typed.text()))
        fix(index, value);
    else
        showRow(index);
}

MapPlace makeMapPlace(const Answer& answer, const AxisChoice& axes)
{
    MapPlace place{axes, answer.settings()};
    if (axes) {
        place.others.erase(answer.study().factors[axes->first].name);
        place.others.erase(answer.study().factors[axes->second].name);
    }
    return place;
}

optimize::LimitMap answerMap(const Answer& answer, const AxisChoice& axes, optimize::MapResponses which)
{
    return optimize::limitMap(answer.study(), answer.fits(), axes->first, axes->second, toCodedPoint(answer),
                              kMapPoints, which);
}

Eigen::MatrixXd answerSupport(const Answer& answer, const AxisChoice& axes)
{
    return optimize::supportGrid(answer.study(), answer.fits(), axes->first, axes->second,
                                 toCodedPoint(answer), kMapPoints);
}

std::vector<std::optional<double>> collectPredictions(const Answer& answer, const optimize::LimitMap& map)
{
    std::vector<std::optional<double>> predictions;
    for (const optimize::LimitLayer& layer : map.layers) {
        const auto at =
            std::ranges::find(answer.shown.responses, layer.response, &optimize::ResponseAtOptimum::response);
        predictions.push_back(at == answer.shown.responses.end() ? std::nullopt
                                                                 : std::optional(at->predicted.mean));
    }
    return predictions;
}

model::MarkedSurface smallSurface(const optimize::LimitMap& map, const optimize::LimitLayer& layer,
                                  int points)
{
    model::MarkedSurface grid;
    grid.xName = map.xName;
    grid.xUnit = map.xUnit;
    grid.yName = map.yName;
    grid.yUnit = map.yUnit;
    grid.xIsLog2 = map.xIsLog2;
    grid.yIsLog2 = map.yIsLog2;
    grid.response = layer.response;
    grid.responseUnit = layer.unit;
    grid.x = map.x;
    grid.y = map.y;
    grid.z = layer.value;
    grid.feasible = map.constraints;
    grid.running = map.running;
    return thinned(grid, static_cast<std::size_t>(points));
}

Eigen::MatrixXd sampleOptimumRegion(const Answer& answer, const AxisChoice& axes, const std::stop_token& stop)
{
    if (!axes || !answer.region || answer.region->isEmpty())
        return {};
    const std::vector<study::Factor>& factors = answer.study().factors;
    const study::Coding coding(factors);
    const auto actual = [&coding](std::size_t factor, int i) {
        return coding.toActual(factor, -1.0 + 2.0 * i / (kPlaces - 1.0));
    };
    Eigen::MatrixXd places = Eigen::MatrixXd::Zero(kPlaces, kPlaces);
    study::Settings settings = answer.settings();
    for (int i = 0; i < kPlaces && !stop.stop_requested(); ++i) {
        for (int j = 0; j < kPlaces; ++j) {
            settings[factors[axes->first].name] = actual(axes->first, i);
            settings[factors[axes->second].name] = actual(axes->second, j);
            places(i, j) = answer.region->contains(settings) ? 1.0 : 0.0;
        }
    }
    return places;
}

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

QString limitsText(const optimize::LimitMap& map)
{
    const bool hasLimits = std::ranges::any_of(
        map.layers, [](const optimize::LimitLayer& layer) { return layer.low || layer.high; });
    if (!hasLimits)
        return {};
    QString size = map.feasible > 0.0
                       ? tr("All limits hold on %1 of this map.").arg(formatWholePercent(map.feasible))
                       : tr("Nowhere on this map do all limits hold at once.");
    const auto worst = std::ranges::max_element(
        map.layers, {}, [](const optimize::LimitLayer& layer) { return layer.forbidsAlone; });
    if (worst->forbidsAlone <= 0.0)
        return size;
    return size + tr(" What limits it most: %1, which alone rules out another %2.")
                      .arg(nameText(worst->response), formatWholePercent(worst->forbidsAlone));
}

std::shared_ptr<Plot> drawContourProfiler(const AnswerSource& source)
{
    return drawMap(source, optimize::MapResponses::All);
}

std::shared_ptr<Plot> drawLimits(const AnswerSource& source)
{
    std::shared_ptr<Plot> plot = drawMap(source, optimize::MapResponses::Limited);
    plot->setAccessibleName({});
    return plot;
}

} // namespace quadric::widgets
