// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/files/study_identity.h"

#include "core/study/document/benchmark_json.h"
#include "core/study/document/json_writer.h"

#include <array>
#include <cstdio>
#include <random>

namespace quadric::study {
namespace {

std::string hexadecimal(std::uint64_t number)
{
    std::array<char, 17> text{};
    std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(number));
    return text.data();
}

/// FNV-1a of 64 bits (Fowler, Noll and Vo): it tells studies apart, and protects from nobody.
std::uint64_t hashText(std::string_view text)
{
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return hash;
}

/// What is measured; limits, repetitions and places of execution are none of it.
Benchmark withoutExecution(const Benchmark& benchmark)
{
    Benchmark measured;
    measured.workload = benchmark.workload;
    measured.engine = benchmark.engine;
    measured.options = benchmark.options;
    measured.argv = benchmark.argv;
    measured.env = benchmark.env;
    measured.cwd = benchmark.cwd;
    measured.parse = benchmark.parse;
    return measured;
}

} // namespace

std::string makeStudyId()
{
    std::random_device device;
    const auto random = [&device] { return (std::uint64_t{device()} << 32) | device(); };
    return hexadecimal(random()) + hexadecimal(random());
}

std::string computeIdentity(const Study& study)
{
    if (!study.id.empty())
        return study.id;
    const OrderedJson measured = {{"name", study.name},
                                  {"fixed", mapJson(study.fixed, valueJson)},
                                  {"benchmark", benchmarkJson(withoutExecution(study.benchmark))}};
    return "content-" + hexadecimal(hashText(toLine(measured)));
}

} // namespace quadric::study
