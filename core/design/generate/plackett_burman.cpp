// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/generate/plackett_burman.h"

#include "core/design/base/design_type.h"
#include "core/design/generate/design_catalog.h"

#include <algorithm>
#include <array>
#include <vector>

namespace quadric::design {

namespace {

constexpr int kLargestField = 49;

struct PrimePower {
    int prime = 0;
    int exponent = 0;
};

PrimePower primePowerOf(int q)
{
    for (int prime = 3; prime <= q; ++prime) {
        if (q % prime != 0)
            continue;
        PrimePower result{prime, 0};
        for (; q % prime == 0; q /= prime)
            ++result.exponent;
        return q == 1 ? result : PrimePower{};
    }
    return {};
}

/// The field of q = p^e elements; element a stands for the polynomial whose coefficients are the digits of a
/// in base p.
class Field {
public:
    Field(int prime, int exponent)
        : m_prime(prime)
        , m_digits(exponent)
        , m_size(1)
        , m_reduction(reductionOf(prime, exponent))
    {
        for (int i = 0; i < exponent; ++i)
            m_size *= prime;
    }

    int size() const { return m_size; }

    int difference(int a, int b) const
    {
        int result = 0;
        for (int i = 0, place = 1; i < m_digits; ++i, place *= m_prime)
            result += place * ((a / place % m_prime - b / place % m_prime + m_prime) % m_prime);
        return result;
    }

    int product(int a, int b) const
    {
        std::array<int, 6> coefficients{};
        const auto at = [&](int power) -> int& { return coefficients.at(static_cast<std::size_t>(power)); };
        for (int i = 0, x = a; i < m_digits; ++i, x /= m_prime)
            for (int j = 0, y = b; j < m_digits; ++j, y /= m_prime)
                at(i + j) += (x % m_prime) * (y % m_prime);
        for (int i = 2 * m_digits - 2; i >= m_digits; --i)
            for (int j = 0; j < m_digits; ++j)
                at(i - m_digits + j) += at(i) * m_reduction.at(static_cast<std::size_t>(j));
        int result = 0;
        for (int i = m_digits - 1; i >= 0; --i)
            result = result * m_prime + at(i) % m_prime;
        return result;
    }

private:
    /// x^e as a polynomial of lower degree, by an irreducible polynomial: x² = −1 for 9 and 49, x² = 2 for
    /// 25, x³ = x − 1 for 27.
    static std::array<int, 3> reductionOf(int prime, int exponent)
    {
        if (exponent == 3)
            return {prime - 1, 1, 0};
        return {prime == 5 ? 2 : prime - 1, 0, 0};
    }

    int m_prime;
    int m_digits;
    int m_size;
    std::array<int, 3> m_reduction;
};

/// χ(x): 0 for 0, +1 for squares, −1 for the others.
std::vector<int> quadraticCharacter(const Field& field)
{
    std::vector<int> character(static_cast<std::size_t>(field.size()), -1);
    for (int x = 1; x < field.size(); ++x)
        character[static_cast<std::size_t>(field.product(x, x))] = 1;
    character[0] = 0;
    return character;
}

/// [[C, C + I], [C − I, −C]] is skew again and twice as large.
Eigen::MatrixXd doubled(const Eigen::MatrixXd& skew)
{
    const Eigen::Index n = skew.rows();
    const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(n, n);
    Eigen::MatrixXd large(2 * n, 2 * n);
    large << skew, skew + identity, skew - identity, -skew;
    return large;
}

constexpr int kSmallest = 8;
constexpr int kLargest = 48;

/// Plackett & Burman, "The design of optimum multifactorial experiments", Biometrika 33 (1946) 305–325.
constexpr std::array<std::string_view, 9> kFirstRows = {
    "+++-+--",
    "++-+++---+-",
    "++++-+-++--+---",
    "++--++++-+-+----++-",
    "+++++-+-++--++--+-+----",
    "----+-+-+++-++---+++++--++-+--+",
    "-+-+++---+++++-+++--+----+-+-++--+-",
    "++--+-+--+++-+++++---+-+++-----+---++-+-++-",
    "+++++-++++--+-+-+++--+--++-++---+-+-++----+----",
};

Eigen::MatrixXd cyclic(std::string_view row)
{
    const auto columns = static_cast<Eigen::Index>(row.size());
    Eigen::MatrixXd signs = Eigen::MatrixXd::Constant(columns + 1, columns, -1.0);
    for (Eigen::Index shift = 0; shift < columns; ++shift)
        for (Eigen::Index i = 0; i < columns; ++i)
            if (row[static_cast<std::size_t>(i)] == '+')
                signs(shift, (i + shift) % columns) = 1.0;
    return signs;
}

/// Without its first column, the rows turned so that it was all plus: orthogonal columns that add to 0.
Eigen::MatrixXd withoutFirstColumn(Eigen::MatrixXd hadamard)
{
    for (Eigen::Index row = 0; row < hadamard.rows(); ++row)
        hadamard.row(row) *= hadamard(row, 0);
    return hadamard.rightCols(hadamard.cols() - 1);
}

/// The design twice, the second time with its signs changed in the second half of the columns.
Eigen::MatrixXd doubledDesign(const Eigen::MatrixXd& half)
{
    const Eigen::Index n = half.rows();
    Eigen::MatrixXd signs(2 * n, 2 * n - 1);
    signs << half, Eigen::VectorXd::Ones(n), half, half, -Eigen::VectorXd::Ones(n), -half;
    return signs;
}

int runsNeeded(const study::Study& study)
{
    const int factors = static_cast<int>(study.factors.size());
    const int needed = std::max(kSmallest, (factors / 4 + 1) * 4);
    const int runs = study.design.runs > 0 ? study.design.runs : needed;
    if (needed > kLargest)
        throw DesignError("Plackett-Burman designs hold up to " + std::to_string(kLargest - 1) +
                          " factors, not " + std::to_string(factors));
    if (runs < needed)
        throw DesignError("a Plackett-Burman design of " + std::to_string(factors) + " factors needs " +
                          std::to_string(needed) + " runs or more, not " + std::to_string(runs));
    return runs;
}

/// The first columns of the smallest design that has one for each factor, or of `runs`. Two blocks by the
/// last column, where no factor needs it.
std::vector<DesignPoint> plackettBurmanOf(const study::Study& study, const std::stop_token& /*stop*/,
                                          const Progress& /*progress*/)
{
    requireTwoLevels(study, "A Plackett-Burman design");
    const auto factors = static_cast<Eigen::Index>(study.factors.size());
    const Eigen::MatrixXd signs = plackettBurman(runsNeeded(study));
    std::vector<DesignPoint> points = pointsOfSigns(study, signs.leftCols(factors));
    if (study.design.blocks == 1)
        return points;
    if (study.design.blocks != 2 || factors == signs.cols())
        throw DesignError(
            "A Plackett-Burman design is divided into 2 blocks by a column that no factor needs; "
            "ask for 2 blocks" +
            std::string(factors == signs.cols() ? " and more runs" : "") +
            ", or for as many replicates as blocks");
    for (std::size_t i = 0; i < points.size(); ++i)
        points[i].block = signs(static_cast<Eigen::Index>(i), signs.cols() - 1) < 0.0 ? 1 : 2;
    std::ranges::stable_sort(points, {}, &DesignPoint::block);
    return points;
}

/// Paley's matrix of order q + 1 for an odd prime power q below 50 (Paley 1933): zeros on the diagonal, ±1
/// elsewhere, C C' = q I. Symmetric for q ≡ 1, skew for q ≡ 3 (mod 4). Empty where q is no such number.
Eigen::MatrixXd paleyMatrix(int q)
{
    const PrimePower power = primePowerOf(q);
    if (q < 3 || q > kLargestField || power.prime == 0)
        return {};
    const Field field(power.prime, power.exponent);
    const std::vector<int> character = quadraticCharacter(field);
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(q + 1, q + 1);
    for (int i = 0; i < q; ++i) {
        matrix(0, i + 1) = 1.0;
        matrix(i + 1, 0) = q % 4 == 1 ? 1.0 : -1.0;
        for (int j = 0; j < q; ++j)
            matrix(i + 1, j + 1) = character[static_cast<std::size_t>(field.difference(j, i))];
    }
    return matrix;
}

} // namespace

Eigen::MatrixXd conferenceMatrix(int order)
{
    if (order < 4 || order % 2 != 0)
        return {};
    Eigen::MatrixXd matrix = paleyMatrix(order - 1);
    if (matrix.size() == 0 && order % 8 == 0)
        matrix = conferenceMatrix(order / 2);
    return matrix.size() == 0 || matrix.rows() == order ? matrix : doubled(matrix);
}

std::vector<int> plackettBurmanRuns()
{
    std::vector<int> counts;
    for (int runs = kSmallest; runs <= kLargest; runs += 4)
        counts.push_back(runs);
    return counts;
}

Eigen::MatrixXd plackettBurman(int runs)
{
    const auto row = std::ranges::find(kFirstRows, static_cast<std::size_t>(std::max(1, runs) - 1),
                                       [](std::string_view text) { return text.size(); });
    if (row != kFirstRows.end())
        return cyclic(*row);
    if (runs == 28)
        // Skew Paley matrix plus the identity: a Hadamard matrix.
        return withoutFirstColumn(paleyMatrix(runs - 1) + Eigen::MatrixXd::Identity(runs, runs));
    if (runs == 40)
        return doubledDesign(plackettBurman(runs / 2));
    throw DesignError("Plackett-Burman designs have 8, 12, 16 … 48 runs, not " + std::to_string(runs));
}

DesignType plackettBurmanType()
{
    return {.name = "plackett-burman",
            .title = "Plackett–Burman",
            .purpose = "Screens main effects with the fewest runs.",
            .points = plackettBurmanOf,
            .keys = {"runs"},
            .mainEffects = kMainMixed,
            .importTitle = "orthogonal two-level design (Plackett–Burman)"};
}

} // namespace quadric::design
