// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/forms/knob_offers.h"

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

/// The smallest network keeps about this much for an image of 32 px.
constexpr double kMibPerImage = 3.0;

/// Infinite where the machine sets no bound, or none that is known.
double machineBound(const run::Machine& machine, workload::MachineBound bound)
{
    switch (bound) {
    case workload::MachineBound::Cores:
        return std::max(1, machine.cores);
    case workload::MachineBound::Memory:
        if (machine.memoryMib > 0.0)
            return std::max(1.0, std::floor(0.9 * machine.memoryMib / kMibPerImage));
        break;
    case workload::MachineBound::None:
        break;
    }
    return HUGE_VAL;
}

bool isOffered(const workload::Knob& knob, KnobSet set)
{
    const auto others = set == KnobSet::Measured ? workload::Engines::Simulated : workload::Engines::Measured;
    return knob.offer.kind != workload::Offer::Kind::None && knob.engines != others;
}

bool hasRoomForLevels(const workload::Knob& knob, const KnobRange& range)
{
    return workload::isNumber(knob) && range.most >= range.least + 2.0;
}

} // namespace

KnobSet knobSetOf(const study::Study& study)
{
    const auto found = study.fixed.find("engine");
    const bool isSimulated = found != study.fixed.end() && study::toText(found->second) == "simulated";
    return isSimulated ? KnobSet::Simulated : KnobSet::Measured;
}

std::vector<const workload::Knob*> knobsOf(KnobSet set)
{
    std::vector<const workload::Knob*> offered;
    for (const workload::Knob& knob : workload::kKnobs) {
        if (isOffered(knob, set))
            offered.push_back(&knob);
    }
    return offered;
}

KnobRange rangeOn(const run::Machine& machine, KnobSet set, const workload::Knob& knob)
{
    const double bound = set == KnobSet::Measured ? machineBound(machine, knob.offer.bound) : HUGE_VAL;
    return {knob.values.lowest, std::min(knob.values.highest, bound)};
}

study::Value usualValue(const workload::Knob& knob)
{
    const std::string usual(knob.usual);
    return workload::isNumber(knob) ? study::Value(std::stod(usual)) : study::Value(usual);
}

study::Factor factorFrom(const workload::Knob& knob, const KnobRange& range)
{
    study::Factor factor;
    factor.name = knob.name;
    factor.unit = knob.values.unit;
    if (!workload::isNumber(knob)) {
        const auto choices = workload::choicesOf(knob);
        factor.type = study::FactorType::Categorical;
        factor.categories.assign(choices.begin(), choices.end());
        return factor;
    }
    factor.type = knob.values.kind == workload::KnobKind::Integer ? study::FactorType::Integer
                                                                  : study::FactorType::Continuous;
    factor.low = std::max(range.least, knob.offer.low);
    factor.high = std::min(range.most, knob.offer.high);
    factor.scale = knob.offer.spacing == workload::Spacing::Log2 ? study::Scale::Log2 : study::Scale::Linear;
    if (knob.name == "ranks")
        factor.binds = "ranks";
    return factor;
}

std::optional<study::Factor> suggestedFactor(const study::Study& study, const run::Machine& machine)
{
    const KnobSet set = knobSetOf(study);
    std::vector<const workload::Knob*> knobs = knobsOf(set);
    std::erase_if(knobs, [&](const workload::Knob* knob) {
        return knob->offer.kind != workload::Offer::Kind::Factor || study::findFactor(study, knob->name);
    });
    if (knobs.empty())
        return std::nullopt;
    std::stable_partition(knobs.begin(), knobs.end(), [&](const workload::Knob* knob) {
        return hasRoomForLevels(*knob, rangeOn(machine, set, *knob));
    });
    return factorFrom(*knobs.front(), rangeOn(machine, set, *knobs.front()));
}

} // namespace quadric::widgets
