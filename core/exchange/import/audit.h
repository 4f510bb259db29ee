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

enum class Verdict { Agrees, Differs, CannotTell };

/// One claim beside what the runs of the study say.
struct AuditItem {
    Verdict verdict = Verdict::CannotTell;
    std::string claim;
    std::string data;
};

/// Holds claims against the study's runs, each result taken with its own settings:
/// - R² and adjusted R² against the same model fitted here; a negative adjusted R² is no fit at all;
/// - coefficients against those fitted here; where the claimed mean is the mean of the results and the slopes
///   differ, the results were joined to other rows;
/// - values at a setting against the runs with that setting, or against the prediction interval of the
///   quadratic model;
/// - weak or strong scaling against which batch is held: constant work for each rank is weak scaling.
/// A number agrees when it is the same to the digits that were printed (a relative 0.5 %).
std::vector<AuditItem> audit(const study::Study& study, const Claims& claims);

std::string_view nameOf(Verdict verdict);

} // namespace quadric::exchange
