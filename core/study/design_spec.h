// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/factor.h"

#include <optional>
#include <string_view>

namespace quadric::study {

/// Significant digits of a level, at most.
inline constexpr int kMostDigits = 12;

/// How the runs were laid out. `type` is a design name of the command line ("box-behnken", "custom", …;
/// empty: none yet). What a type has no use for is left alone.
struct DesignSpec {
    std::string type = {};
    int centerRuns = 3;
    int replicates = 1;
    int blocks = 1;
    bool randomize = true;
    std::uint64_t seed = 42;
    std::string alpha = {}; ///< central composite: "rotatable", "face", "orthogonal", "practical" or a
                            ///< number; empty: the type's own choice
    int runs = 0;           ///< runs before replication and without center runs; 0: the type's own choice
    std::vector<std::string> generators = {}; ///< "D=AB": factors by letter, see letterOf()
    int resolution = 0;                       ///< least resolution of a fraction; 0: the type's own choice
    std::string model = {};                   ///< of optimal designs; empty: quadratic
    std::optional<int> digits = {}; ///< optimal designs: of the levels of continuous factors; 0: as found;
                                    ///< empty: the fewest that cost next to nothing
    std::map<std::string, int, std::less<>> levels = {}; ///< full factorial: factor name → number of levels
    UnknownKeys unknown = {};
    bool operator==(const DesignSpec&) const = default;
};

/// Letter of the factor at this place of the study: A, B, C … without I, which stands for the mean; '?' from
/// the 26th factor on.
char letterOf(std::size_t factor);
/// The reverse, capital or small; empty for what is no letter of a factor.
std::optional<std::size_t> factorOfLetter(char letter);

/// The number in an alpha that is one, above 0; empty for the words and for anything else.
std::optional<double> alphaNumber(std::string_view alpha);

/// A key of the specification ("replicates") and what is wrong with its value.
struct SpecProblem {
    std::string key = {};
    std::string message = {};
};

/// Everything in the specification that no study could be laid out with.
std::vector<SpecProblem> problemsOf(const DesignSpec& spec);

/// Every choice as if nothing had been said but the seed, which is as good for any type.
DesignSpec withDefaults(const DesignSpec& spec);

} // namespace quadric::study
