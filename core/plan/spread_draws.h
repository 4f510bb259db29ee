// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace quadric::plan {

/// So many draws of so many independent numbers, spread more evenly than by chance: the points of Sobol'
/// (directions of Joe & Kuo 2008), shifted by random numbers (Cranley & Patterson 1976). A quantile of 512 of
/// them errs about as one of 1500 random draws. A draw has the same numbers whatever is made of the others.
/// Powers of two are spread best.
class SpreadDraws {
public:
    SpreadDraws(int draws, std::size_t numbers, std::uint64_t seed);

    /// All are inside 0 … 1.
    double unit(int draw, std::size_t number) const;
    /// Of a standard normal distribution.
    double normal(int draw, std::size_t number) const;
    /// Of Student's t distribution.
    double student(int draw, std::size_t number, double df) const;
    /// √(df/χ²): what an error may really be that was estimated with so many degrees of freedom, over the
    /// estimate.
    double errorOverEstimate(int draw, std::size_t number, double df) const;

private:
    std::size_t m_numbers;
    std::vector<double> m_units; ///< draw by draw
};

} // namespace quadric::plan
