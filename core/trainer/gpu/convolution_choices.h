// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace quadric::trainer::cuda {

/// What a choice of plans holds for. Other drivers and releases of cuDNN have other plans, or make them in
/// other ways.
struct PlanConditions {
    std::string gpu, driver, cudnn;
    std::size_t workspaceLimit = 0; ///< scratch memory that a plan may need, bytes: more lets in more plans

    std::uint64_t hash() const;
    friend bool operator==(const PlanConditions&, const PlanConditions&) = default;
};

/// The plan that was the fastest one for a problem.
struct PlanChoice {
    std::size_t place = 0; ///< among the plans that cuDNN proposes, from 0
    std::string engine;    ///< its name there, by which a choice is known to be outdated
    friend bool operator==(const PlanChoice&, const PlanChoice&) = default;
};

/// Choices that earlier runs have made, in a file of the folder for each conditions. What cannot be read, or
/// was written for others, is as if it were not there.
class PlanChoices {
public:
    /// An empty folder: nothing is known, and nothing is kept.
    PlanChoices(const std::filesystem::path& folder, PlanConditions conditions);

    std::optional<PlanChoice> find(const std::string& problem) const;
    void add(const std::string& problem, const PlanChoice& choice) { m_choices[problem] = choice; }

    /// Writes them, with what others have added meanwhile, as a whole or not at all: readers never see a
    /// part. False where the folder takes no files.
    bool save() const;
    const std::filesystem::path& file() const { return m_file; }

private:
    using Choices = std::map<std::string, PlanChoice>;
    Choices read() const;

    PlanConditions m_conditions;
    std::filesystem::path m_file; ///< empty without a folder
    Choices m_choices;
};

/// Where choices are kept: quadric/convolution-plans in the user's cache folder ($XDG_CACHE_HOME, otherwise
/// ~/.cache; XDG Base Directory Specification). Empty where there is no such folder.
std::filesystem::path planChoicesFolder();

} // namespace quadric::trainer::cuda
