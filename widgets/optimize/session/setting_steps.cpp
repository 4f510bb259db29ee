// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/session/setting_steps.h"

#include "core/optimize/merit/leverage_limit.h"
#include "widgets/text/held_text.h"

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

study::Settings withValue(const study::Study& study, study::Settings settings, std::size_t factor,
                          double actual)
{
    const study::Factor& moved = study.factors[factor];
    if (moved.isNumeric()) {
        settings[moved.name] = study::snapToLegal(moved, std::clamp(actual, moved.low, moved.high));
    } else if (!moved.categories.empty()) {
        const auto last = static_cast<double>(moved.categories.size() - 1);
        settings[moved.name] =
            moved.categories[static_cast<std::size_t>(std::lround(std::clamp(actual, 0.0, last)))];
    }
    return settings;
}

study::Settings withStep(const study::Study& study, study::Settings settings, std::size_t factor,
                         double share)
{
    const study::Factor& moved = study.factors[factor];
    if (share == 0.0 || !moved.isNumeric())
        return settings;
    const study::Coding coding(study.factors);
    const double from = study::numberOf(settings.at(moved.name));
    const double coded = std::clamp(coding.toCoded(factor, from) + 2.0 * share, -1.0, 1.0);
    settings = withValue(study, std::move(settings), factor, coding.toActual(factor, coded));
    if (study::numberOf(settings.at(moved.name)) != from)
        return settings;
    std::vector<double> beyond = share > 0.0 ? study::legalValues(moved, from, moved.high)
                                             : study::legalValues(moved, moved.low, from);
    std::erase(beyond, from);
    if (!beyond.empty())
        settings[moved.name] = share > 0.0 ? beyond.front() : beyond.back();
    return settings;
}

QString heldBeside(const Answer& answer, std::size_t x, std::size_t y)
{
    const study::Coding coding(answer.study().factors);
    return heldText(answer.study(), coding.toCoded(answer.settings()), {x, y});
}

QPointF placeOf(const Answer& answer, std::size_t x, std::size_t y)
{
    const auto valueOf = [&answer](std::size_t factor) {
        return study::numberOf(answer.settings().at(answer.study().factors[factor].name));
    };
    return {valueOf(x), valueOf(y)};
}

study::Settings keptNearRuns(const Answer& answer, std::size_t factor, const study::Settings& moved)
{
    constexpr int kHalvings = 12;
    const study::Factor& along = answer.study().factors.at(factor);
    const study::Coding coding(answer.study().factors);
    const optimize::LeverageLimit limit(answer.fits(), std::nullopt);
    const auto isNear = [&](const study::Settings& settings) {
        return limit.margin(coding.toCoded(settings).x) >= 0.0;
    };
    if (optimize::nearRunsOf(answer.study()) != optimize::NearRuns::On || isNear(moved))
        return moved;
    study::Settings inside = answer.settings();
    if (!isNear(inside))
        return moved;
    double from = along.isNumeric() ? study::numberOf(inside.at(along.name)) : 0.0;
    double to = along.isNumeric() ? study::numberOf(moved.at(along.name)) : 0.0;
    for (int i = 0; along.isNumeric() && i < kHalvings; ++i) {
        const double middle = (from + to) / 2.0;
        const study::Settings tried = withValue(answer.study(), inside, factor, middle);
        const bool isInside = isNear(tried);
        (isInside ? from : to) = middle;
        if (isInside)
            inside = tried;
    }
    return inside;
}

} // namespace quadric::widgets
