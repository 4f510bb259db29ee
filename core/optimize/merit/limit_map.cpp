// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/merit/limit_map.h"

#include "core/model/predict/drawn_axes.h"
#include "core/optimize/merit/evaluator.h"
#include "core/optimize/merit/goals.h"
#include "core/optimize/merit/leverage_limit.h"
#include "core/study/space/constraint_program.h"

#include <algorithm>
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
    if (!takesPart(desirability))
        return layer;
    if (desirability.goal != study::Goal::Minimize)
        layer.low = desirability.low;
    if (desirability.goal != study::Goal::Maximize)
        layer.high = desirability.high;
    return layer;
}

bool isInside(const LimitLayer& layer, Eigen::Index i, Eigen::Index j)
{
    const double y = layer.value(i, j);
    return (!layer.low || y >= *layer.low) && (!layer.high || y <= *layer.high);
}

void countShares(LimitMap& map)
{
    const Eigen::Index rows = map.isAllowed.rows();
    const Eigen::Index columns = map.isAllowed.cols();
    const double each = 1.0 / static_cast<double>(std::max<Eigen::Index>(1, rows * columns));
    for (Eigen::Index j = 0; j < columns; ++j)
        for (Eigen::Index i = 0; i < rows; ++i) {
            LimitLayer* violated = nullptr;
            int violations = 0;
            for (LimitLayer& layer : map.layers)
                if (!isInside(layer, i, j)) {
                    layer.forbidden += each;
                    violated = &layer;
                    ++violations;
                }
            if (!map.isAllowed(i, j))
                continue;
            if (violations == 0)
                map.feasible += each;
            if (violations == 1)
                violated->forbidsAlone += each;
        }
}

std::vector<std::size_t> mappedRows(const Goals& goals, MapResponses which)
{
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < goals.count(); ++row)
        if (which == MapResponses::All || takesPart(goals.desirabilities[row]))
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

} // namespace

LimitMap limitMap(const study::Study& study, const std::vector<model::Fit>& fits, std::size_t xFactor,
                  std::size_t yFactor, const study::CodedPoint& at, int points, MapResponses which)
{
    const Goals goals = goalsOf(study, fits);
    const std::vector<std::size_t> rows = mappedRows(goals, which);
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
    countShares(map);
    map.constraints = nodes.constraintsOf(study);
    nodes.addFailuresOf(study, map);
    return map;
}

Eigen::MatrixXd supportGrid(const study::Study& study, const std::vector<model::Fit>& fits,
                            std::size_t xFactor, std::size_t yFactor, const study::CodedPoint& at, int points)
{
    const Nodes nodes(study, xFactor, yFactor, at, points);
    const LeverageLimit limit(fits, {});
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

} // namespace quadric::optimize
