// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/optimal/optimal_search.h"

#include "core/algebra/products.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace quadric::design {

namespace {

/// An exchange must gain at least this share, or rounding would keep the search going for ever.
constexpr double kLeastGain = 1.0 + 1e-8;

constexpr int kMostPasses = 60;

/// Added to the information until the first pass has made the design able to hold the model.
constexpr double kRidge = 1e-3;

/// Steps of the coordinate exchange, in coded units, and the grid that coordinates are rounded to, so that
/// settings stay readable.
constexpr std::array<double, 6> kSteps = {0.5, 0.2, 0.1, 0.05, 0.02, 0.005};
constexpr double kGrid = 1000.0;

/// Whole-run exchange over the candidate set. The products of all candidates with the inverse are kept and
/// updated, so that looking for the best candidate costs one matrix-vector product a run.
class RunExchange {
public:
    RunExchange(const OptimalProblem& problem, model::RandomBits& random)
        : m_problem(problem)
        , m_points(problem.runs(), problem.candidates().cols())
        , m_exchange(start(random))
    {
    }

    std::optional<Candidate> run(const std::stop_token& stop)
    {
        if (!refresh(kRidge))
            return std::nullopt;
        pass();
        for (int count = 0; count < kMostPasses && !stop.stop_requested(); ++count) {
            if (!refresh(0.0))
                return std::nullopt;
            if (!pass())
                return Candidate{m_points, m_exchange.value()};
        }
        return refresh(0.0) ? std::optional(Candidate{m_points, m_exchange.value()}) : std::nullopt;
    }

private:
    Exchange start(model::RandomBits& random)
    {
        const auto count = static_cast<std::size_t>(m_problem.candidates().rows());
        for (auto point : m_points.rowwise())
            point = m_problem.candidates().row(static_cast<Eigen::Index>(model::drawBelow(random, count)));
        return m_problem.exchangeOf(m_points);
    }

    bool refresh(double ridge)
    {
        if (!m_exchange.refresh(ridge))
            return false;
        const Eigen::Index p = m_problem.modelColumns();
        m_v = algebra::times(m_problem.candidateRows(), m_exchange.inverse().topRows(p));
        if (m_exchange.criterion() == Criterion::I)
            m_z = algebra::times(m_v, m_exchange.momentRoot());
        return true;
    }

    /// True when at least one run was exchanged.
    bool pass()
    {
        bool isBetter = false;
        for (Eigen::Index i = 0; i < m_points.rows(); ++i) {
            Eigen::Index best = 0;
            if (gains(i).maxCoeff(&best) <= kLeastGain)
                continue;
            exchange(i, best);
            isBetter = true;
        }
        return isBetter;
    }

    Eigen::ArrayXd gains(Eigen::Index i) const
    {
        const Eigen::MatrixXd& f = m_problem.candidateRows();
        const Eigen::Index p = m_problem.modelColumns();
        const Eigen::MatrixXd& inverse = m_exchange.inverse();
        const Eigen::VectorXd b = m_problem.blockPart(m_problem.blockOf(i)).transpose();
        const Eigen::VectorXd x = m_exchange.rows().row(i).transpose();
        const Eigen::VectorXd vx = inverse * x;
        const Eigen::ArrayXd dxy = (f * vx.head(p)).array() + b.dot(vx.tail(b.size()));
        Eigen::ArrayXd dy = (m_v.leftCols(p).array() * f.array()).rowwise().sum();
        if (b.size() > 0)
            dy += 2.0 * (m_v.rightCols(b.size()) * b).array() +
                  b.dot(inverse.bottomRightCorner(b.size(), b.size()) * b);
        if (m_exchange.criterion() == Criterion::D)
            return m_exchange.gains(x.dot(vx), 0.0, dy, dxy, {}, {});
        const Eigen::VectorXd zx = m_exchange.momentRoot().transpose() * vx;
        const Eigen::RowVectorXd zb = b.transpose() * inverse.bottomRows(b.size()) * m_exchange.momentRoot();
        const Eigen::ArrayXd py = (m_z.rowwise() + zb).rowwise().squaredNorm();
        return m_exchange.gains(x.dot(vx), zx.squaredNorm(), dy, dxy, py, (m_z * zx).array() + zb.dot(zx));
    }

    void exchange(Eigen::Index i, Eigen::Index best)
    {
        const Eigen::MatrixXd& f = m_problem.candidateRows();
        m_points.row(i) = m_problem.candidates().row(best);
        Eigen::VectorXd row = m_exchange.rows().row(i).transpose();
        row.head(f.cols()) = f.row(best).transpose();
        const Exchange::Update update = m_exchange.replace(i, row);
        const Eigen::MatrixXd left = algebra::times(f, update.p.topRows(f.cols())) * update.s;
        m_v -= algebra::timesTransposed(left, update.p);
        if (m_exchange.criterion() == Criterion::I)
            m_z -= algebra::times(left, algebra::transposedTimes(update.p, m_exchange.momentRoot()));
    }

    const OptimalProblem& m_problem;
    Eigen::MatrixXd m_points;
    Exchange m_exchange;
    Eigen::MatrixXd m_v; ///< candidates × all columns: their model part times (X'X)⁻¹
    Eigen::MatrixXd m_z; ///< the same times the root of the moments
};

/// Points that differ from `point` in one factor and are legal.
Eigen::MatrixXd movesOf(const OptimalProblem& problem, const Eigen::RowVectorXd& point, Eigen::Index factor,
                        double step)
{
    std::vector<double> values = problem.exploreLevels(factor);
    for (double value : problem.legal().neighbors(factor, point[factor], step)) {
        if (problem.legal().axis(factor).kind == study::LegalAxis::Kind::Continuous)
            value = std::clamp(std::round(value * kGrid) / kGrid, -1.0, 1.0);
        values.push_back(value);
    }
    Eigen::MatrixXd moves(static_cast<Eigen::Index>(values.size()), point.size());
    Eigen::Index kept = 0;
    for (const double value : values) {
        moves.row(kept) = point;
        moves(kept, factor) = value;
        if (value != point[factor] && problem.legal().satisfiesConstraints(moves.row(kept).transpose()))
            ++kept;
    }
    moves.conservativeResize(kept, Eigen::NoChange);
    return moves;
}

/// One pass over all coordinates; true when something was moved.
bool moveOnce(const OptimalProblem& problem, Exchange& exchange, Candidate& design, double step)
{
    bool isBetter = false;
    for (Eigen::Index run = 0; run < design.points.rows(); ++run)
        for (Eigen::Index factor = 0; factor < problem.legal().size(); ++factor) {
            const Eigen::MatrixXd moves = movesOf(problem, design.points.row(run), factor, step);
            if (moves.rows() == 0)
                continue;
            const Eigen::MatrixXd rows = problem.rowsAt(moves, run);
            Eigen::Index best = 0;
            if (exchange.gains(run, rows).maxCoeff(&best) <= kLeastGain)
                continue;
            exchange.replace(run, rows.row(best).transpose());
            design.points.row(run) = moves.row(best);
            isBetter = true;
        }
    return isBetter;
}

} // namespace

std::optional<Candidate> exchangeRuns(const OptimalProblem& problem, model::RandomBits& random,
                                      const std::stop_token& stop)
{
    return RunExchange(problem, random).run(stop);
}

void exchangeCoordinates(const OptimalProblem& problem, Candidate& design, const std::stop_token& stop)
{
    Exchange exchange = problem.exchangeOf(design.points);
    for (const double step : kSteps)
        for (int pass = 0; pass < kMostPasses && !stop.stop_requested(); ++pass) {
            if (!exchange.refresh() || !moveOnce(problem, exchange, design, step))
                break;
        }
    if (exchange.refresh())
        design.value = exchange.value();
}

} // namespace quadric::design
