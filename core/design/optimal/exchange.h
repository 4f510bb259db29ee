// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

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

} // namespace quadric::design
