// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/optimal/optimal_search.h"

#include "core/algebra/factorizations.h"
#include "core/algebra/products.h"
#include "core/model/base/model_size.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace quadric::design {

namespace {

std::vector<model::Column> columnsFor(const study::Study& study, const OptimalRequest& request)
{
    try {
        const std::vector<model::Term> terms = model::parseModel(request.model, study.factors);
        const double columns = model::countColumns(terms, study.factors);
        model::requireSize(request.model, columns, request.blocks - 1.0,
                           std::max(columns, static_cast<double>(request.runs)));
        return model::columnsOf(terms, study.factors);
    } catch (const std::invalid_argument& error) {
        throw DesignError(error.what());
    }
}

std::vector<int> powersOf(const std::vector<model::Column>& columns, std::size_t factors)
{
    std::vector<int> powers(factors, 0);
    for (const model::Column& column : columns)
        for (std::size_t i = 0; i < factors; ++i)
            powers[i] = std::max(powers[i], column.term.powers[i]);
    return powers;
}

int blocksWith(const OptimalRequest& request)
{
    int blocks = std::max(request.blocks, request.inBlock);
    for (const DesignPoint& point : request.kept)
        blocks = std::max(blocks, point.block);
    return blocks;
}

void checkRuns(const OptimalRequest& request, Eigen::Index runs, Eigen::Index parameters)
{
    const Eigen::Index all = runs + static_cast<Eigen::Index>(request.kept.size());
    if (all < parameters)
        throw DesignError("an optimal design for the model '" + request.model + "' needs at least " +
                          std::to_string(parameters) + " runs, one for each coefficient" +
                          (request.blocks > 1 ? " and block" : "") + "; there are " + std::to_string(all));
}

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
        return m_problem.makePointExchange(m_points);
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

constexpr int kFewestDigits = 2;
constexpr int kMostTriedDigits = 6;

/// What rounding may cost before it takes another digit.
constexpr double kLittleLoss = 0.01;

/// Combinations of neighboring levels that are tried for a run that a constraint forbids.
constexpr double kMostNeighbors = 4096;

/// A level this near to a settable one, in steps, is that one.
constexpr double kOnStep = 1e-6;

bool isRounded(const OptimalProblem& problem, Eigen::Index factor)
{
    const study::LegalAxis& axis = problem.legal().axis(factor);
    return axis.kind == study::LegalAxis::Kind::Continuous && !axis.snaps;
}

/// The settable levels next to each coordinate of a run, coded.
std::vector<std::vector<double>> findNeighbors(const OptimalProblem& problem, const Eigen::RowVectorXd& point,
                                               int digits)
{
    const study::Coding& coding = problem.legal().coding();
    std::vector<std::vector<double>> levels;
    for (Eigen::Index i = 0; i < point.size(); ++i) {
        levels.push_back({point[i]});
        if (!isRounded(problem, i))
            continue;
        const auto factor = static_cast<std::size_t>(i);
        const double actual = coding.toActual(factor, point[i]);
        const study::Range around = findSettable(coding.factors()[factor], actual, digits);
        if (around.isPoint() && around.low == actual)
            continue;
        levels.back() = {coding.toCoded(factor, around.low)};
        if (!around.isPoint())
            levels.back().push_back(coding.toCoded(factor, around.high));
    }
    return levels;
}

/// Whether the constraints hold at the settings that the point stands for: the short decimals, not what the
/// coding makes of them.
bool canBeRun(const study::Study& study, const OptimalProblem& problem, const Eigen::VectorXd& point)
{
    return problem.legal().isAllowed(point) &&
           (study.constraints.empty() ||
            study::isLegal(study, problem.legal().coding().toLegalSettings(study::CodedPoint(point))));
}

/// The nearest settable point that the constraints allow; the point itself where there is none.
Eigen::RowVectorXd roundPoint(const study::Study& study, const OptimalProblem& problem,
                              const Eigen::RowVectorXd& point, int digits)
{
    const std::vector<std::vector<double>> levels = findNeighbors(problem, point, digits);
    Eigen::VectorXd nearest(point.size());
    for (Eigen::Index i = 0; i < point.size(); ++i) {
        const std::vector<double>& each = levels[static_cast<std::size_t>(i)];
        nearest[i] =
            *std::ranges::min_element(each, {}, [&](double level) { return std::abs(level - point[i]); });
    }
    if (canBeRun(study, problem, nearest))
        return nearest.transpose();
    const double count = study::countCombinations(levels);
    Eigen::RowVectorXd best = point;
    double distance = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; count <= kMostNeighbors && i < static_cast<std::size_t>(count); ++i) {
        const Eigen::VectorXd other = study::combinationAt(levels, i);
        const double away = (other.transpose() - point).norm();
        if (away < distance && canBeRun(study, problem, other)) {
            distance = away;
            best = other.transpose();
        }
    }
    return best;
}

/// Empty where the rounded runs cannot estimate the model.
std::optional<RoundedDesign> roundTo(const study::Study& study, const OptimalProblem& problem,
                                     const Candidate& exact, int digits)
{
    RoundedDesign rounded{exact, digits, 0.0};
    for (auto point : rounded.design.points.rowwise())
        point = roundPoint(study, problem, point, digits);
    Exchange exchange = problem.makePointExchange(rounded.design.points);
    if (!exchange.refresh())
        return std::nullopt;
    rounded.design.value = exchange.value();
    const double before = problem.reported(exact.value);
    const double after = problem.reported(exchange.value());
    rounded.loss = 1.0 - (exchange.criterion() == Criterion::D ? after / before : before / after);
    return rounded;
}

} // namespace

OptimalProblem::OptimalProblem(const study::Study& study, const OptimalRequest& request)
    : m_criterion(request.criterion)
    , m_legal(makeSpaceToDesign(study, {.isAllowed = request.isAllowed}))
    , m_columns(columnsFor(study, request))
    , m_table(m_columns, study.factors)
    , m_blocks(blocksWith(request))
    , m_powers(powersOf(m_columns, study.factors.size()))
{
    const int wanted = request.runs > 0 ? request.runs : defaultRuns(study, request.model, request.blocks);
    for (int run = 0; run < wanted; ++run)
        m_block.push_back(request.inBlock > 0 ? request.inBlock : 1 + run * request.blocks / wanted);
    const Eigen::Index p = modelColumns();
    const Eigen::Index all = p + m_blocks - 1;
    checkRuns(request, wanted, all);
    m_candidates = legalCandidates(m_legal, m_powers);
    m_candidateRows = m_table.at(m_candidates);
    m_keptRuns = static_cast<Eigen::Index>(request.kept.size());
    m_kept = Eigen::MatrixXd::Zero(all, all);
    for (const DesignPoint& point : request.kept) {
        Eigen::RowVectorXd row(all);
        row << m_table.at(point.point.x.transpose()), blockPart(point.block);
        m_kept += row.transpose() * row;
    }
    m_momentRoot = Eigen::MatrixXd::Zero(all, p);
    m_momentRoot.topRows(p) = algebra::eigenRoot(regionMoments(study, m_columns));
    Eigen::MatrixXd blocks = m_kept.bottomRightCorner(m_blocks - 1, m_blocks - 1);
    for (const int block : m_block)
        blocks += blockPart(block).transpose() * blockPart(block);
    m_logBlocks = m_blocks > 1 ? std::log(algebra::determinant(blocks)) : 0.0;
}

std::vector<double> OptimalProblem::exploreLevels(Eigen::Index factor) const
{
    return m_legal.spread(factor, std::max(2, m_powers[static_cast<std::size_t>(factor)] + 1));
}

Eigen::RowVectorXd OptimalProblem::blockPart(int block) const
{
    Eigen::RowVectorXd part = Eigen::RowVectorXd::Zero(m_blocks - 1);
    if (block == m_blocks)
        part.setConstant(-1.0);
    else
        part[block - 1] = 1.0;
    return part;
}

Eigen::MatrixXd OptimalProblem::rowsAt(const Eigen::MatrixXd& points, Eigen::Index run) const
{
    Eigen::MatrixXd rows(points.rows(), modelColumns() + m_blocks - 1);
    rows << m_table.at(points), blockPart(blockOf(run)).replicate(points.rows(), 1);
    return rows;
}

Exchange OptimalProblem::makePointExchange(const Eigen::MatrixXd& points) const
{
    Eigen::MatrixXd rows(points.rows(), modelColumns() + m_blocks - 1);
    rows.leftCols(modelColumns()) = m_table.at(points);
    for (Eigen::Index run = 0; run < points.rows(); ++run)
        rows.row(run).tail(m_blocks - 1) = blockPart(blockOf(run));
    return Exchange(m_criterion, m_kept, m_momentRoot, std::move(rows));
}

double OptimalProblem::reported(double value) const
{
    if (m_criterion == Criterion::I)
        return std::exp(-value);
    return 100.0 * std::exp((value - m_logBlocks) / static_cast<double>(modelColumns())) /
           static_cast<double>(runs() + m_keptRuns);
}

std::optional<Candidate> exchangeRuns(const OptimalProblem& problem, model::RandomBits& random,
                                      const std::stop_token& stop)
{
    return RunExchange(problem, random).run(stop);
}

void exchangeCoordinates(const OptimalProblem& problem, Candidate& design, const std::stop_token& stop)
{
    Exchange exchange = problem.makePointExchange(design.points);
    for (const double step : kSteps)
        for (int pass = 0; pass < kMostPasses && !stop.stop_requested(); ++pass) {
            if (!exchange.refresh() || !moveOnce(problem, exchange, design, step))
                break;
        }
    if (exchange.refresh())
        design.value = exchange.value();
}

study::Range findSettable(const study::Factor& factor, double actual, int digits)
{
    if (actual <= factor.low || actual >= factor.high || digits < 1)
        return {actual, actual};
    const double scale = factor.scale == study::Scale::Log2 ? actual : factor.high - factor.low;
    const int decimals = digits - 1 - static_cast<int>(std::floor(std::log10(scale)));
    const double power = std::pow(10.0, std::abs(decimals));
    const double steps = decimals >= 0 ? actual * power : actual / power;
    const auto valueAt = [&](double step) {
        return std::clamp(decimals >= 0 ? step / power : step * power, factor.low, factor.high);
    };
    if (std::abs(steps - std::round(steps)) < kOnStep)
        return {valueAt(std::round(steps)), valueAt(std::round(steps))};
    return {valueAt(std::floor(steps)), valueAt(std::ceil(steps))};
}

RoundedDesign roundLevels(const study::Study& study, const OptimalProblem& problem, const Candidate& exact,
                          std::optional<int> digits)
{
    bool hasContinuous = false;
    for (Eigen::Index i = 0; i < problem.legal().size(); ++i)
        hasContinuous = hasContinuous || isRounded(problem, i);
    if (!hasContinuous || digits == 0)
        return {exact};
    if (digits) {
        if (std::optional<RoundedDesign> rounded = roundTo(study, problem, exact, *digits))
            return *std::move(rounded);
        throw DesignError("the model cannot be estimated from levels of " +
                          text::formatCount(*digits, "digit") +
                          ", as a share of the range; allow more digits");
    }
    for (int tried = kFewestDigits; tried <= kMostTriedDigits; ++tried)
        if (std::optional<RoundedDesign> rounded = roundTo(study, problem, exact, tried);
            rounded && rounded->loss < kLittleLoss)
            return *std::move(rounded);
    return {exact};
}

} // namespace quadric::design
