// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/design_space.h"
#include "core/design/base/information.h"
#include "core/design/optimal/optimal.h"
#include "core/model/base/distributions.h"

namespace quadric::design {

/// Everything about a search for an optimal design that does not change while it runs.
class OptimalProblem {
public:
    OptimalProblem(const study::Study& study, const OptimalRequest& request);

    Eigen::Index runs() const { return static_cast<Eigen::Index>(m_block.size()); }
    Eigen::Index modelColumns() const { return m_table.columns(); }
    int blockOf(Eigen::Index run) const { return m_block[static_cast<std::size_t>(run)]; }
    const study::LegalSpace& legal() const { return m_legal; }
    const Eigen::MatrixXd& candidates() const { return m_candidates; }       ///< points × factors
    const Eigen::MatrixXd& candidateRows() const { return m_candidateRows; } ///< points × model columns
    std::vector<double> exploreLevels(Eigen::Index factor) const;

    /// Sum-to-zero contrasts of a block.
    Eigen::RowVectorXd blockPart(int block) const;
    /// Rows of the model matrix with the block columns of `run`.
    Eigen::MatrixXd rowsAt(const Eigen::MatrixXd& points, Eigen::Index run) const;

    Exchange makePointExchange(const Eigen::MatrixXd& points) const;
    /// D-efficiency or average variance from Exchange::value().
    double reported(double value) const;

private:
    Criterion m_criterion;
    study::LegalSpace m_legal;
    std::vector<model::Column> m_columns;
    ColumnTable m_table;
    std::vector<int> m_block; ///< of every new run, from 1
    int m_blocks = 1;
    std::vector<int> m_powers; ///< highest power of each factor in the model
    Eigen::MatrixXd m_candidates, m_candidateRows;
    Eigen::MatrixXd m_kept, m_momentRoot;
    Eigen::Index m_keptRuns = 0;
    double m_logBlocks = 0.0; ///< log of the determinant of the blocks' own information
};

/// A design on the way: its points and its criterion (Exchange::value(), the larger the better).
struct Candidate {
    Eigen::MatrixXd points;
    double value = 0.0;
};

/// Exchanges whole runs of a random design for candidates until nothing gets better. Empty where the model
/// cannot be estimated from what was found.
std::optional<Candidate> exchangeRuns(const OptimalProblem& problem, model::RandomBits& random,
                                      const std::stop_token& stop);

/// Moves one factor of one run after another, with steps that shrink.
void exchangeCoordinates(const OptimalProblem& problem, Candidate& design, const std::stop_token& stop);

/// The two values next to `actual` with so many digits: on a log2 scale significant digits of the value, on a
/// linear one those of the factor's range, so that 2 digits of 1000 … 1090 are 1000, 1010 … Both are one of
/// them where `actual` is that already or is an end of the range.
study::Range findSettable(const study::Factor& factor, double actual, int digits);

/// A design with the levels of its continuous factors at values that one can set.
struct RoundedDesign {
    Candidate design;
    int digits = 0;    ///< 0: not rounded
    double loss = 0.0; ///< share of the D-efficiency, or of the I-efficiency (average variances); may be < 0
};

/// `problem` is that of the study. Each level is taken to the nearest with `digits` digits, ends of a range
/// excepted; a run that a constraint would then forbid to the nearest such setting that it allows, and where
/// there is none it stays. Without `digits` the fewest of 2 to 6 that cost less than 1 %. Throws DesignError
/// where the rounded runs cannot estimate the model.
RoundedDesign roundLevels(const study::Study& study, const OptimalProblem& problem, const Candidate& exact,
                          std::optional<int> digits);

} // namespace quadric::design
