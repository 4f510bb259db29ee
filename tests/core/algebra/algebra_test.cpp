// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/factorizations.h"
#include "core/algebra/products.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace quadric::algebra::test {

namespace {

/// Entries 1/(i + j − 1). Its inverse is known in whole numbers; determinant of order 4: 1/6,048,000 (Choi
/// 1983, Tricks or treats with the Hilbert matrix).
Eigen::MatrixXd hilbert(Eigen::Index size)
{
    Eigen::MatrixXd h(size, size);
    for (Eigen::Index i = 0; i < size; ++i)
        for (Eigen::Index j = 0; j < size; ++j)
            h(i, j) = 1.0 / static_cast<double>(i + j + 1);
    return h;
}

Eigen::MatrixXd inverseOfHilbert4()
{
    Eigen::MatrixXd inverse(4, 4);
    inverse << 16, -120, 240, -140, -120, 1200, -2700, 1680, 240, -2700, 6480, -4200, -140, 1680, -4200, 2800;
    return inverse;
}

/// 2 on the diagonal, −1 beside it: eigenvalues 2 − 2 cos(kπ/(n + 1)), determinant n + 1.
Eigen::MatrixXd secondDifferences(Eigen::Index size)
{
    Eigen::MatrixXd t = 2.0 * Eigen::MatrixXd::Identity(size, size);
    t.diagonal(1).setConstant(-1.0);
    t.diagonal(-1).setConstant(-1.0);
    return t;
}

/// Least squares of 6, 0, 0 on 1 and 0, 1, 2: 5 − 3x.
Eigen::MatrixXd line()
{
    Eigen::MatrixXd x(3, 2);
    x << 1, 0, 1, 1, 1, 2;
    return x;
}

void expectNear(const Eigen::MatrixXd& actual, const Eigen::MatrixXd& expected, double tolerance)
{
    ASSERT_EQ(actual.rows(), expected.rows());
    ASSERT_EQ(actual.cols(), expected.cols());
    EXPECT_LE((actual - expected).cwiseAbs().maxCoeff(), tolerance) << actual << "\ninstead of\n" << expected;
}

TEST(Products, multiplyWholeNumbers)
{
    Eigen::MatrixXd a(2, 3), b(3, 2), ab(2, 2), cross3(3, 3), weighted(3, 3);
    a << 1, 2, 3, 4, 5, 6;
    b << 7, 8, 9, 10, 11, 12;
    ab << 58, 64, 139, 154;
    cross3 << 17, 22, 27, 22, 29, 36, 27, 36, 45;
    weighted << 49, 62, 75, 62, 79, 96, 75, 96, 117; // 1 × the first row's squares + 3 × the second's
    expectNear(times(a, b), ab, 0.0);
    Eigen::MatrixXd product;
    times(a, b, product);
    expectNear(product, ab, 0.0);
    expectNear(timesTransposed(a, b.transpose()), ab, 0.0);
    expectNear(transposedTimes(a.transpose(), b), ab, 0.0);
    expectNear(cross(a), cross3, 0.0);
    expectNear(weightedCross(a, Eigen::Vector2d(1, 3)), weighted, 0.0);
}

TEST(Products, areThoseOfLargeMatricesToo)
{
    // Eigen multiplies small matrices in another way. The Vandermonde-like sums have closed forms.
    constexpr Eigen::Index kSize = 60;
    Eigen::MatrixXd a(kSize, kSize);
    for (Eigen::Index i = 0; i < kSize; ++i)
        for (Eigen::Index j = 0; j < kSize; ++j)
            a(i, j) = static_cast<double>(i + j);
    const double n = kSize;
    const auto sum = [n](double i, double j) { // Σₖ (i + k)(k + j)
        return n * i * j + (i + j) * n * (n - 1) / 2 + (n - 1) * n * (2 * n - 1) / 6;
    };
    const Eigen::MatrixXd square = times(a, a);
    EXPECT_EQ(square(0, 0), sum(0, 0));
    EXPECT_EQ(square(17, 42), sum(17, 42));
    EXPECT_EQ(square(59, 59), sum(59, 59));
    expectNear(cross(a), square, 0.0);
    expectNear(timesTransposed(a, a), square, 0.0);
}

TEST(Cholesky, invertsTheHilbertMatrix)
{
    const Cholesky factor(hilbert(4));
    ASSERT_TRUE(factor.isPositiveDefinite());
    expectNear(factor.inverse(), inverseOfHilbert4(), 1e-8);
    EXPECT_NEAR(factor.logDeterminant(), -std::log(6048000.0), 1e-10);
    expectNear(times(factor.lower(), factor.lower().transpose()), hilbert(4), 1e-15);
    // ‖H‖ = 25/12, ‖H⁻¹‖ = 13620.
    EXPECT_NEAR(factor.reciprocalCondition(), 12.0 / 25.0 / 13620.0, 1e-9);
}

TEST(Cholesky, solvesWithTheWholeMatrixAndWithItsRoot)
{
    Eigen::MatrixXd a(3, 3), root(3, 3); // the example of many books
    a << 4, 12, -16, 12, 37, -43, -16, -43, 98;
    root << 2, 0, 0, 6, 1, 0, -8, 5, 3;
    const Cholesky factor(a);
    expectNear(factor.lower(), root, 1e-12);
    EXPECT_NEAR(factor.logDeterminant(), std::log(36.0), 1e-12);

    const Eigen::VectorXd ones = Eigen::VectorXd::Ones(3);
    const Eigen::VectorXd sums = a * ones;
    expectNear(factor.solve(sums), ones, 1e-12);
    expectNear(factor.solve(a), Eigen::MatrixXd::Identity(3, 3), 1e-11);
    expectNear(factor.solveLower(root), Eigen::MatrixXd::Identity(3, 3), 1e-12);
    const Eigen::VectorXd half = factor.solveLower(ones);
    EXPECT_NEAR(half.squaredNorm(), ones.dot(factor.solve(ones)), 1e-12);
}

TEST(Cholesky, saysWhereAMatrixIsNotPositiveDefinite)
{
    Eigen::MatrixXd indefinite(2, 2);
    indefinite << 1, 2, 2, 1;
    EXPECT_FALSE(Cholesky(indefinite).isPositiveDefinite());
    EXPECT_FALSE(Cholesky(Eigen::MatrixXd::Constant(2, 2, -1.0)).isPositiveDefinite());
    EXPECT_TRUE(Cholesky(secondDifferences(50)).isPositiveDefinite());
}

TEST(Cholesky, copiesKeepTheirFactor)
{
    Cholesky factor(secondDifferences(5));
    const Cholesky copy = factor;
    factor = Cholesky(hilbert(4));
    EXPECT_NEAR(copy.logDeterminant(), std::log(6.0), 1e-13);
    EXPECT_NEAR(factor.logDeterminant(), -std::log(6048000.0), 1e-10);
}

TEST(PivotedCholesky, solvesAndInverts)
{
    const PivotedCholesky factor(secondDifferences(4));
    EXPECT_TRUE(factor.isPositiveSemidefinite());
    Eigen::VectorXd right(4), solution(4);
    right << 0, 0, 0, 5;
    solution << 1, 2, 3, 4;
    expectNear(factor.solve(right), solution, 1e-14);
    // (T⁻¹)ᵢⱼ = i (n + 1 − j)/(n + 1) for i ≤ j
    EXPECT_NEAR(factor.inverse()(1, 2), 2.0 * 2.0 / 5.0, 1e-15);
    expectNear(PivotedCholesky(hilbert(4)).inverse(), inverseOfHilbert4(), 1e-8);
}

TEST(PivotedCholesky, tellsSingularFromIndefinite)
{
    const PivotedCholesky singular(Eigen::MatrixXd::Ones(3, 3));
    EXPECT_TRUE(singular.isPositiveSemidefinite());
    EXPECT_EQ(singular.smallestPivot(), 0.0);
    Eigen::MatrixXd indefinite(2, 2);
    indefinite << 1, 2, 2, 1;
    const PivotedCholesky of(indefinite);
    EXPECT_FALSE(of.isPositiveSemidefinite());
    EXPECT_NEAR(of.smallestPivot(), -3.0, 1e-15); // 1 − 2²/1
}

TEST(SolveSymmetric, solvesFewAndManyUnknowns)
{
    for (const Eigen::Index size : {Eigen::Index{1}, kFewUnknowns, kFewUnknowns + 1, Eigen::Index{40}}) {
        Eigen::VectorXd b = Eigen::VectorXd::Zero(size);
        b[size - 1] = static_cast<double>(size + 1);
        solveSymmetric(secondDifferences(size), b);
        expectNear(b, Eigen::VectorXd::LinSpaced(size, 1.0, static_cast<double>(size)), 1e-12);
    }
}

TEST(HouseholderQr, takesAMatrixApart)
{
    const Eigen::MatrixXd x = hilbert(6).leftCols(3);
    const HouseholderQr qr(x);
    const Eigen::MatrixXd q = qr.basis();
    expectNear(cross(q), Eigen::MatrixXd::Identity(3, 3), 1e-15);
    expectNear(times(q, qr.upper()), x, 1e-15);
    expectNear(times(qr.upper(), qr.inverseUpper()), Eigen::MatrixXd::Identity(3, 3), 1e-12);
    EXPECT_EQ(qr.upper()(2, 0), 0.0);
    EXPECT_EQ(qr.factor()(0, 2), qr.upper()(0, 2));
}

TEST(HouseholderQr, fitsALine)
{
    const HouseholderQr qr(line());
    const Eigen::VectorXd rotated = qr.rotated(Eigen::Vector3d(6, 0, 0));
    expectNear(qr.solveUpper(rotated.head(2)), Eigen::Vector2d(5, -3), 1e-14);
    EXPECT_NEAR(std::abs(rotated[2]), std::sqrt(6.0), 1e-14); // residuals 1, −2, 1
    EXPECT_NEAR(qr.factor().diagonal().cwiseAbs().prod(), std::sqrt(6.0), 1e-14);
}

TEST(LeastSquares, fitsSeveralResponsesAtOnce)
{
    Eigen::MatrixXd y(3, 2), expected(2, 2);
    y << 6, 1, 0, 3, 0, 5;
    expected << 5, 1, -3, 2;
    expectNear(leastSquares(line(), y), expected, 1e-14);
}

TEST(Rank, countsIndependentColumns)
{
    Eigen::MatrixXd x(4, 4); // 1, two levels, their product, and the sum of the last two
    x << 1, -1, -1, -2, 1, -1, 1, 0, 1, 1, -1, 0, 1, 1, 1, 2;
    EXPECT_EQ(rank(x), 3);
    EXPECT_EQ(rank(hilbert(4)), 4);
    EXPECT_EQ(rank(Eigen::MatrixXd::Zero(3, 2)), 0);

    Eigen::MatrixXd nearly = Eigen::MatrixXd::Identity(3, 3);
    nearly(2, 2) = 1e-9;
    EXPECT_EQ(rank(nearly), 3);
    EXPECT_EQ(rank(nearly, 1e-8), 2);
    EXPECT_EQ(rank(nearly, 1e-10), 3);
}

TEST(Solve, isEmptyWhereTheMatrixIsSingular)
{
    Eigen::MatrixXd a(3, 3);
    a << 2, 1, -1, -3, -1, 2, -2, 1, 2;
    const std::optional<Eigen::VectorXd> solution = solve(a, Eigen::Vector3d(8, -11, -3));
    ASSERT_TRUE(solution);
    expectNear(*solution, Eigen::Vector3d(2, 3, -1), 1e-13);
    a.row(2) = a.row(0) + a.row(1);
    EXPECT_FALSE(solve(a, Eigen::Vector3d(8, -11, -3)));
}

TEST(Determinant, ofKnownMatrices)
{
    EXPECT_NEAR(determinant(secondDifferences(9)), 10.0, 1e-13);
    EXPECT_NEAR(determinant(hilbert(4)) * 6048000.0, 1.0, 1e-11);
    Eigen::MatrixXd swapped(2, 2);
    swapped << 0, 1, 1, 0;
    EXPECT_EQ(determinant(swapped), -1.0);
    EXPECT_EQ(determinant(Eigen::MatrixXd(0, 0)), 1.0);
}

TEST(SymmetricEigen, ofSecondDifferences)
{
    constexpr Eigen::Index kSize = 12;
    const Eigen::MatrixXd matrix = secondDifferences(kSize);
    const SymmetricEigen eigen = symmetricEigen(matrix);
    for (Eigen::Index k = 0; k < kSize; ++k)
        EXPECT_NEAR(eigen.values[k],
                    2.0 - 2.0 * std::cos(static_cast<double>(k + 1) * std::numbers::pi / (kSize + 1)), 1e-14);
    expectNear(cross(eigen.vectors), Eigen::MatrixXd::Identity(kSize, kSize), 1e-14);
    expectNear(eigen.vectors * eigen.values.asDiagonal() * eigen.vectors.transpose(), matrix, 1e-14);
}

TEST(Roots, multiplyToTheirMatrix)
{
    const Eigen::MatrixXd ones = Eigen::MatrixXd::Ones(4, 4); // singular
    const Eigen::MatrixXd root = eigenRoot(ones);
    expectNear(times(root, root.transpose()), ones, 1e-14);
    expectNear(symmetricSquareRoot(ones), 0.5 * ones, 1e-7); // 0 ± rounding, of which a root is taken
    Eigen::MatrixXd known(2, 2), square(2, 2);
    known << 2, 1, 1, 3;
    square << 5, 5, 5, 10;
    expectNear(symmetricSquareRoot(square), known, 1e-14);
}

TEST(SingularValues, areDescending)
{
    Eigen::MatrixXd x(3, 2); // X'X has the eigenvalues 9 and 4
    x << 2, 0, 0, 3, 0, 0;
    expectNear(singularValues(x), Eigen::Vector2d(3, 2), 1e-15);
    const Eigen::VectorXd golden = singularValues((Eigen::MatrixXd(2, 2) << 1, 1, 0, 1).finished());
    expectNear(golden, Eigen::Vector2d(std::numbers::phi, 1.0 / std::numbers::phi), 1e-15);
}

} // namespace

} // namespace quadric::algebra::test
