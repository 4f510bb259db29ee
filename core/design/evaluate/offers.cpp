// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/evaluate/offers.h"

#include "core/design/base/design_space.h"
#include "core/design/base/design_type.h"
#include "core/design/base/information.h"
#include "core/design/optimal/optimal.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <array>
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

std::optional<Judged> findLargestInformation(const Study& study)
{
    const model::Order largest = largestFittableOrder(study);
    std::optional<Judged> saturated;
    for (const model::Order order :
         {model::Order::Quadratic, model::Order::Interactions, model::Order::Linear}) {
        if (order > largest)
            continue;
        Judged judged{std::string(model::nameOf(order)), computeInformation(study, model::nameOf(order))};
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
        smallest = smallest ? std::min(*smallest, rows[i].power) : rows[i].power;
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
        fillOfferNumbers(offer, study);
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

constexpr std::size_t kManyFactors = 6;
constexpr int kManyRuns = 64;

/// A type, in a variant where it matters, and why it is the best choice of those before it failed.
struct Advice {
    std::string_view type;
    std::string_view alpha;
    std::string_view reason;
};

const std::vector<Advice> kScreening = {
    {"definitive-screening", "",
     "With this many factors, first find the few that matter: this takes the fewest runs that keep main "
     "effects free of interactions and show curvature."},
    {"fractional-factorial", "",
     "With this many factors, first find the few that matter: this fraction keeps main effects free of "
     "two-factor interactions."},
    {"plackett-burman", "", "With this many factors, first find the few that matter, in the fewest runs."},
    {"d-optimal", "", "The factors' levels and constraints leave no classical screening design."},
};

const std::vector<Advice> kResponseSurface = {
    {"box-behnken", "",
     "It estimates curvature and all interactions in few runs, and stays away from the corners, where "
     "settings are extreme all at once."},
    {"central-composite", "rotatable",
     "It estimates curvature and all interactions, with the same precision in every direction."},
    {"central-composite", "face",
     "It estimates curvature and all interactions without leaving the range from low to high."},
    {"i-optimal", "",
     "Classical designs have settings that cannot be run here; this one takes the settings that can, for the "
     "smallest prediction error."},
    {"full-factorial", "", "It estimates all interactions and needs nothing but the levels that there are."},
};

const std::vector<Advice> kFactorial = {
    {"full-factorial", "", "Every combination of so few levels can be run, and no effects are aliased."},
    {"fractional-factorial", "",
     "Every combination would be too many runs; this fraction keeps what matters."},
    {"d-optimal", "", "Every combination would be too many runs; this selects the most informative ones."},
};

const std::vector<Advice>& adviceFor(const study::Study& study)
{
    if (study.factors.size() >= kManyFactors)
        return kScreening;
    const auto surface =
        std::ranges::count_if(study.factors, [](const study::Factor& factor) { return hasCenter(factor); });
    return surface >= 2 ? kResponseSurface : kFactorial;
}

DesignOffer* findOffer(std::vector<DesignOffer>& offers, const Advice& advice)
{
    const auto found = std::ranges::find_if(offers, [&](const DesignOffer& offer) {
        const bool isTooLarge = offer.runs > kManyRuns && offer.spec.type == "full-factorial";
        return offer.isPossible && !isTooLarge && offer.spec.type == advice.type &&
               (advice.alpha.empty() || offer.spec.alpha == advice.alpha);
    });
    return found == offers.end() ? nullptr : &*found;
}

/// A design with at most this share of the runs of another takes clearly fewer.
constexpr double kClearlyFewer = 0.75;

/// Its runs tell about as much each as those of the other: runs × average prediction variance at most this
/// many times as large.
constexpr double kAsMuchPerRun = 1.25;

/// And it still answers the question: average prediction error in σ, chance to find a main effect of 2σ.
constexpr double kLargestError = 0.75;
constexpr double kLeastPower = 0.5;

/// Searches of the trial. More of them, as when the design is laid out, only find better ones.
constexpr int kTrialStarts = 5;

/// The offer with the numbers of a short search for it. Throws DesignError and Stopped.
DesignOffer withTrial(DesignOffer offer, study::Study study, const std::stop_token& stop)
{
    study.design = offer.spec;
    OptimalRequest request = makeOptimalRequest(study, Criterion::I);
    request.starts = kTrialStarts;
    const std::vector<DesignPoint> points = optimalPoints(study, request, stop, {});
    study.runs.clear();
    fillOfferNumbers(offer, study::withRuns(study, legalSettings(study, points), study::RunKind::Design));
    return offer;
}

bool isWeighed(const DesignOffer& offer)
{
    constexpr std::array kWeighed = {"box-behnken", "central-composite", "full-factorial"};
    return offer.predictionSe && std::ranges::find(kWeighed, offer.spec.type) != kWeighed.end();
}

bool answersTheSame(const DesignOffer& trial, const DesignOffer& usual)
{
    const auto spread = [](const DesignOffer& offer) {
        return static_cast<double>(offer.runs) * *offer.predictionSe * *offer.predictionSe;
    };
    return trial.predictionSe && trial.model == usual.model &&
           spread(trial) <= kAsMuchPerRun * spread(usual) && *trial.predictionSe <= kLargestError &&
           trial.powerMain.value_or(0.0) >= kLeastPower;
}

/// The I-optimal design where it answers the same question as the usual one in clearly fewer runs, with its
/// numbers; else empty.
std::optional<DesignOffer> findCheaper(const study::Study& study, const DesignOffer& usual,
                                       const std::vector<DesignOffer>& offers, const std::stop_token& stop)
{
    const auto optimal = std::ranges::find_if(
        offers, [](const DesignOffer& offer) { return offer.spec.type == "i-optimal" && offer.isPossible; });
    if (optimal == offers.end() || !isWeighed(usual))
        return std::nullopt;
    DesignOffer offer = *optimal;
    study::Study wanted = study;
    wanted.design = offer.spec;
    wanted.design.model = offer.spec.model = usual.model == "quadratic" ? std::string() : usual.model;
    offer.runs = runCount(wanted);
    if (offer.runs == 0 || offer.runs > kClearlyFewer * usual.runs)
        return std::nullopt;
    try {
        const DesignOffer trial = withTrial(std::move(offer), study, stop);
        return answersTheSame(trial, usual) ? std::optional(trial) : std::nullopt;
    } catch (const DesignError&) {
        return std::nullopt;
    }
}

std::string describeSaving(const DesignOffer& cheaper, const DesignOffer& usual)
{
    return "It estimates the same terms as the " + usual.title + " design in " +
           std::to_string(cheaper.runs) + " runs instead of " + std::to_string(usual.runs) +
           ", with an average prediction error of " + text::formatDecimals(*cheaper.predictionSe, 2) +
           " σ instead of " + text::formatDecimals(*usual.predictionSe, 2) + " σ.";
}

} // namespace

void fillOfferNumbers(DesignOffer& offer, const Study& study)
{
    offer.runs = static_cast<int>(study.runs.size());
    if (study.runs.size() > kMostJudgedRuns)
        return;
    const std::optional<Judged> judged = findLargestInformation(study);
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

void recommend(const study::Study& study, std::vector<DesignOffer>& offers, const std::stop_token& stop)
{
    for (const Advice& advice : adviceFor(study)) {
        DesignOffer* usual = findOffer(offers, advice);
        if (usual == nullptr)
            continue;
        if (std::optional<DesignOffer> cheaper = findCheaper(study, *usual, offers, stop)) {
            cheaper->reason = describeSaving(*cheaper, *usual);
            usual = &*std::ranges::find_if(
                offers, [](const DesignOffer& offer) { return offer.spec.type == "i-optimal"; });
            *usual = *std::move(cheaper);
        } else {
            usual->reason = advice.reason;
        }
        usual->isRecommended = true;
        return;
    }
}

const DesignOffer* findRecommended(const std::vector<DesignOffer>& offers)
{
    const auto found = std::ranges::find_if(offers, &DesignOffer::isRecommended);
    return found == offers.end() ? nullptr : &*found;
}

} // namespace quadric::design
