// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/design.h"

#include <optional>

namespace quadric::design {

/// One way to lay out a study, with what it costs and what it buys, for a card of the wizard.
struct DesignOffer {
    study::DesignSpec spec = {};                 ///< ready for layOut()
    std::string title = {};                      ///< "Fractional factorial, resolution IV"
    std::string estimates = {};                  ///< a sentence: what it can estimate
    int runs = 0;                                ///< all of them, center runs too
    bool isPossible = false;                     ///< layOut() would make it
    std::string whyNot = {};                     ///< a sentence, where it is not possible
    std::optional<double> powerMain = {};        ///< smallest chance to find an effect of 2σ: linear terms,
    std::optional<double> powerInteraction = {}; ///< two-factor interactions,
    std::optional<double> powerSquare = {};      ///< squares; empty where the design cannot estimate them all
    std::optional<double> predictionSe = {}; ///< √ of the average prediction variance over the region, in σ
    std::string model = {};     ///< the largest that the design can estimate: that these numbers are for
    int resolution = 0;         ///< of a two-level fraction; 0 for everything else
    bool isSlow = false;        ///< searched for: its numbers are not known before
    bool isRecommended = false; ///< at most one of the offers
    std::string reason = {};    ///< why it is recommended, a sentence; empty for the others
};

/// Each classical type for this study's factors, some in two variants, with the numbers of the largest model
/// (quadratic, interactions, linear) that it can estimate with an error left. The study's seed and choice of
/// run order are kept; replicates and blocks are one. Offers of more than 512 runs have no numbers but these.
/// The recommended one first, then the others that are possible, then those that are not. A stopped call
/// leaves out what it had not reached.
std::vector<DesignOffer> offersFor(const study::Study& study, const std::stop_token& stop = {});

/// The numbers of an offer from runs that were laid out for it, as after a search.
void fillOfferNumbers(DesignOffer& offer, const study::Study& laidOut);

/// Marks the offer that suits the study best and says why, by the usual advice (MMA 8, Montgomery 14):
/// screening designs for six factors and more, response surface designs for two to five numeric ones,
/// factorials where nothing is numeric, optimal designs where constraints or levels leave nothing else. A
/// response surface design or a full factorial gives way to an I-optimal design for the same model that
/// answers the same question with clearly fewer runs, see docs/methods/designs.md; a short search for that
/// gives its numbers. No mark where nothing is possible.
void recommend(const study::Study& study, std::vector<DesignOffer>& offers, const std::stop_token& stop = {});

/// The offer that is marked; null where none is.
const DesignOffer* findRecommended(const std::vector<DesignOffer>& offers);

} // namespace quadric::design
