// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/optimal/optimal.h"

#include "core/algebra/factorizations.h"
#include "core/algebra/products.h"
#include "core/design/base/design_type.h"
#include "core/design/optimal/optimal_search.h"
#include "core/model/feasibility/feasibility.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace quadric::design {

namespace {

/// A determinant that shrinks below this share of itself has become singular.
constexpr double kSingular = 1e-9;

/// Reciprocal condition below which the information counts as singular.
constexpr double kLeastCondition = 1e-13;

/// Runs more than coefficients where the study does not say how many: some degrees of freedom for the error.
constexpr int kSpareRuns = 5;

/// Runs that are repeated where the study does not say how many it wants: without them nothing tells that the
/// model is wrong.
constexpr int kReplicates = 3;

/// Designs out of the exchange of runs that are polished.
constexpr std::size_t kPolished = 5;

/// Designs this near to the best, as a share of the reported number, count as found again.
constexpr double kAgain = 1e-3;

/// Share of the work that the exchange of runs takes.
constexpr double kExchangeShare = 0.8;

int startsFor(const OptimalRequest& request, Eigen::Index columns)
{
    if (request.starts > 0)
        return request.starts;
    return columns <= 21 ? 60 : columns <= 45 ? 30 : 10;
}

void reportShareDone(const Progress& progress, double share)
{
    if (progress.done)
        progress.done(share);
}

bool isBetter(const Candidate& a, const Candidate& b)
{
    return a.value > b.value;
}

std::vector<Candidate> candidatesOf(const OptimalProblem& problem, const OptimalRequest& request,
                                    const std::stop_token& stop, const Progress& progress)
{
    model::RandomBits random(request.seed);
    std::vector<Candidate> found;
    const int starts = startsFor(request, problem.modelColumns());
    for (int start = 0; start < starts && !stop.stop_requested(); ++start) {
        reportShareDone(progress, kExchangeShare * start / starts);
        if (std::optional<Candidate> design = exchangeRuns(problem, random, stop))
            found.push_back(std::move(*design));
    }
    if (found.empty() && stop.stop_requested())
        throw Stopped();
    std::stable_sort(found.begin(), found.end(), isBetter);
    return found;
}

/// The best designs, no two of the same value: a design that was found again need not be polished again.
void polish(const OptimalProblem& problem, std::vector<Candidate>& found, const std::stop_token& stop,
            const Progress& progress)
{
    constexpr double kNoGain = 1e-9;
    double last = std::numeric_limits<double>::infinity();
    std::size_t polished = 0;
    for (Candidate& design : found) {
        if (polished == kPolished || stop.stop_requested())
            break;
        if (last - design.value < kNoGain * std::max(1.0, std::abs(design.value)))
            continue;
        last = design.value;
        exchangeCoordinates(problem, design, stop);
        reportShareDone(progress, kExchangeShare +
                                      (1.0 - kExchangeShare) * static_cast<double>(++polished) / kPolished);
    }
}

/// Standard order: by block, then by the factors in the study's order.
bool comesBefore(const DesignPoint& a, const DesignPoint& b)
{
    if (a.block != b.block)
        return a.block < b.block;
    return std::lexicographical_compare(a.point.x.data(), a.point.x.data() + a.point.size(), b.point.x.data(),
                                        b.point.x.data() + b.point.size());
}

std::vector<DesignPoint> keptRuns(const study::Study& study)
{
    const study::Coding coding(study.factors);
    std::vector<int> blocks; // in the order of their numbers
    for (const study::Run& run : study.runs)
        blocks.push_back(run.block);
    std::sort(blocks.begin(), blocks.end());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    std::vector<DesignPoint> kept;
    for (const study::Run& run : study.runs) {
        if (run.status == study::RunStatus::Failed || run.status == study::RunStatus::Excluded)
            continue;
        const auto block = std::lower_bound(blocks.begin(), blocks.end(), run.block) - blocks.begin();
        kept.push_back({coding.toCoded(run.settings), run.kind, static_cast<int>(block) + 1});
    }
    return kept;
}

/// The runs of an addition after all others, in random order.
study::Study withAdditions(study::Study study, const std::vector<DesignPoint>& points, int block)
{
    const study::Coding coding(study.factors);
    std::vector<study::Settings> settings;
    for (const std::size_t place : runOrder(points, study.design.randomize, study.design.seed))
        settings.push_back(coding.toLegalSettings(points[place].point));
    const std::size_t before = study.runs.size();
    study = study::withRuns(std::move(study), settings, study::RunKind::Augment);
    for (std::size_t i = before; i < study.runs.size(); ++i)
        study.runs[i].block = block;
    return study;
}

/// Settings that give a result rather than none, by the failures of the study; empty where none failed for a
/// reason that repeats.
std::function<bool(const Eigen::VectorXd&)> knownToRun(const study::Study& study)
{
    constexpr double kLeastProbability = 0.5;
    const std::shared_ptr<const model::Feasibility> feasibility = model::feasibilityOf(study);
    if (!feasibility)
        return {};
    return [feasibility](const Eigen::VectorXd& x) {
        return feasibility->failedRunsAt(x).empty() && feasibility->probabilityAt(x) >= kLeastProbability;
    };
}

/// Center runs, evenly over the blocks: the legal settings nearest to the center, categories in turn.
std::vector<DesignPoint> centersOf(const study::Study& study)
{
    const study::LegalSpace legal = makeSpaceToDesign(study);
    std::vector<DesignPoint> centers;
    for (int run = 0; run < study.design.centerRuns; ++run) {
        Eigen::VectorXd target = legal.center();
        std::size_t stride = 1;
        for (Eigen::Index i = 0; i < legal.size(); ++i) {
            if (legal.isNumeric(i))
                continue;
            const std::size_t levels = legal.axis(i).count();
            target[i] = static_cast<double>(static_cast<std::size_t>(run) / stride % levels);
            stride *= levels;
        }
        const std::optional<Eigen::VectorXd> point = legal.nearest(target);
        if (!point)
            throw DesignError("no legal setting was found near the center; lay the design out without "
                              "center runs");
        const int block = 1 + run * study.design.blocks / study.design.centerRuns;
        centers.push_back({study::CodedPoint(*point), study::RunKind::Center, block});
    }
    return centers;
}

void reportFoundDesign(const OptimalDesign& design, Criterion criterion, const Progress& progress)
{
    if (progress.found)
        progress.found({.starts = design.starts,
                        .best = design.best,
                        .isStopped = design.isStopped,
                        .digits = design.digits,
                        .roundingLoss = design.roundingLoss,
                        .criterion = criterion == Criterion::D ? "D" : "I"});
}

} // namespace

Exchange::Exchange(Criterion criterion, Eigen::MatrixXd kept, Eigen::MatrixXd momentRoot,
                   Eigen::MatrixXd rows)
    : m_criterion(criterion)
    , m_kept(std::move(kept))
    , m_root(std::move(momentRoot))
    , m_rows(std::move(rows))
{
}

bool Exchange::refresh(double ridge)
{
    Eigen::MatrixXd information = m_kept + algebra::cross(m_rows);
    information.diagonal().array() += ridge;
    const algebra::Cholesky factor(information);
    if (!factor.isPositiveDefinite() || !(factor.reciprocalCondition() > kLeastCondition))
        return false;
    m_inverse = factor.inverse();
    m_average =
        m_criterion == Criterion::I ? (algebra::transposedTimes(m_root, m_inverse) * m_root).trace() : 0.0;
    m_value = m_criterion == Criterion::D ? factor.logDeterminant() : -std::log(m_average);
    return true;
}

/// Determinant: (1 + d(y))(1 − d(x)) + d(x,y)² (Fedorov 1972); average: Meyer & Nachtsheim 1995.
Eigen::ArrayXd Exchange::gains(double dx, double px, const Eigen::ArrayXd& dy, const Eigen::ArrayXd& dxy,
                               const Eigen::ArrayXd& py, const Eigen::ArrayXd& pxy) const
{
    Eigen::ArrayXd determinant = (1.0 + dy) * (1.0 - dx) + dxy.square();
    if (m_criterion == Criterion::D)
        return determinant;
    const Eigen::ArrayXd average =
        m_average - ((1.0 - dx) * py + 2.0 * dxy * pxy - px * (1.0 + dy)) / determinant;
    return (determinant > kSingular && average > 0.0).select(m_average / average, 0.0);
}

Eigen::ArrayXd Exchange::gains(Eigen::Index i, const Eigen::MatrixXd& candidates) const
{
    const Eigen::VectorXd x = m_rows.row(i).transpose();
    const Eigen::VectorXd vx = m_inverse * x;
    const Eigen::MatrixXd v = algebra::times(candidates, m_inverse);
    const Eigen::ArrayXd dy = (v.array() * candidates.array()).rowwise().sum();
    const Eigen::ArrayXd dxy = v * x;
    if (m_criterion == Criterion::D)
        return gains(x.dot(vx), 0.0, dy, dxy, {}, {});
    const Eigen::VectorXd zx = m_root.transpose() * vx;
    const Eigen::MatrixXd z = algebra::times(v, m_root);
    return gains(x.dot(vx), zx.squaredNorm(), dy, dxy, z.array().square().rowwise().sum(), z * zx);
}

Exchange::Update Exchange::replace(Eigen::Index i, const Eigen::VectorXd& row)
{
    const Eigen::VectorXd x = m_rows.row(i).transpose();
    Update update;
    update.p.resize(row.size(), 2);
    update.p.col(0) = m_inverse * row;
    update.p.col(1) = m_inverse * x;
    const double dy = row.dot(update.p.col(0));
    const double dx = x.dot(update.p.col(1));
    const double dxy = x.dot(update.p.col(0));
    const double determinant = (1.0 + dy) * (1.0 - dx) + dxy * dxy;
    update.s << 1.0 - dx, dxy, dxy, -(1.0 + dy);
    update.s /= determinant;
    if (m_criterion == Criterion::I) {
        const Eigen::MatrixXd alongRoot = algebra::transposedTimes(m_root, update.p) * update.s;
        m_average -= (algebra::timesTransposed(alongRoot, update.p) * m_root).trace();
    }
    m_inverse -= algebra::timesTransposed(update.p * update.s, update.p);
    m_rows.row(i) = row.transpose();
    return update;
}

int defaultRuns(const study::Study& study, std::string_view model, int blocks)
{
    try {
        const auto columns = model::columnsOf(model::parseModel(model, study.factors), study.factors);
        return static_cast<int>(columns.size()) + blocks - 1 + kSpareRuns;
    } catch (const std::invalid_argument& error) {
        throw DesignError(error.what());
    }
}

int defaultReplicates(const study::Study& study)
{
    const study::DesignSpec& spec = study.design;
    const bool hasEqualCenters =
        spec.centerRuns >= kReplicates && std::ranges::all_of(study.factors, &study::Factor::isNumeric);
    return spec.runs > 0 || spec.blocks > 1 || hasEqualCenters ? 0 : kReplicates;
}

OptimalDesign optimalDesign(const study::Study& study, const OptimalRequest& request,
                            const std::stop_token& stop, const Progress& progress)
{
    const OptimalProblem problem(study, request);
    std::vector<Candidate> found = candidatesOf(problem, request, stop, progress);
    if (found.empty())
        throw DesignError("no " + std::to_string(problem.runs()) +
                          " legal settings were found from which the model '" + request.model +
                          "' can be estimated; allow more values or choose a smaller model");
    const std::size_t starts = found.size();
    polish(problem, found, stop, progress);
    const Candidate& exact = *std::min_element(found.begin(), found.end(), isBetter);
    const double unrounded = problem.reported(exact.value);
    const RoundedDesign best = roundLevels(study, problem, exact, request.digits);
    OptimalDesign design;
    design.digits = best.digits;
    design.roundingLoss = best.loss;
    design.isStopped = stop.stop_requested();
    design.value = problem.reported(best.design.value);
    design.starts = static_cast<int>(starts);
    design.best = static_cast<int>(std::count_if(found.begin(), found.end(), [&](const Candidate& other) {
        return std::abs(problem.reported(other.value) / unrounded - 1.0) < kAgain;
    }));
    const Eigen::MatrixXd& points = best.design.points;
    for (Eigen::Index run = 0; run < points.rows(); ++run)
        design.points.push_back(
            {study::CodedPoint(points.row(run).transpose()), study::RunKind::Design, problem.blockOf(run)});
    std::stable_sort(design.points.begin(), design.points.end(), comesBefore);
    reportShareDone(progress, 1.0);
    return design;
}

study::Study optimalAdditionalRuns(study::Study study, const AdditionalRuns& wanted,
                                   const std::stop_token& stop, const Progress& progress)
{
    if (wanted.count < 1)
        throw DesignError("additional runs: " + std::to_string(wanted.count) + ", expected 1 or more");
    OptimalRequest request;
    request.criterion = wanted.criterion;
    request.model = wanted.model;
    request.runs = wanted.count;
    request.seed = study.design.seed;
    request.digits = study.design.digits;
    int lastBlock = 1;
    try {
        request.kept = keptRuns(study);
    } catch (const std::invalid_argument& error) {
        throw DesignError(error.what());
    }
    for (const DesignPoint& point : request.kept)
        request.inBlock = std::max(request.inBlock, point.block);
    for (const study::Run& run : study.runs)
        lastBlock = std::max(lastBlock, run.block);
    const bool isNewBlock = wanted.inNewBlock && !request.kept.empty();
    request.inBlock = std::max(1, request.inBlock) + (isNewBlock ? 1 : 0);
    request.isAllowed = knownToRun(study);
    const OptimalDesign design = optimalDesign(study, request, stop, progress);
    return withAdditions(std::move(study), design.points, lastBlock + (isNewBlock ? 1 : 0));
}

OptimalRequest makeOptimalRequest(const study::Study& study, Criterion criterion)
{
    OptimalRequest request;
    request.criterion = criterion;
    request.model = study.design.model.empty() ? "quadratic" : study.design.model;
    request.runs = study.design.runs;
    request.blocks = study.design.blocks;
    request.seed = study.design.seed;
    request.digits = study.design.digits;
    return request;
}

std::vector<DesignPoint> optimalPoints(const study::Study& study, OptimalRequest request,
                                       const std::stop_token& stop, const Progress& progress)
{
    request.kept = centersOf(study);
    OptimalDesign design = optimalDesign(study, request, stop, progress);
    reportFoundDesign(design, request.criterion, progress);
    std::vector<DesignPoint> points = std::move(design.points);
    const std::size_t searched = points.size();
    const auto replicates = static_cast<std::size_t>(defaultReplicates(study));
    for (std::size_t i = 0; i < replicates; ++i) // spread over the region: the points are in standard order
        points.push_back(points[(2 * i + 1) * searched / (2 * replicates)]);
    points.insert(points.end(), request.kept.begin(), request.kept.end());
    std::stable_sort(points.begin(), points.end(),
                     [](const DesignPoint& a, const DesignPoint& b) { return a.block < b.block; });
    return points;
}

} // namespace quadric::design
