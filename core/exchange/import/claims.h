// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <filesystem>

namespace quadric::exchange {

/// What somebody concluded from the runs of a study: a published page, another program.
struct ClaimedFit {
    std::string response = {};
    std::string model = "quadratic"; ///< as parseModel() reads it
    std::optional<double> r2 = {}, r2Adjusted = {};
    std::map<std::string, double> coefficients = {}; ///< term → estimate, coded units
};

/// A setting with the values that were said to be measured or predicted there.
struct ClaimedSetting {
    std::string what = {}; ///< "recommended settings", "best observed run"
    study::Settings settings = {};
    std::map<std::string, double> values = {}; ///< response → value
};

enum class Scaling { Weak, Strong };

struct Claims {
    std::string source;
    std::vector<ClaimedFit> fits;
    std::vector<ClaimedSetting> settings;
    std::map<std::string, Scaling> scaling; ///< response → how it is called
};

/// Reads {"source", "fits": [{"response", "model", "r2", "r2_adj", "coefficients": {}}], "settings":
/// [{"what", "settings": {}, "values": {}}], "scaling": {response: "weak" | "strong"}}. `name` stands in
/// messages. Throws study::DocumentError.
Claims parseClaims(std::string_view text, const std::string& name);

/// Where the claims about a study lie: "NAME-claims.json" beside "NAME.quadric".
std::filesystem::path claimsBeside(const std::filesystem::path& study);

/// The claims in a file; none where there is no such file. Throws study::DocumentError.
std::optional<Claims> readClaimsIfThere(const std::filesystem::path& path);

} // namespace quadric::exchange
