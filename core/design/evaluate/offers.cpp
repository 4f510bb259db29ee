// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/evaluate/offers.h"

#include "core/design/base/design_type.h"
#include "core/design/base/factor_levels.h"
#include "core/design/base/information.h"
#include "core/design/generate/fractional_factorial.h"
#include "core/design/generate/minimum_aberration.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace quadric::design {

namespace {

using study::Study;

constexpr double kEffectSd = 2.0;
constexpr std::size_t kMostJudgedRuns = 512;

std::string roman(int resolution)
{
    constexpr std::array<std::string_view, 11> kNumerals = {"",   "I",   "II",   "III", "IV", "V",
                                                            "VI", "VII", "VIII", "IX",  "X"};
    const auto index = static_cast<std::size_t>(resolution);
    return index < kNumerals.size() ? std::string(kNumerals.at(index)) : std::to_string(resolution);
}

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
    if (offer.spec.type == "definitive-screening" && model == "linear")
        return "Main effects free of everything else, and whether curvature or interactions are there.";
    if (model == "quadratic")
        return "Main effects, all two-factor interactions and curvature.";
    if (model == "interactions")
        return "Main effects and all two-factor interactions, no curvature.";
    if (offer.resolution == 3 || offer.spec.type == "plackett-burman")
        return "Main effects only, as long as interactions are small.";
    return "Main effects free of two-factor interactions, which are mixed with one another.";
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
        if (offer.spec.type == "fractional-factorial")
            offer.resolution = fractionFor(offer.spec, static_cast<int>(study.factors.size())).resolution;
        takeNumbers(offer, study);
    } catch (const DesignError& error) {
        offer.isPossible = false;
        offer.whyNot = error.what();
    }
}

class OfferList {
public:
    explicit OfferList(const Study& study)
        : m_study(study)
    {
    }

    DesignOffer& add(std::string_view type, std::string title)
    {
        DesignOffer offer;
        offer.spec.type = type;
        offer.spec.seed = m_study.design.seed;
        offer.spec.randomize = m_study.design.randomize;
        offer.spec.centerRuns = usualCenterRuns(m_study, type);
        offer.title = std::move(title);
        const DesignType* known = findDesignType(type);
        offer.isSlow = known != nullptr && known->isSlow();
        m_offers.push_back(std::move(offer));
        return m_offers.back();
    }

    std::vector<DesignOffer> take() { return std::move(m_offers); }

private:
    const Study& m_study;
    std::vector<DesignOffer> m_offers;
};

/// The smallest fraction of resolution V and the smallest of resolution IV, where they differ from the full
/// factorial and from each other.
void addFractions(OfferList& offers, int factors)
{
    if (factors < 3 || factors > kMostFractionFactors) {
        offers.add("fractional-factorial", "Fractional factorial");
        return;
    }
    const int five = fewestBasicFactors(factors, 5);
    const int four = fewestBasicFactors(factors, 4);
    std::vector<int> sizes;
    if (five < factors)
        sizes.push_back(five);
    if (four < five)
        sizes.push_back(four);
    if (sizes.empty())
        sizes.push_back(fewestBasicFactors(factors, 3));
    for (const int basic : sizes) {
        const int resolution = minimumAberration(factors, basic).resolution;
        offers.add("fractional-factorial", "Fractional factorial, resolution " + roman(resolution))
            .spec.runs = 1 << basic;
    }
}

std::vector<DesignOffer> plainOffers(const Study& study)
{
    OfferList offers(study);
    offers.add("box-behnken", "Box–Behnken");
    offers.add("central-composite", "Central composite, face-centered").spec.alpha = "face";
    offers.add("central-composite", "Central composite, rotatable").spec.alpha = "rotatable";
    offers.add("full-factorial", "Full factorial");
    addFractions(offers, static_cast<int>(study.factors.size()));
    offers.add("plackett-burman", "Plackett–Burman");
    offers.add("definitive-screening", "Definitive screening");
    offers.add("latin-hypercube", "Latin hypercube");
    if (findDesignType("i-optimal") != nullptr)
        offers.add("i-optimal", "I-optimal");
    if (findDesignType("d-optimal") != nullptr)
        offers.add("d-optimal", "D-optimal");
    return offers.take();
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
