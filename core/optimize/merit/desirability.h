// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/predict.h"

#include <Eigen/Core>

#include <vector>

namespace quadric::optimize {

/// A response's desirability with every default filled in (Derringer & Suich 1980).
struct Desirability {
    std::string response;
    study::Goal goal = study::Goal::Maximize;
    double low = 0.0, target = 0.0, high = 1.0; ///< response's own unit
    double shapeBelow = 1.0, shapeAbove = 1.0;
    double weight = 1.0;
    bool lowIsDefault = false, highIsDefault = false; ///< not set by the response
};

/// It counts in the compromise: there is a goal and a weight above 0.
bool takesPart(const Desirability& desirability);
bool takesPart(const study::Response& response);

/// The limits that the response sets and that count: outside them d is 0. Of a response that takes no part
/// none.
struct SetLimits {
    std::optional<double> low, high;
    bool isEmpty() const { return !low && !high; }
};
SetLimits setLimitsOf(const Desirability& desirability);

/// Some response has such a limit.
bool hasSetLimits(const study::Study& study);

/// Limits that the response does not set come from the fit's observed range; the end that is wished for from
/// the model's own best (model::Fit::ownBest) where that is known and lies farther.
Desirability desirabilityOf(const study::Response& response, const model::Fit& fit);

/// d(y) in [0, 1]. Goal::None gives 1.
double valueOf(const Desirability& desirability, double y);

/// (Π dᵢ^wᵢ)^(1/Σwᵢ); 0 as soon as one dᵢ with positive weight is 0; 1 without any weight.
double overall(const std::vector<Desirability>& desirabilities, const std::vector<double>& predicted);

/// The responses of a study that have a usable model. Entry i of each list belongs to the same response.
struct Goals {
    std::vector<const model::Fit*> fits;
    std::vector<Desirability> desirabilities;
    std::string leftOut; ///< responses with a goal and a weight but without a usable model, in words

    std::size_t count() const { return fits.size(); }
    /// Responses with a goal.
    std::ptrdiff_t countWanted() const;
    /// The desirabilities that take part in the compromise.
    std::vector<Desirability> findWanted() const;
    /// At least one response takes part in the compromise.
    bool hasCompromise() const;
};

/// A fit is usable when it is Ok and was made with the study's factors as they are now.
Goals goalsOf(const study::Study& study, const std::vector<model::Fit>& fits);

/// What a run gave of each response that is wanted, in their order; empty where a result is missing or not
/// finite.
std::optional<std::vector<double>> findMeasured(const study::Run& run,
                                                const std::vector<Desirability>& wanted);

/// Width of the observed range, 1 where it has none: makes responses of different units comparable.
double observedWidth(const model::Fit& fit);

/// How much better `best` is than `y` in the sense of the goal, at least 0; response's own unit
/// (Goal::Target: difference of the distances from the target).
double shortfall(const Desirability& desirability, double best, double y);

/// A linear quality of one predicted response, larger is better: sign (y − offset) / width.
struct Piece {
    Eigen::Index response = 0;
    double sign = 1.0;
    double offset = 0.0;
    double width = 1.0;
    double exponent = 1.0; ///< MeritMode::Product
    double weight = 1.0;   ///< MeritMode::Product; the same in all pieces of a response

    double quality(double y) const { return sign * (y - offset) / width; }
};

enum class MeritMode {
    Product, ///< overall desirability where every quality is positive, otherwise the smallest quality (≤ 0)
    Minimum  ///< the smallest quality
};

/// What a search makes as large as possible, as a function of the predicted responses. Desirability is flat
/// at zero in large parts of a region; there the smallest quality (the largest shortfall from an acceptable
/// limit) leads the search on. Pieces of one response stand next to one another; their smallest counts.
class Merit {
public:
    Merit(MeritMode mode, std::vector<Piece> pieces);

    MeritMode mode() const { return m_mode; }
    const std::vector<Piece>& pieces() const { return m_pieces; }
    double totalWeight() const { return m_totalWeight; }

    double operator()(const Eigen::ArrayXd& y) const;

    /// Upper bound where the responses lie between `low` and `high`.
    double bound(const Eigen::ArrayXd& low, const Eigen::ArrayXd& high) const;

    /// Largest value that the merit can take: 1 for desirability.
    double ceiling() const;

private:
    template <class Value> double combine(Value valueOf) const;

    MeritMode m_mode;
    std::vector<Piece> m_pieces;
    double m_totalWeight = 0.0;
};

/// Overall desirability; entry i of the list belongs to response i. Goals and weights say which take part.
Merit compromiseMerit(const std::vector<Desirability>& desirabilities);

/// What decides between settings that all reach the desirability 1: the smallest of the distances beyond the
/// ends where the responses reach 1, each as a share of the way from 0 to 1.
Merit slackMerit(const std::vector<Desirability>& desirabilities);

/// One response alone in the sense of its goal: y, −y or −|y − target|, over `width`.
Merit ownMerit(Eigen::Index response, study::Goal goal, double target, double width);

} // namespace quadric::optimize
