// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/forms/offered_responses.h"

#include "core/run/recipe/command_baselines.h"
#include "core/study/bounds.h"

#include <QCoreApplication>

namespace quadric::widgets {

namespace {

constexpr const char* kContext = "quadric::widgets::OfferedResponses";

QString offerTitle(const char* text)
{
    return QCoreApplication::translate(kContext, text);
}

study::Response wished(const char* name, const char* unit, study::Goal goal)
{
    return {.name = name, .unit = unit, .goal = goal, .bounds = study::knownBounds(name)};
}

/// What is computed from the speed; the price is a fixed setting that the user gives.
void addComputed(const study::Study& study, std::vector<OfferedResponse>& offers)
{
    const std::string speed = run::speedResponse(study);
    if (speed.empty())
        return;
    offers.push_back({offerTitle(QT_TRANSLATE_NOOP("quadric::widgets::OfferedResponses", "Energy per item")),
                      wished("joules_per_item", "J", study::Goal::Minimize), "power_w / " + speed});
    const study::Factor* ranks = run::rankFactorOf(study);
    if (!ranks)
        return;
    offers.push_back({offerTitle(QT_TRANSLATE_NOOP("quadric::widgets::OfferedResponses", "Speed per GPU")),
                      wished("speed_per_gpu", "", study::Goal::Maximize), speed + " / " + ranks->name});
    offers.push_back(
        {offerTitle(QT_TRANSLATE_NOOP("quadric::widgets::OfferedResponses",
                                      "Cost of a million items (fixed setting price_per_gpu_hour)")),
         wished("cost_per_million", "", study::Goal::Minimize),
         "price_per_gpu_hour * " + ranks->name + " / (3600 * " + speed + ") * 1e6"});
}

} // namespace

std::vector<OfferedResponse> offeredResponses(const study::Study& study)
{
    if (study.benchmark.workload != "command")
        return {};
    using study::Goal;
    std::vector<OfferedResponse> offers = {
        {offerTitle(QT_TRANSLATE_NOOP("quadric::widgets::OfferedResponses", "Energy of the GPUs")),
         wished("energy_joules", "J", Goal::Minimize)},
        {offerTitle(QT_TRANSLATE_NOOP("quadric::widgets::OfferedResponses", "Mean power of the GPUs")),
         wished("power_w", "W", Goal::Minimize)},
        {offerTitle(QT_TRANSLATE_NOOP("quadric::widgets::OfferedResponses", "Memory of the fullest GPU")),
         wished("gpu_memory_peak_mib", "MiB", Goal::Minimize)},
        {offerTitle(QT_TRANSLATE_NOOP("quadric::widgets::OfferedResponses", "Time of the run")),
         wished("run_seconds", "s", Goal::Minimize)}};
    if (run::rankFactorOf(study) && !run::speedResponse(study).empty()) {
        offers.push_back(
            {offerTitle(QT_TRANSLATE_NOOP("quadric::widgets::OfferedResponses", "Scaling efficiency")),
             wished(run::kScalingEfficiency, "%", Goal::Maximize)});
        offers.push_back({offerTitle(QT_TRANSLATE_NOOP("quadric::widgets::OfferedResponses", "Speed-up")),
                          wished(run::kSpeedUp, "", Goal::Maximize)});
    }
    addComputed(study, offers);
    std::erase_if(offers, [&study](const OfferedResponse& offer) {
        return study::findResponse(study, offer.response.name) != nullptr;
    });
    return offers;
}

} // namespace quadric::widgets
