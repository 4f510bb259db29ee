// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/offers.h"

#include "core/design/design_type.h"

namespace quadric::design {

namespace {

DesignOffer offerOf(study::Study study, const DesignType& type)
{
    DesignOffer offer;
    study.design.type = type.name;
    offer.spec = study.design;
    offer.title = type.name;
    offer.isSlow = type.isSlow();
    try {
        offer.runs =
            offer.isSlow ? runCount(study) : static_cast<int>(layOut(std::move(study), true).runs.size());
        offer.isPossible = offer.runs > 0;
    } catch (const DesignError& error) {
        offer.whyNot = error.what();
    }
    return offer;
}

} // namespace

std::vector<DesignOffer> offersFor(const study::Study& study, const std::stop_token& stop)
{
    std::vector<DesignOffer> offers;
    for (const DesignType& type : allDesignTypes()) {
        if (stop.stop_requested())
            break;
        offers.push_back(offerOf(study, type));
    }
    return offers;
}

} // namespace quadric::design
