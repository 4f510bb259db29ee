// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

#include <array>
#include <stop_token>

namespace quadric::plan {

/// Models that predict one response, the study's own first.
enum class Rival { Polynomial, Process, Lasso, Forest, Perceptron, Neighbors };
inline constexpr std::array kRivals = {Rival::Polynomial, Rival::Process,    Rival::Lasso,
                                       Rival::Forest,     Rival::Perceptron, Rival::Neighbors};

/// "polynomial", "gaussian-process", "lasso", "random-forest", "perceptron", "nearest-neighbors".
std::string_view nameOf(Rival rival);
/// The same for people: "random forest".
std::string_view wordsOf(Rival rival);

/// How one model predicts runs that it has not seen. Errors in the response's own unit; those of all
/// divisions into folds are averaged.
struct RivalScore {
    Rival rival = Rival::Polynomial;
    double mae = 0.0, rmse = 0.0;
    double maeSd = 0.0, rmseSd = 0.0;   ///< over the divisions into folds
    double r2 = 0.0;                    ///< 1 − Σ error²/Σ (y − mean)²
    std::vector<double> predicted = {}; ///< per run, mean of the divisions
    std::vector<double> importance =
        {}; ///< per factor: by how much its shuffling enlarges the MAE, as a share
    /// Against the polynomial, of all but itself: its mean absolute error less that of this one, and the
    /// probability of so much by chance (one-sided), multiplied for the number of models (Holm 1979).
    double gain = 0.0;
    double p = 1.0;
    std::string message = {}; ///< why there is nothing: a fold that cannot be fitted
    bool isOk() const { return message.empty(); }
};

/// What each model says on average over the runs where one factor is set to each of these values.
struct PartialDependence {
    std::string factor;
    std::vector<double> coded;              ///< categorical: the index of the level
    std::vector<std::vector<double>> means; ///< per rival as in Opinion::scores; empty for one without score
};

struct OpinionOptions {
    int folds = 10;  ///< at most one for each setting
    int repeats = 4; ///< divisions into folds
    double alpha = 0.05;
    std::uint64_t seed = 1;
    bool explains = true; ///< with importance and partial dependence
    std::vector<Rival> rivals = {kRivals.begin(), kRivals.end()};
    std::stop_token stop = {};
};

struct Opinion {
    std::string response, unit;
    std::vector<int> runs;        ///< ids
    std::vector<double> observed; ///< likewise
    int settings = 0, folds = 0, repeats = 0;
    std::vector<RivalScore> scores;            ///< in the order of the options
    std::vector<PartialDependence> dependence; ///< per factor
    /// The model with the smallest error of those that beat the polynomial by more than chance; −1: none.
    int better = -1;
    double alpha = 0.05;
    std::string message; ///< why there is nothing
    bool isOk() const { return message.empty(); }
};

/// Trains every model on the same folds and predicts the runs left out, all runs of a setting in one fold.
/// Transform and coding are those of the fit; the polynomial chooses its terms anew in each fold where the
/// study lets it choose. Whether a model beats the polynomial: mean difference of the absolute errors of the
/// folds over its standard error, corrected for folds that share runs (Nadeau & Bengio 2003), by Student's t.
Opinion secondOpinion(const study::Study& study, const model::Fit& fit, const OpinionOptions& options = {});

} // namespace quadric::plan
