// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/design.h"

#include <Eigen/Core>

#include <functional>

namespace quadric::design {

enum class Criterion {
    D, ///< largest |X'X|: the smallest joint confidence region of the coefficients
    I  ///< smallest trace((X'X)⁻¹ W): the smallest average variance of a prediction over the region
};

/// A design whose rows are exchanged one after another, with its information kept up to date by rank-two
/// updates. Rows are those of the model matrix with block columns after the model's.
class Exchange {
public:
    /// `kept`: information X'X of rows that are never exchanged. `momentRoot`: R with RR' = W, the moments of
    /// the model over the region and zeros for block columns (criterion I).
    Exchange(Criterion criterion, Eigen::MatrixXd kept, Eigen::MatrixXd momentRoot, Eigen::MatrixXd rows);

    /// Computes everything anew with `ridge` added to the diagonal; false where the rows are too few or too
    /// alike for the model.
    bool refresh(double ridge = 0.0);

    const Eigen::MatrixXd& rows() const { return m_rows; }
    const Eigen::MatrixXd& inverse() const { return m_inverse; } ///< (X'X)⁻¹
    const Eigen::MatrixXd& momentRoot() const { return m_root; }
    Criterion criterion() const { return m_criterion; }
    /// log |X'X|, or −log of the average variance: the larger the better. Only right after refresh().
    double value() const { return m_value; }

    /// What the criterion becomes in units of what it is when a row with variance `dx`, average part `px` =
    /// ‖R'(X'X)⁻¹x‖², is exchanged for rows with `dy`, `py`, covariance `dxy` and `pxy`: the factor of the
    /// determinant, or of 1 / average variance. 0 where the new design would be singular.
    Eigen::ArrayXd gains(double dx, double px, const Eigen::ArrayXd& dy, const Eigen::ArrayXd& dxy,
                         const Eigen::ArrayXd& py, const Eigen::ArrayXd& pxy) const;

    /// What gains() would be for exchanging row `i` for each of `candidates`.
    Eigen::ArrayXd gains(Eigen::Index i, const Eigen::MatrixXd& candidates) const;

    /// (X'X)⁻¹ after an exchange is (X'X)⁻¹ − P S P'.
    struct Update {
        Eigen::MatrixXd p; ///< columns × 2
        Eigen::Matrix2d s;
    };
    Update replace(Eigen::Index i, const Eigen::VectorXd& row);

private:
    Criterion m_criterion;
    Eigen::MatrixXd m_kept, m_root, m_rows, m_inverse;
    double m_value = 0.0;
    double m_average = 0.0; ///< trace((X'X)⁻¹ W)
};

/// What an optimal design is searched for.
struct OptimalRequest {
    Criterion criterion = Criterion::D;
    std::string model = "quadratic";
    int runs = 0;    ///< searched for; 0: five more than there are coefficients, blocks counted
    int blocks = 1;  ///< fixed effects, the runs spread over them as evenly as possible
    int inBlock = 0; ///< 1 …: all runs in this block instead, beside those of the kept runs
    int starts = 0;  ///< searches from different random designs; 0: 60, fewer for models of many coefficients
    std::uint64_t seed = 42;
    /// Significant digits of continuous levels (see roundLevels()); 0: as found; empty: the fewest that cost
    /// less than 1 %.
    std::optional<int> digits = 0;
    /// Runs that will be made anyway and count for the information; their block counts from 1.
    std::vector<DesignPoint> kept = {};
    /// Only settings for which this holds, coded; empty: all legal ones.
    std::function<bool(const Eigen::VectorXd&)> isAllowed = {};
};

struct OptimalDesign {
    std::vector<DesignPoint> points; ///< block by block; every one legal
    /// Of points and kept runs together, as evaluate() says it: D-efficiency in percent or average prediction
    /// variance in units of σ².
    double value = 0.0;
    int starts = 0; ///< that ended in a design
    int best = 0;   ///< of them that came to within 0.1 % of the best
    bool isStopped = false;
    int digits = 0;            ///< of the levels; 0: not rounded
    double roundingLoss = 0.0; ///< share of the efficiency
};

/// A D- or I-optimal design over the legal settings of the study (integers, multiples, lists, categories,
/// constraints): modified Fedorov exchange over a candidate set (Cook & Nachtsheim 1980) from many random
/// starts, then coordinate exchange (Meyer & Nachtsheim 1995) with shrinking steps around the best of them.
/// The same for a seed on every platform. Replicates are allowed. A heuristic: no search of this kind proves
/// its optimum. Asked to stop, it returns the best design so far. Throws DesignError when the model asks for
/// more runs or more legal settings than there are or cannot be estimated from rounded levels, and Stopped
/// where there is no design yet.
OptimalDesign optimalDesign(const study::Study& study, const OptimalRequest& request,
                            const std::stop_token& stop = {}, const Progress& progress = {});

/// Runs that an optimal design of this model has by itself: five more than coefficients, blocks counted.
int defaultRuns(const study::Study& study, std::string_view model, int blocks);

/// Runs that it repeats once more: three, so that lack of fit can be tested; none where the study says how
/// many runs it wants, has blocks, or has center runs that are equal.
int defaultReplicates(const study::Study& study);

/// `count` legal settings that are best to add to the runs that the study has (failed and excluded ones left
/// out), as new pending runs of kind Augment after all others, in random order from the study's seed. Every
/// existing run is kept as it is. Settings where runs failed for a reason that repeats, and such as give a
/// result with a probability below a half (model::Feasibility), are not taken. `inNewBlock`: the new runs are
/// a block of their own, so that a shift between then and now cannot bias the model.
struct AdditionalRuns {
    int count = 1;
    Criterion criterion = Criterion::D;
    std::string model = "quadratic";
    bool inNewBlock = false;
};
study::Study optimalAdditionalRuns(study::Study study, const AdditionalRuns& wanted,
                                   const std::stop_token& stop = {}, const Progress& progress = {});

/// What the study's specification asks a search for.
OptimalRequest makeOptimalRequest(const study::Study& study, Criterion criterion);

/// The design, its replicates and the study's center runs, block by block.
std::vector<DesignPoint> optimalPoints(const study::Study& study, OptimalRequest request,
                                       const std::stop_token& stop, const Progress& progress);

} // namespace quadric::design
