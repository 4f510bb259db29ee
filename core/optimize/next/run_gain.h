// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/process/process.h"
#include "core/optimize/merit/desirability.h"

#include <Eigen/Core>

#include <cstddef>
#include <limits>
#include <vector>

namespace quadric::optimize {

/// What lies between 0 and one of some points in every quality (Zitzler & Thiele 1998). Qualities are at
/// least 0, larger is better.
class DominatedRegion {
public:
    static constexpr Eigen::Index kMostQualities = 4; ///< its parts grow with the power of their number

    /// Throws std::invalid_argument for fewer than one quality or more than `kMostQualities`.
    DominatedRegion(const std::vector<Eigen::ArrayXd>& points, Eigen::Index qualities);

    /// Of all points together, the hypervolume.
    double volume() const { return m_volume; }

    /// What one more point is expected to add to the volume. Its qualities are independent of one another,
    /// each one equally often any value of its column of `draws`: then the mean of what a box gains is the
    /// product of the means of its sides (after Emmerich, Giannakoglou & Naujoks 2006).
    double expectedGain(const Eigen::ArrayXXd& draws) const;

private:
    /// Edges, one for each quality: what is not dominated yet lies between that of each quality but the last
    /// one and the next higher edge, and above that of the last one.
    using Column = std::vector<std::size_t>;

    void addColumns(const std::vector<Eigen::ArrayXd>& points);
    bool advance(Column& column) const;
    double volumeBelow(const Column& column) const;

    std::vector<std::vector<double>> m_edges; ///< of each quality, rising from 0
    std::vector<Column> m_columns;
    double m_volume = 0.0;
};

/// The responses of a study that have a goal, a weight and a usable Gaussian process, and what settings are
/// worth by them. Of one response to be maximized or minimized that is its value on the scale of the model,
/// larger is better; otherwise the overall desirability, which goes on rising beyond ends that nobody has
/// set.
class ProcessGoals {
public:
    ProcessGoals(const study::Study& study, const std::vector<model::Process>& processes);

    bool isEmpty() const { return m_parts.empty(); }
    /// Responses with a goal and a weight but without a usable process, in words.
    const std::string& leftOut() const { return m_leftOut; }
    std::size_t count() const { return m_parts.size(); }
    const model::Process& process(std::size_t i) const { return m_parts[i].process; }
    const Desirability& desirability(std::size_t i) const { return m_parts[i].desirability; }
    bool isOneValue() const { return m_parts.size() == 1 && m_parts.front().sign != 0.0; }

    /// Of values on the scale of the models, one for each response.
    double worthOf(const Eigen::ArrayXd& values) const;
    /// Of the predicted means.
    double worthAt(const Eigen::VectorXd& x) const;

    /// log of the expected gain of worth over `best` where a run reveals the true values at x
    /// (Jones, Schonlau & Welch 1998; in logarithms: Ament et al. 2023).
    double logExpectedGain(const Eigen::VectorXd& x, double best) const;

    /// The same at a setting where runs gave results, `best` the best of all others: what one more run there
    /// is expected to make the choice between them better by (knowledge gradient: Frazier, Powell & Dayanik
    /// 2009). A setting that is best anyway gains nothing by being run again.
    double logRepeatGain(const Eigen::VectorXd& x, double best) const;

    /// A gain of worth as people read it: of one value its share of the value itself; otherwise as it is.
    double readableGain(double best, double gain) const;

    /// Desirability of each response by its predicted mean, linear between its ends and without its weight:
    /// what a trade-off front is of. The bad end, where nobody has set it, lies a tenth of the range beyond.
    Eigen::ArrayXd qualitiesAt(const Eigen::VectorXd& x) const;
    /// Columns: what each of them may turn out to be where a run reveals the true values at x; where runs
    /// have shown it already (`isKnown`), what one more run may make the mean of it.
    Eigen::ArrayXXd drawQualities(const Eigen::VectorXd& x, bool isKnown) const;

    /// A run at x counts as done with what is predicted as its result.
    void addRun(const Eigen::VectorXd& x);

private:
    struct Part {
        model::Process process;
        Desirability desirability;
        Desirability quality; ///< for the trade-off front
        double sign =
            0.0; ///< of one value: 1 where larger values on the model's scale are better, −1; else 0
    };
    template <class Values> double overallOf(const Values& values) const;
    static double qualityOf(const Part& part, double value);

    std::vector<Part> m_parts;
    std::string m_leftOut;
    Eigen::MatrixXd m_draws; ///< samples × responses, standard normal
};

/// What one more run may gain beside settings that are sure to run.
class RunGain {
public:
    virtual ~RunGain() = default;

    /// log of the expected gain of a run at a coded point; `isKnown`: that setting is among those sure to
    /// run.
    virtual double logAt(const Eigen::VectorXd& x, bool isKnown) const = 0;
    /// A gain as people read it, mostly a share.
    virtual double readable(double gain) const = 0;
};

/// Of worth over the best predicted worth (ProcessGoals::worthAt()).
class CompromiseGain : public RunGain {
public:
    /// `goals` stays alive as long as the gain.
    CompromiseGain(const ProcessGoals& goals, const std::vector<Eigen::VectorXd>& known);
    double logAt(const Eigen::VectorXd& x, bool isKnown) const override;
    double readable(double gain) const override;

private:
    const ProcessGoals& m_goals;
    double m_best = -std::numeric_limits<double>::infinity();
    double m_second = -std::numeric_limits<double>::infinity(); ///< of all settings but the best one
    Eigen::VectorXd m_at;                                       ///< of the best
};

/// Of the volume that the predicted qualities dominate (ProcessGoals::qualitiesAt()): the trade-off front
/// advances, whatever the weights are. As a share of the volume.
class FrontGain : public RunGain {
public:
    /// `goals` stays alive as long as the gain; it has at most DominatedRegion::kMostQualities responses.
    FrontGain(const ProcessGoals& goals, const std::vector<Eigen::VectorXd>& known);
    double logAt(const Eigen::VectorXd& x, bool isKnown) const override;
    double readable(double gain) const override;

private:
    const ProcessGoals& m_goals;
    DominatedRegion m_region;
};

} // namespace quadric::optimize
