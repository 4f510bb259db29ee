// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/merit/merit_plots.h"

#include "core/model/predict/curves.h"
#include "core/optimize/merit/evaluator.h"
#include "core/study/space/feasible_grid.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace quadric::optimize {

namespace {

/// The nodes of a map over two factors.
class Nodes {
public:
    Nodes(const study::Study& study, std::size_t xFactor, std::size_t yFactor, const study::CodedPoint& at,
          int points)
        : m_coding(study.factors)
        , m_x(static_cast<Eigen::Index>(xFactor))
        , m_y(static_cast<Eigen::Index>(yFactor))
        , m_at(at)
        , m_count(std::max(points, 2))
    {
    }

    Eigen::Index count() const { return m_count; }

    std::vector<double> actual(Eigen::Index factor) const
    {
        std::vector<double> values;
        for (Eigen::Index i = 0; i < m_count; ++i)
            values.push_back(m_coding.toActual(static_cast<std::size_t>(factor), codedAt(i)));
        return values;
    }
    std::vector<double> x() const { return actual(m_x); }
    std::vector<double> y() const { return actual(m_y); }

    void visit(const std::function<void(Eigen::Index, Eigen::Index, const Eigen::VectorXd&)>& use) const
    {
        Eigen::VectorXd point = m_at.x;
        for (Eigen::Index j = 0; j < m_count; ++j)
            for (Eigen::Index i = 0; i < m_count; ++i) {
                point[m_x] = codedAt(i);
                point[m_y] = codedAt(j);
                use(i, j, point);
            }
    }

    /// As constraints take settings.
    std::vector<double> actualOf(const Eigen::VectorXd& point) const
    {
        return study::programValues(m_coding, study::CodedPoint(point));
    }

    study::FeasibleGrid constraintsOf(const study::Study& study) const
    {
        return study::feasibleGrid(study, {static_cast<std::size_t>(m_x), x()},
                                   {static_cast<std::size_t>(m_y), y()}, actualOf(m_at.x));
    }

    /// What failed runs say, of a map or a grid over the nodes.
    void addFailuresOf(const study::Study& study, auto& plane) const
    {
        const auto x = static_cast<std::size_t>(m_x), y = static_cast<std::size_t>(m_y);
        plane.running = model::runningGrid(study, {x, plane.x}, {y, plane.y}, m_at);
        plane.failed = model::failedPoints(study, x, y, m_at);
    }

private:
    double codedAt(Eigen::Index i) const
    {
        return -1.0 + 2.0 * static_cast<double>(i) / static_cast<double>(m_count - 1);
    }

    study::Coding m_coding;
    Eigen::Index m_x, m_y;
    study::CodedPoint m_at;
    Eigen::Index m_count;
};

LimitLayer layerOf(const model::Fit& fit, const Desirability& desirability, Eigen::Index count)
{
    LimitLayer layer;
    layer.response = fit.response;
    layer.unit = fit.unit;
    layer.value.resize(count, count);
    const SetLimits limits = setLimitsOf(desirability);
    layer.low = limits.low;
    layer.high = limits.high;
    return layer;
}

std::vector<std::size_t> mappedRows(const Goals& goals)
{
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < goals.count(); ++row)
        if (takesPart(goals.desirabilities[row]))
            rows.push_back(row);
    return rows;
}

/// Of a map or a grid over the nodes.
void setAxes(const study::Factor& x, const study::Factor& y, const Nodes& nodes, auto& plane)
{
    model::nameAxes(x, y, plane);
    plane.x = nodes.x();
    plane.y = nodes.y();
}

std::vector<double> desirabilitiesOf(const Desirability& desirability, const std::vector<double>& mean)
{
    std::vector<double> values;
    if (desirability.goal == study::Goal::None)
        return values;
    values.reserve(mean.size());
    for (const double y : mean)
        values.push_back(valueOf(desirability, y));
    return values;
}

/// Overall desirability along one factor, from the responses' curves.
std::vector<double> overallAlong(const Goals& goals, const Profile& profile, std::size_t factor)
{
    std::vector<double> values;
    std::vector<double> predicted(goals.count());
    const std::size_t points = profile.curves.front()[factor].curve.mean.size();
    for (std::size_t point = 0; point < points; ++point) {
        for (std::size_t row = 0; row < goals.count(); ++row)
            predicted[row] = profile.curves[row][factor].curve.mean[point];
        values.push_back(overall(goals.desirabilities, predicted));
    }
    return values;
}

/// Curves are linear between their points; the setting itself is one of them, so that its reading is exact.
void insertCurrent(const model::Fit& fit, std::size_t factor, const study::CodedPoint& at,
                   model::EffectCurve& curve)
{
    constexpr double kSame = 1e-9;
    const double coded = at[static_cast<Eigen::Index>(factor)];
    if (!fit.factors[factor].isNumeric() || std::abs(coded) > 1.0)
        return;
    const double actual = study::Coding(fit.factors).toActual(factor, coded);
    const auto place = std::lower_bound(curve.actual.begin(), curve.actual.end(), actual);
    const double width = curve.actual.back() - curve.actual.front();
    const auto isThere = [&](auto point) { return std::abs(*point - actual) <= kSame * width; };
    if ((place != curve.actual.end() && isThere(place)) ||
        (place != curve.actual.begin() && isThere(place - 1)))
        return;
    const auto index = place - curve.actual.begin();
    const model::Prediction prediction = model::predict(fit, at);
    curve.actual.insert(place, actual);
    curve.mean.insert(curve.mean.begin() + index, prediction.mean);
    curve.isExtrapolation.insert(curve.isExtrapolation.begin() + index, prediction.isExtrapolation);
    if (curve.low.empty() || !prediction.confidence) {
        curve.low.clear();
        curve.high.clear();
        return;
    }
    curve.low.insert(curve.low.begin() + index, prediction.confidence->low);
    curve.high.insert(curve.high.begin() + index, prediction.confidence->high);
}

std::vector<study::Range> infeasibleAlong(const study::Study& study, std::size_t factor,
                                          const study::CodedPoint& at, const std::vector<double>& places)
{
    const study::FeasibleLine line =
        study::feasibleLine(study, {factor, places}, study::programValues(study::Coding(study.factors), at));
    return study::infeasibleRanges(study.factors[factor], places, line);
}

} // namespace

LimitMap limitMap(const study::Study& study, const std::vector<model::Fit>& fits, std::size_t xFactor,
                  std::size_t yFactor, const study::CodedPoint& at, int points)
{
    const Goals goals = goalsOf(study, fits);
    const std::vector<std::size_t> rows = mappedRows(goals);
    LimitMap map;
    if (rows.empty())
        return map;
    const Nodes nodes(study, xFactor, yFactor, at, points);
    setAxes(study.factors.at(xFactor), study.factors.at(yFactor), nodes, map);
    for (const std::size_t row : rows)
        map.layers.push_back(layerOf(*goals.fits[row], goals.desirabilities[row], nodes.count()));
    map.isAllowed.setConstant(nodes.count(), nodes.count(), true);
    Evaluator evaluator(goals.fits);
    const study::ConstraintProgram constraints(study);
    Eigen::ArrayXd predicted;
    nodes.visit([&](Eigen::Index i, Eigen::Index j, const Eigen::VectorXd& point) {
        evaluator.predict(point, predicted);
        for (std::size_t layer = 0; layer < rows.size(); ++layer)
            map.layers[layer].value(i, j) = predicted[static_cast<Eigen::Index>(rows[layer])];
        if (constraints.isEmpty())
            return;
        std::vector<study::Range> ranges;
        for (const double value : nodes.actualOf(point))
            ranges.push_back({value, value});
        map.isAllowed(i, j) = constraints.judge(ranges) != study::Verdict::No;
    });
    map.constraints = nodes.constraintsOf(study);
    nodes.addFailuresOf(study, map);
    return map;
}

Eigen::MatrixXd supportGrid(const study::Study& study, const std::vector<model::Fit>& fits,
                            std::size_t xFactor, std::size_t yFactor, const study::CodedPoint& at, int points)
{
    const Nodes nodes(study, xFactor, yFactor, at, points);
    const LeverageLimit limit(fits);
    Eigen::MatrixXd support(nodes.count(), nodes.count());
    nodes.visit([&](Eigen::Index i, Eigen::Index j, const Eigen::VectorXd& point) {
        support(i, j) = limit.margin(point);
    });
    return support;
}

model::MarkedSurface desirabilityGrid(const study::Study& study, const std::vector<model::Fit>& fits,
                                      std::size_t xFactor, std::size_t yFactor, const study::CodedPoint& at,
                                      int points)
{
    const Goals goals = goalsOf(study, fits);
    model::MarkedSurface grid;
    if (!goals.hasCompromise())
        return grid;
    const Nodes nodes(study, xFactor, yFactor, at, points);
    setAxes(study.factors.at(xFactor), study.factors.at(yFactor), nodes, grid);
    grid.response = std::string(1, 'D'); // GCC 12 warns of a literal here
    grid.z.resize(nodes.count(), nodes.count());
    grid.isExtrapolation = supportGrid(study, fits, xFactor, yFactor, at, points).array() < 0.0;
    Evaluator evaluator(goals.fits);
    Eigen::ArrayXd predicted;
    std::vector<double> values(goals.count());
    nodes.visit([&](Eigen::Index i, Eigen::Index j, const Eigen::VectorXd& point) {
        evaluator.predict(point, predicted);
        std::copy(predicted.begin(), predicted.end(), values.begin());
        grid.z(i, j) = overall(goals.desirabilities, values);
    });
    grid.feasible = nodes.constraintsOf(study);
    nodes.addFailuresOf(study, grid);
    return grid;
}

Profile profile(const study::Study& study, const std::vector<model::Fit>& fits,
                const study::Settings& settings, int points)
{
    const Goals goals = goalsOf(study, fits);
    Profile result;
    if (goals.count() == 0)
        return result;
    const study::CodedPoint at = study::Coding(study.factors).toCoded(settings);
    for (std::size_t row = 0; row < goals.count(); ++row) {
        result.responses.push_back(goals.fits[row]->response);
        std::vector<ProfileCurve>& curves = result.curves.emplace_back();
        for (std::size_t factor = 0; factor < study.factors.size(); ++factor) {
            ProfileCurve& added = curves.emplace_back();
            added.curve = model::effectCurve(*goals.fits[row], factor, at, points);
            insertCurrent(*goals.fits[row], factor, at, added.curve);
            added.desirability = desirabilitiesOf(goals.desirabilities[row], added.curve.mean);
        }
    }
    for (std::size_t factor = 0; factor < study.factors.size(); ++factor) {
        result.overall.push_back(overallAlong(goals, result, factor));
        const std::vector<double>& places = result.curves.front()[factor].curve.actual;
        result.infeasible.push_back(infeasibleAlong(study, factor, at, places));
        result.failing.push_back(study::infeasibleRanges(study.factors[factor], places,
                                                         model::runningLine(study, {factor, places}, at)));
    }
    return result;
}

} // namespace quadric::optimize
