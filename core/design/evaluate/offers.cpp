// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/evaluate/offers.h"

#include "core/design/base/design_type.h"
#include "core/design/base/factor_levels.h"
#include "core/design/base/information.h"

#include <algorithm>
#include <cmath>

namespace quadric::design {

namespace {

using study::Study;

constexpr double kEffectSd = 2.0;
constexpr std::size_t kMostJudgedRuns = 512;

/// The information on the largest model of which every term can be estimated, with an error left where
/// possible.
struct Judged {
    std::string model;
    Information information;
};

std::optional<Judged> judge(const Study& study)
{
    const model::Order largest = largestOrderOf(study);
    std::optional<Judged> saturated;
    for (const model::Order order :
         {model::Order::Quadratic, model::Order::Interactions, model::Order::Linear}) {
        if (order > largest)
            continue;
        Judged judged{std::string(model::nameOf(order)), informationOf(study, model::nameOf(order))};
        if (!judged.information.leftOut.empty())
            continue;
        if (judged.information.dfResidual() > 0)
            return judged;
        if (!saturated)
            saturated = std::move(judged);
    }
    return saturated;
}

enum class TermKind { Main, Interaction, Square };

TermKind kindOf(const model::Term& term)
{
    if (term.degree() == 1)
        return TermKind::Main;
    return std::ranges::find(term.powers, 2) != term.powers.end() ? TermKind::Square : TermKind::Interaction;
}

void lower(std::optional<double>& smallest, double value)
{
    smallest = smallest ? std::min(*smallest, value) : value;
}

/// The rows of powerOf() stand in the order of the model's terms.
void setPowers(DesignOffer& offer, const Information& information)
{
    std::vector<TermKind> kinds;
    const model::Term* last = nullptr;
    for (const model::Column& column : information.columns) {
        if (!column.term.isIntercept() && (last == nullptr || !(column.term == *last)))
            kinds.push_back(kindOf(column.term));
        last = &column.term;
    }
    const std::vector<PowerRow> rows = powerOf(information, kEffectSd);
    for (std::size_t i = 0; i < std::min(rows.size(), kinds.size()); ++i) {
        std::optional<double>& smallest = kinds[i] == TermKind::Main          ? offer.powerMain
                                          : kinds[i] == TermKind::Interaction ? offer.powerInteraction
                                                                              : offer.powerSquare;
        lower(smallest, rows[i].power);
    }
}

std::string estimatesOf(const std::string& model, const DesignOffer& offer)
{
    if (model == "quadratic")
        return "Main effects, all two-factor interactions and curvature.";
    if (model == "interactions")
        return "Main effects and all two-factor interactions, no curvature.";
    const DesignType* type = findDesignType(offer.spec.type);
    return std::string(offer.resolution == 3 ? kMainMixed : type != nullptr ? type->mainEffects : kMainClear);
}

} // namespace

void takeNumbers(DesignOffer& offer, const Study& study)
{
    offer.runs = static_cast<int>(study.runs.size());
    if (study.runs.size() > kMostJudgedRuns)
        return;
    const std::optional<Judged> judged = judge(study);
    if (!judged)
        return;
    offer.model = judged->model;
    offer.powerMain = offer.powerInteraction = offer.powerSquare = {};
    setPowers(offer, judged->information);
    const double average =
        (judged->information.covariance * regionMoments(study, judged->information.columns)).trace();
    offer.predictionSe = std::sqrt(average);
    offer.estimates = estimatesOf(judged->model, offer);
}

namespace {

/// A search is known by what it is asked for.
void describeSlow(DesignOffer& offer, const Study& study)
{
    offer.runs = runCount(study);
    offer.isPossible = offer.runs > 0;
    offer.estimates = "Built for your model, factor ranges and constraints.";
    if (!offer.isPossible)
        offer.whyNot = "There is no optimal design for these factors.";
}

void describe(DesignOffer& offer, Study study)
{
    if (study.factors.empty()) {
        offer.whyNot = "The study has no factors yet.";
        return;
    }
    study.design = offer.spec;
    if (offer.isSlow) {
        describeSlow(offer, study);
        return;
    }
    try {
        study = layOut(std::move(study), true);
        offer.isPossible = true;
        takeNumbers(offer, study);
    } catch (const DesignError& error) {
        offer.isPossible = false;
        offer.whyNot = error.what();
    }
}

DesignOffer offerOf(const Study& study, const DesignType& type, const DesignVariant& variant)
{
    DesignOffer offer;
    offer.spec.type = type.name;
    offer.spec.seed = study.design.seed;
    offer.spec.randomize = study.design.randomize;
    offer.spec.centerRuns = usualCenterRuns(study, type.name);
    offer.spec.alpha = variant.alpha;
    offer.spec.runs = variant.runs;
    offer.title = variant.title;
    offer.resolution = variant.resolution;
    offer.isSlow = type.isSlow();
    return offer;
}

std::vector<DesignOffer> plainOffers(const Study& study)
{
    std::vector<DesignOffer> offers;
    for (const DesignType& type : allDesignTypes()) {
        const std::vector<DesignVariant> variants =
            type.variants != nullptr ? type.variants(study)
                                     : std::vector{DesignVariant{.title = std::string(type.title)}};
        for (const DesignVariant& variant : variants)
            offers.push_back(offerOf(study, type, variant));
    }
    return offers;
}

} // namespace

std::vector<DesignOffer> offersFor(const Study& study, const std::stop_token& stop)
{
    std::vector<DesignOffer> offers = plainOffers(study);
    std::size_t reached = 0;
    for (DesignOffer& offer : offers) {
        if (stop.stop_requested())
            break;
        describe(offer, study);
        ++reached;
    }
    offers.resize(reached);
    recommend(study, offers, stop);
    std::ranges::stable_sort(offers, std::ranges::greater{}, [](const DesignOffer& offer) {
        return offer.isRecommended ? 2 : offer.isPossible ? 1 : 0;
    });
    return offers;
}

} // namespace quadric::design
