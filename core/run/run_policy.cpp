// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_policy.h"

#include "core/study/disturbance.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace quadric::run {

namespace {

using Json = nlohmann::json;

constexpr int kMostRetries = 100;
constexpr auto kKindsOfCrash =
    std::to_array<std::string_view>({"crash", "rank-lost", "node-failure", "device-lost"});

Json valueOf(const study::Benchmark& benchmark, const char* key)
{
    const auto found = benchmark.unknown.find(key);
    return found == benchmark.unknown.end() ? Json() : Json::parse(found->second, nullptr, false);
}

void readLimit(const study::Benchmark& benchmark, const char* key, double& limit)
{
    const Json value = valueOf(benchmark, key);
    if (value.is_null())
        return;
    if (!value.is_number() || !(value.get<double>() > 0.0))
        throw RecipeError(std::string("benchmark.") + key + " is " + value.dump() +
                          ", expected a number of MiB above 0");
    limit = value.get<double>();
}

void readCount(const Json& retry, const char* key, int& count)
{
    if (!retry.contains(key))
        return;
    const Json& value = retry[key];
    if (!value.is_number_integer() || value < 0 || value > kMostRetries)
        throw RecipeError(std::string("benchmark.retry.") + key + " is " + value.dump() +
                          ", expected a whole number from 0 to " + std::to_string(kMostRetries));
    count = value.get<int>();
}

RetryPolicy readRetry(const study::Benchmark& benchmark)
{
    RetryPolicy policy;
    const Json retry = valueOf(benchmark, "retry");
    if (retry.is_null())
        return policy;
    if (!retry.is_object())
        throw RecipeError("benchmark.retry is " + retry.dump() +
                          ", expected an object with \"crash\" and \"disturbed\"");
    readCount(retry, "crash", policy.crash);
    readCount(retry, "disturbed", policy.disturbed);
    return policy;
}

bool isCrash(const study::Run& run)
{
    return run.failure && std::ranges::find(kKindsOfCrash, run.failure->kind) != kKindsOfCrash.end();
}

} // namespace

RunPolicy readRunPolicy(const study::Benchmark& benchmark)
{
    RunPolicy policy;
    policy.limits.seconds = benchmark.timeoutSeconds;
    readLimit(benchmark, "memory_mib", policy.limits.memoryMib);
    readLimit(benchmark, "output_mib", policy.limits.outputMib);
    policy.retry = readRetry(benchmark);
    return policy;
}

bool Retries::repeats(const study::Run& ended)
{
    Counts& counts = m_counts[ended.id];
    if (isCrash(ended))
        return ++counts.crash <= m_policy.crash;
    const bool isDone = ended.status == study::RunStatus::Done;
    return isDone && study::isDisturbed(ended) && ++counts.disturbed <= m_policy.disturbed;
}

study::Run pendingAgain(const study::Run& failed)
{
    study::Run run = backToPending(failed);
    run.provenance.details["earlier_failure"] =
        Json{{"kind", failed.failure->kind}, {"message", failed.failure->message}}.dump(
            -1, ' ', false, Json::error_handler_t::replace);
    return run;
}

} // namespace quadric::run
