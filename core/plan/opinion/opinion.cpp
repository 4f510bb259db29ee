// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/opinion/opinion.h"

#include "core/model/base/distributions.h"
#include "core/model/fit/observations.h"
#include "core/model/fit/regression.h"
#include "core/model/predict/predict.h"
#include "core/model/process/process.h"
#include "core/plan/opinion/learner.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>

namespace quadric::plan {

namespace {

/// Predicts the response, in its own unit, at a coded point.
using PointPredictor = std::function<double(const study::CodedPoint&)>;

/// The runs of a fit that models are trained with, and how they become rows of features.
class OpinionData {
public:
    OpinionData(const study::Study& study, const model::Fit& fit);

    std::size_t size() const { return m_rows.size(); }
    const std::vector<int>& groups() const { return m_groups; }
    const std::vector<study::CodedPoint>& points() const { return m_points; }
    double observed(std::size_t row) const { return m_observed[row]; }
    int run(std::size_t row) const { return m_rows[row]; }

    /// Trained on these rows. Throws std::runtime_error with the reason where that cannot be done.
    PointPredictor train(Rival rival, const std::vector<Eigen::Index>& rows) const;

private:
    study::Study studyWith(const std::vector<Eigen::Index>& rows) const;
    Eigen::VectorXd featuresAt(const study::CodedPoint& point) const;

    const study::Study& m_study;
    const model::Fit& m_fit;
    std::vector<int> m_rows, m_groups; ///< ids of the runs
    std::vector<study::CodedPoint> m_points;
    std::vector<double> m_observed; ///< response's own unit
    Eigen::VectorXd m_values;       ///< model's scale
};

Learner learnerOf(Rival rival)
{
    switch (rival) {
    case Rival::Lasso:
        return trainLasso;
    case Rival::Forest:
        return trainForest;
    case Rival::Perceptron:
        return trainPerceptron;
    default:
        return trainNeighbors;
    }
}

PointPredictor trainPolynomial(const study::Study& study, const model::Fit& whole)
{
    model::FitOptions options = whole.data->options;
    options.transform = whole.transform; // which may have been recommended, not asked for
    auto fit = std::make_shared<model::Fit>(model::fitResponse(study, whole.response, options));
    if (!fit->isOk())
        throw std::runtime_error(fit->message);
    return [fit](const study::CodedPoint& point) { return model::predictMean(*fit, point); };
}

PointPredictor trainProcess(const study::Study& study, const model::Fit& whole)
{
    auto process = std::make_shared<model::Process>(
        model::fitProcess(study, whole.response, {.starts = 1, .transform = whole.transform}));
    if (!process->isOk())
        throw std::runtime_error(process->message);
    return [process](const study::CodedPoint& point) { return process->predictMean(point); };
}

OpinionData::OpinionData(const study::Study& study, const model::Fit& fit)
    : m_study(study)
    , m_fit(fit)
    , m_rows(fit.data->observations.runs)
    , m_groups(fit.data->replicateGroups)
    , m_points(fit.data->observations.points)
    , m_values(fit.data->observations.z)
{
    const Eigen::VectorXd& y = fit.data->observations.y;
    m_observed.assign(y.begin(), y.end());
}

/// Only the runs of these rows: copies and confirmations, which no model is fitted to, stay out, too.
study::Study OpinionData::studyWith(const std::vector<Eigen::Index>& rows) const
{
    study::Study part = m_study;
    part.factors = m_fit.factors; // on the scales of the fit, which may have been recommended
    part.runs.clear();
    for (const Eigen::Index row : rows)
        part.runs.push_back(*study::findRun(m_study, m_rows[static_cast<std::size_t>(row)]));
    return part;
}

/// Coded numeric factors, and of each level of a categorical factor whether it is that one.
Eigen::VectorXd OpinionData::featuresAt(const study::CodedPoint& point) const
{
    std::vector<double> features;
    for (std::size_t i = 0; i < m_fit.factors.size(); ++i) {
        const double value = point[static_cast<Eigen::Index>(i)];
        if (m_fit.factors[i].isNumeric())
            features.push_back(value);
        else
            for (std::size_t level = 0; level < m_fit.factors[i].categories.size(); ++level)
                features.push_back(value == static_cast<double>(level) ? 1.0 : 0.0);
    }
    return Eigen::Map<Eigen::VectorXd>(features.data(), std::ssize(features));
}

PointPredictor OpinionData::train(Rival rival, const std::vector<Eigen::Index>& rows) const
{
    if (rival == Rival::Polynomial)
        return trainPolynomial(studyWith(rows), m_fit);
    if (rival == Rival::Process)
        return trainProcess(studyWith(rows), m_fit);
    LearningData data;
    data.features.resize(std::ssize(rows), featuresAt(m_points.front()).size());
    data.values = m_values(rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto row = static_cast<std::size_t>(rows[i]);
        data.features.row(static_cast<Eigen::Index>(i)) = featuresAt(m_points[row]).transpose();
        data.groups.push_back(m_groups[row]);
    }
    return [this, predict = learnerOf(rival)(data)](const study::CodedPoint& point) {
        const double z = predict(featuresAt(point));
        return model::isInvertible(m_fit.transform, z) ? model::invertTransform(m_fit.transform, z)
                                                       : std::numeric_limits<double>::infinity();
    };
}

constexpr int kFewestSettings = 6;
constexpr int kShuffles = 5; ///< values that each factor of a run is replaced by
constexpr int kDependencePoints = 15;

struct RivalNames {
    std::string_view name, words;
};
constexpr std::array<RivalNames, kRivals.size()> kNames{{{"polynomial", "polynomial"},
                                                         {"gaussian-process", "Gaussian process"},
                                                         {"lasso", "lasso"},
                                                         {"random-forest", "random forest"},
                                                         {"perceptron", "multilayer perceptron"},
                                                         {"nearest-neighbors", "nearest neighbors"}}};

/// What one model gives in all folds of all divisions.
struct FoldResults {
    std::vector<std::vector<double>> predicted; ///< per division, per run
    std::vector<double> foldErrors;             ///< mean absolute error of each fold of each division
    std::vector<double> shuffled;               ///< per factor: sum of absolute errors, first division
    double unshuffled = 0.0;
    std::string message;
};

struct Split {
    std::vector<Eigen::Index> in, out;
};

Split splitOf(const std::vector<int>& folds, int fold)
{
    Split split;
    for (std::size_t row = 0; row < folds.size(); ++row)
        (folds[row] == fold ? split.out : split.in).push_back(static_cast<Eigen::Index>(row));
    return split;
}

/// Errors of the runs left out with one factor set as in other runs, drawn at random.
void addShuffled(const OpinionData& data, const PointPredictor& predict, const Split& split,
                 model::RandomBits& random, FoldResults& results)
{
    results.shuffled.resize(static_cast<std::size_t>(data.points().front().size()), 0.0);
    for (const Eigen::Index row : split.out) {
        const auto at = static_cast<std::size_t>(row);
        results.unshuffled += std::abs(data.observed(at) - predict(data.points()[at]));
        for (std::size_t factor = 0; factor < results.shuffled.size(); ++factor)
            for (int i = 0; i < kShuffles; ++i) {
                study::CodedPoint point = data.points()[at];
                const auto axis = static_cast<Eigen::Index>(factor);
                point[axis] = data.points()[model::drawBelow(random, data.size())][axis];
                results.shuffled[factor] += std::abs(data.observed(at) - predict(point)) / kShuffles;
            }
    }
}

FoldResults crossPredict(const OpinionData& data, Rival rival, const std::vector<std::vector<int>>& divisions,
                         int folds, const OpinionOptions& options)
{
    FoldResults results;
    model::RandomBits random(options.seed);
    for (std::size_t division = 0; division < divisions.size(); ++division) {
        std::vector<double>& predicted = results.predicted.emplace_back(data.size());
        for (int fold = 0; fold < folds && !options.stop.stop_requested(); ++fold) {
            const Split split = splitOf(divisions[division], fold);
            const PointPredictor predict = data.train(rival, split.in);
            double error = 0.0;
            for (const Eigen::Index row : split.out) {
                const auto at = static_cast<std::size_t>(row);
                predicted[at] = predict(data.points()[at]);
                if (!std::isfinite(predicted[at]))
                    throw std::runtime_error("A prediction is not finite.");
                error += std::abs(data.observed(at) - predicted[at]);
            }
            results.foldErrors.push_back(error / static_cast<double>(split.out.size()));
            if (options.explains && division == 0)
                addShuffled(data, predict, split, random, results);
        }
    }
    return results;
}

double meanOf(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double sdOf(const std::vector<double>& values)
{
    if (values.size() < 2)
        return 0.0;
    double squares = 0.0;
    for (const double value : values)
        squares += std::pow(value - meanOf(values), 2);
    return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

void fillErrors(const OpinionData& data, const FoldResults& results, RivalScore& score)
{
    std::vector<double> maes, rmses, r2s;
    std::vector<double> observed;
    for (std::size_t row = 0; row < data.size(); ++row)
        observed.push_back(data.observed(row));
    const double mean = meanOf(observed);
    double total = 0.0;
    for (const double value : observed)
        total += std::pow(value - mean, 2);
    score.predicted.assign(data.size(), 0.0);
    for (const std::vector<double>& predicted : results.predicted) {
        double absolute = 0.0, squares = 0.0;
        for (std::size_t row = 0; row < data.size(); ++row) {
            absolute += std::abs(observed[row] - predicted[row]);
            squares += std::pow(observed[row] - predicted[row], 2);
            score.predicted[row] += predicted[row] / static_cast<double>(results.predicted.size());
        }
        maes.push_back(absolute / static_cast<double>(data.size()));
        rmses.push_back(std::sqrt(squares / static_cast<double>(data.size())));
        r2s.push_back(total > 0.0 ? 1.0 - squares / total : 0.0);
    }
    score.mae = meanOf(maes);
    score.rmse = meanOf(rmses);
    score.maeSd = sdOf(maes);
    score.rmseSd = sdOf(rmses);
    score.r2 = meanOf(r2s);
    for (const double shuffled : results.shuffled)
        score.importance.push_back(results.unshuffled > 0.0 ? shuffled / results.unshuffled - 1.0 : 0.0);
}

/// P of a mean gain as large by chance: variance of the folds' differences times 1/J + n₂/n₁, J − 1 degrees
/// of freedom (Nadeau & Bengio 2003), n₂ runs left out of n₁ + n₂.
double nadeauBengioP(const std::vector<double>& gains, int folds)
{
    const double sd = sdOf(gains);
    const auto count = static_cast<double>(gains.size());
    if (!(sd > 0.0))
        return 1.0;
    const double share = 1.0 / (folds - 1.0);
    const double t = meanOf(gains) / (sd * std::sqrt(1.0 / count + share));
    const double both = model::tProbability(t, count - 1.0);
    return t > 0.0 ? both / 2.0 : 1.0 - both / 2.0;
}

/// Holm 1979: the i-th smallest of m times m − i + 1, never falling.
void adjustRivalsByHolm(std::vector<RivalScore>& scores)
{
    std::vector<RivalScore*> rivals;
    for (RivalScore& score : scores)
        if (score.rival != Rival::Polynomial && score.isOk())
            rivals.push_back(&score);
    std::ranges::sort(rivals, {}, [](const RivalScore* score) { return score->p; });
    double before = 0.0;
    for (std::size_t i = 0; i < rivals.size(); ++i) {
        before = std::max(before, std::min(1.0, rivals[i]->p * static_cast<double>(rivals.size() - i)));
        rivals[i]->p = before;
    }
}

void compareWithPolynomial(const std::vector<FoldResults>& results, int folds, Opinion& opinion)
{
    const auto own = std::ranges::find(opinion.scores, Rival::Polynomial, &RivalScore::rival);
    if (own == opinion.scores.end() || !own->isOk())
        return;
    const FoldResults& base = results[static_cast<std::size_t>(own - opinion.scores.begin())];
    for (std::size_t i = 0; i < results.size(); ++i) {
        RivalScore& score = opinion.scores[i];
        if (score.rival == Rival::Polynomial || !score.isOk())
            continue;
        std::vector<double> gains;
        for (std::size_t fold = 0; fold < base.foldErrors.size(); ++fold)
            gains.push_back(base.foldErrors[fold] - results[i].foldErrors[fold]);
        score.gain = own->mae - score.mae;
        score.p = nadeauBengioP(gains, folds);
    }
    adjustRivalsByHolm(opinion.scores);
    for (std::size_t i = 0; i < opinion.scores.size(); ++i) {
        const RivalScore& score = opinion.scores[i];
        const bool isBetter = score.rival != Rival::Polynomial && score.isOk() && score.p < opinion.alpha;
        if (isBetter &&
            (opinion.better < 0 || score.mae < opinion.scores[static_cast<std::size_t>(opinion.better)].mae))
            opinion.better = static_cast<int>(i);
    }
}

std::vector<double> placesOf(const study::Factor& factor)
{
    std::vector<double> places;
    const int count = factor.isNumeric() ? kDependencePoints : static_cast<int>(factor.categories.size());
    places.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i)
        places.push_back(factor.isNumeric() ? -1.0 + 2.0 * i / (count - 1) : i);
    return places;
}

void fillDependence(const OpinionData& data, const model::Fit& fit, const OpinionOptions& options,
                    Opinion& opinion)
{
    std::vector<Eigen::Index> all(data.size());
    std::iota(all.begin(), all.end(), Eigen::Index(0));
    for (const study::Factor& factor : fit.factors)
        opinion.dependence.push_back({factor.name, placesOf(factor), {}});
    for (const RivalScore& score : opinion.scores) {
        const bool isLeftOut = !score.isOk() || options.stop.stop_requested();
        const PointPredictor predict = isLeftOut ? PointPredictor() : data.train(score.rival, all);
        for (std::size_t factor = 0; factor < opinion.dependence.size(); ++factor) {
            PartialDependence& dependence = opinion.dependence[factor];
            std::vector<double>& means = dependence.means.emplace_back();
            for (std::size_t place = 0; place < dependence.coded.size() && predict; ++place) {
                double sum = 0.0;
                for (study::CodedPoint point : data.points()) {
                    point[static_cast<Eigen::Index>(factor)] = dependence.coded[place];
                    sum += predict(point);
                }
                means.push_back(sum / static_cast<double>(data.size()));
            }
        }
    }
}

Opinion beginOpinion(const model::Fit& fit, const OpinionOptions& options)
{
    Opinion opinion;
    opinion.response = fit.response;
    opinion.unit = fit.unit;
    opinion.alpha = options.alpha;
    if (!fit.isOk() || fit.data == nullptr) {
        opinion.message = fit.message.empty() ? "There is no model to compare with." : fit.message;
        return opinion;
    }
    opinion.settings = *std::ranges::max_element(fit.data->replicateGroups) + 1;
    opinion.folds = std::min(options.folds, opinion.settings);
    opinion.repeats = opinion.folds == opinion.settings ? 1 : options.repeats;
    if (opinion.settings < kFewestSettings)
        opinion.message = "Runs at " + std::to_string(kFewestSettings) +
                          " or more different settings are needed, found " +
                          std::to_string(opinion.settings) + ".";
    return opinion;
}

} // namespace

std::string_view nameOf(Rival rival)
{
    return kNames[static_cast<std::size_t>(rival)].name;
}

std::string_view wordsOf(Rival rival)
{
    return kNames[static_cast<std::size_t>(rival)].words;
}

Opinion secondOpinion(const study::Study& study, const model::Fit& fit, const OpinionOptions& options)
{
    Opinion opinion = beginOpinion(fit, options);
    if (!opinion.isOk())
        return opinion;
    const OpinionData data(study, fit);
    for (std::size_t row = 0; row < data.size(); ++row) {
        opinion.runs.push_back(data.run(row));
        opinion.observed.push_back(data.observed(row));
    }
    std::vector<std::vector<int>> divisions;
    divisions.reserve(static_cast<std::size_t>(opinion.repeats));
    for (int i = 0; i < opinion.repeats; ++i)
        divisions.push_back(
            foldsOfGroups(data.groups(), opinion.folds, options.seed + static_cast<std::uint64_t>(i)));
    std::vector<FoldResults> results;
    for (const Rival rival : options.rivals) {
        RivalScore& score = opinion.scores.emplace_back(RivalScore{.rival = rival});
        try {
            results.push_back(crossPredict(data, rival, divisions, opinion.folds, options));
            fillErrors(data, results.back(), score);
        } catch (const std::runtime_error& error) {
            results.emplace_back();
            score.message = error.what();
        }
    }
    if (options.stop.stop_requested()) {
        opinion.message = "Stopped.";
        return opinion;
    }
    compareWithPolynomial(results, opinion.folds, opinion);
    if (options.explains)
        fillDependence(data, fit, options, opinion);
    return opinion;
}

} // namespace quadric::plan
