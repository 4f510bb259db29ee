// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/generate/paley.h"

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

} // namespace

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

Eigen::MatrixXd conferenceMatrix(int order)
{
    if (order < 4 || order % 2 != 0)
        return {};
    Eigen::MatrixXd matrix = paleyMatrix(order - 1);
    if (matrix.size() == 0 && order % 8 == 0)
        matrix = conferenceMatrix(order / 2);
    return matrix.size() == 0 || matrix.rows() == order ? matrix : doubled(matrix);
}

} // namespace quadric::design
