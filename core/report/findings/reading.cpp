// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/reading.h"

#include "core/model/base/term_group.h"
#include "core/model/base/thresholds.h"
#include "core/model/fit/effect_ranking.h"
#include "core/report/catalogue.h"
#include "core/report/catalogue/reading_sentences.h"
#include "core/report/findings/fit_findings.h"
#include "core/text/numbers.h"

#include <algorithm>

namespace quadric::report {

namespace {

using model::AnovaRow;
using model::Fit;

/// Name of a group of terms in the middle of a sentence; empty for rows that are no group.
std::string groupName(const std::string& source)
{
    if (source == "Linear")
        return "main effects";
    if (source == "Quadratic")
        return "quadratic effects";
    if (source == "Cubic")
        return "cubic effects";
    return source.ends_with("nteractions") ? "interactions" : "";
}

std::string modelSentence(const Fit& fit)
{
    if (const std::optional<Finding> finding = significanceFinding(fit))
        return finding->sentence;
    return std::string(model::rowOf(fit, "Model") == nullptr ? catalogue::kMeanModel
                                                             : catalogue::kUntestedModel);
}

void addGroups(std::string_view pattern, const std::vector<std::string>& groups,
               std::vector<std::string>& sentences)
{
    if (!groups.empty())
        sentences.push_back(fill(pattern, {{"groups", text::formatList(groups)}}));
}

/// A group of terms and its verdict among all groups (Holm).
struct TestedGroup {
    std::string source, name;
    bool isSignificant = false;
};

std::vector<TestedGroup> testGroups(const Fit& fit)
{
    std::vector<TestedGroup> groups;
    std::vector<std::optional<double>> p;
    for (const AnovaRow& row : fit.anova) {
        const std::string name = groupName(row.source);
        if (name.empty() || !row.p)
            continue;
        groups.push_back({row.source, name});
        p.push_back(row.p);
    }
    p = model::adjustByHolm(p);
    for (std::size_t i = 0; i < groups.size(); ++i)
        groups[i].isSignificant = *p[i] < model::kSignificance;
    return groups;
}

/// A significant group has a term that contains one of this group.
bool isContained(const Fit& fit, const TestedGroup& group, const std::vector<TestedGroup>& groups)
{
    return std::ranges::any_of(fit.terms, [&](const model::Term& term) {
        const auto whole = std::ranges::find(groups, model::groupOf(term), &TestedGroup::source);
        return whole != groups.end() && whole->isSignificant &&
               std::ranges::any_of(fit.terms, [&](const model::Term& part) {
                   return model::groupOf(part) == group.source && isParent(part, term);
               });
    });
}

/// Groups of terms that are significant, and those that are not.
void readGroups(const Fit& fit, std::vector<std::string>& sentences)
{
    std::vector<std::string> active, contained, idle;
    const std::vector<TestedGroup> groups = testGroups(fit);
    for (const TestedGroup& group : groups) {
        std::vector<std::string>& list = group.isSignificant               ? active
                                         : isContained(fit, group, groups) ? contained
                                                                           : idle;
        list.push_back(group.name);
    }
    addGroups(catalogue::kActiveGroups, active, sentences);
    addGroups(catalogue::kHierarchicalGroups, contained, sentences);
    addGroups(catalogue::kIdleGroups, idle, sentences);
    const AnovaRow* blocks = model::rowOf(fit, "Blocks");
    if (blocks != nullptr && blocks->p && *blocks->p < model::kSignificance)
        sentences.push_back(fill(catalogue::kBlocks, {{"p", text::formatPClause(*blocks->p)}}));
}

} // namespace

std::vector<std::string> readAnova(const Fit& fit)
{
    if (!fit.isOk())
        return {fit.message};
    std::vector<std::string> sentences{modelSentence(fit)};
    if (!fit.r2)
        return sentences;
    readGroups(fit, sentences);
    if (const std::optional<Finding> finding = lackOfFitFinding(fit))
        sentences.push_back(finding->sentence);
    return sentences;
}

} // namespace quadric::report
