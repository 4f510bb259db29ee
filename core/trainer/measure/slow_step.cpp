// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/measure/slow_step.h"

#include "core/trainer/base/failure.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace quadric::trainer {

ShortLookBar readShortLook(const std::string& text)
{
    const nlohmann::json given = nlohmann::json::parse(text, nullptr, false);
    const auto member = [&given](const char* name) {
        return given.is_object() ? given.value(name, nlohmann::json()) : nlohmann::json();
    };
    const nlohmann::json response = member("response");
    const nlohmann::json worseThan = member("worse_than");
    if (!response.is_string() || !worseThan.is_number() || !std::isfinite(worseThan.get<double>()))
        throw Failure(kBadSettings, R"(QUADRIC_SHORT_LOOK is no object like {"response": "step_ms", )"
                                    R"("worse_than": 41.8})");
    return {response.get<std::string>(), worseThan.get<double>()};
}

std::optional<SlowStep> slowStepOf(const Workload& workload)
{
    if (!workload.shortLook || workload.shortLook->worseThan <= 0.0)
        return std::nullopt;
    const auto& [response, worseThan] = *workload.shortLook;
    if (response == "step_ms")
        return SlowStep{worseThan, true};
    if (response == "images_per_sec")
        return SlowStep{1000.0 * static_cast<double>(workload.imagesPerStep()) / worseThan, false};
    return std::nullopt;
}

} // namespace quadric::trainer
