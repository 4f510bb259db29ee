// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/select/term_choice.h"
#include "core/model/base/model_size.h"
#include "core/model/fit/reduce.h"

#include <algorithm>

namespace quadric::model {

namespace {

/// Every power of `part` is at most that of `whole`.
bool contains(const Term& whole, const Term& part)
{
    return std::ranges::equal(whole.powers, part.powers, std::ranges::greater_equal{});
}

} // namespace

std::vector<Term> choosableTerms(std::span<const Term> terms, const std::vector<study::Factor>& factors)
{
    std::vector<Term> all = termsOf(largestOrder(factors, 0.0, 1.0), factors);
    for (const Term& term : terms) {
        if (std::ranges::find(all, term) == all.end())
            all.push_back(term);
    }
    return all;
}

std::vector<Term> withTerm(std::span<const Term> terms, const Term& term,
                           const std::vector<study::Factor>& factors)
{
    std::vector<Term> wanted(terms.begin(), terms.end());
    wanted.push_back(term);
    try {
        return parseModel(formulaOf(wanted, factors), factors);
    } catch (const ModelTooLarge&) {
        return {terms.begin(), terms.end()};
    }
}

std::vector<Term> withoutTerm(std::span<const Term> terms, const Term& term)
{
    std::vector<Term> kept;
    for (const Term& each : terms) {
        if (each.isIntercept() || !contains(each, term))
            kept.push_back(each);
    }
    return kept;
}

} // namespace quadric::model
