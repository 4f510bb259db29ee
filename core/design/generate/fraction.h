// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/design.h"

#include <map>
#include <optional>

namespace quadric::design {

/// A product of factors: bit i stands for the factor at place i of the study. `sign` is −1 for a word that is
/// −1 in every run, or for an effect aliased with its negative.
struct Word {
    std::uint32_t factors = 0;
    int sign = 1;

    int length() const;
    bool operator==(const Word&) const = default;
};

/// "ABD" or "-ABD" by letters, "A*B*D" or "-A*B*D" by the names of the factors; "1" for the mean.
std::string lettersOf(const Word& word);
std::string nameOf(const Word& word, const std::vector<study::Factor>& factors);

/// Effects that the runs cannot tell apart, shortest first.
using AliasChain = std::vector<Word>;

/// The structure of a regular two-level fraction 2^(k−p) (p = 0: the full factorial).
struct Fraction {
    int factors = 0;                 ///< k
    int basic = 0;                   ///< k − p: the fraction has 2^basic different runs
    std::vector<Word> definingWords; ///< every one of the 2^p − 1, shortest first, then in order of letters
    int resolution = 0;              ///< length of the shortest; 0 for the full factorial

    /// Word length → number of words.
    std::map<int, int> wordLengthPattern() const;
    /// "D=AB" for every factor that is a product of basic ones.
    std::vector<std::string> generators() const;
    /// Every chain that holds an effect of at most `longest` factors, its effects of at most `longest`
    /// factors; effects that are alone in their chain are left out unless `singles`.
    std::vector<AliasChain> aliasChains(int longest = 3, bool singles = false) const;
};

/// What "D=AB" or "E=-ACD" says: the defining word. Throws DesignError for anything else, and for a letter
/// beyond the `factors` of the study.
Word definingWordOf(std::string_view generator, int factors);

/// The fraction that these defining words generate. Throws DesignError when they are not independent.
Fraction fractionFrom(int factors, const std::vector<Word>& generators);

/// The structure of the runs that a study has, found from their settings: empty when they are not all at two
/// levels a factor (center and axial runs aside) or not a regular fraction.
std::optional<Fraction> fractionOf(const study::Study& study);

/// Signs −1, +1 of the fraction's runs in standard order: basic factors as in a full factorial, the first
/// changing fastest.
Eigen::MatrixXd makeFractionSigns(const Fraction& fraction);

} // namespace quadric::design
