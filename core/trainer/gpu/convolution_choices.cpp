// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/gpu/convolution_choices.h"

#include "core/trainer/base/hash.h"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <fstream>
#include <thread>

#include <unistd.h>

namespace quadric::trainer::cuda {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kFormat = 1;

json describe(const PlanConditions& conditions)
{
    return {{"format", kFormat},
            {"gpu", conditions.gpu},
            {"driver", conditions.driver},
            {"cudnn", conditions.cudnn},
            {"workspace_limit", conditions.workspaceLimit}};
}

bool describes(const json& file, const PlanConditions& conditions)
{
    const json wanted = describe(conditions);
    for (const auto& [key, value] : wanted.items()) {
        if (!file.contains(key) || file.at(key) != value)
            return false;
    }
    return true;
}

/// Unlike those of all others who write at the same time.
fs::path temporaryBeside(const fs::path& file)
{
    const std::size_t thread = std::hash<std::thread::id>()(std::this_thread::get_id());
    return fs::path(file).concat('.' + std::to_string(getpid()) + '-' + std::to_string(thread));
}

} // namespace

std::uint64_t PlanConditions::hash() const
{
    Hash hash;
    for (const std::string& text : {gpu, driver, cudnn}) {
        hash.add(text);
        hash.add(std::uint64_t{0}); // the border between two texts
    }
    hash.add(std::uint64_t{workspaceLimit});
    return hash.value();
}

PlanChoices::PlanChoices(const fs::path& folder, PlanConditions conditions)
    : m_conditions(std::move(conditions))
    , m_file(folder.empty() ? fs::path() : folder / (hexText(m_conditions.hash()) + ".json"))
    , m_choices(read())
{
}

PlanChoices::Choices PlanChoices::read() const
{
    std::ifstream stream(m_file);
    const json file = json::parse(stream, nullptr, false);
    Choices choices;
    if (!file.is_object() || !describes(file, m_conditions))
        return choices;
    try {
        const json& plans = file.at("plans");
        for (const auto& [problem, choice] : plans.items())
            choices[problem] = {choice.at("place").get<std::size_t>(), choice.at("engine")};
    } catch (const json::exception&) {
        return {};
    }
    return choices;
}

std::optional<PlanChoice> PlanChoices::find(const std::string& problem) const
{
    const auto found = m_choices.find(problem);
    return found == m_choices.end() ? std::nullopt : std::optional(found->second);
}

bool PlanChoices::save() const
{
    if (m_file.empty())
        return false;
    json file = describe(m_conditions);
    Choices all = m_choices;
    all.merge(read());
    for (const auto& [problem, choice] : all)
        file["plans"][problem] = {{"place", choice.place}, {"engine", choice.engine}};
    const fs::path temporary = temporaryBeside(m_file);
    std::error_code error;
    fs::create_directories(m_file.parent_path(), error);
    std::ofstream stream(temporary);
    stream << file.dump(1, ' ', false, json::error_handler_t::replace) << '\n';
    stream.close();
    if (stream)
        fs::rename(temporary, m_file, error);
    const bool isWritten = stream && !error;
    fs::remove(temporary, error);
    return isWritten;
}

fs::path planChoicesFolder()
{
    constexpr const char* kPart = "quadric/convolution-plans";
    const char* cache = std::getenv("XDG_CACHE_HOME");
    if (cache != nullptr && fs::path(cache).is_absolute())
        return fs::path(cache) / kPart;
    const char* home = std::getenv("HOME");
    return home != nullptr && fs::path(home).is_absolute() ? fs::path(home) / ".cache" / kPart : fs::path();
}

} // namespace quadric::trainer::cuda
