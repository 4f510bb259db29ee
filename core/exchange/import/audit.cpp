// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/import/audit.h"

#include "core/exchange/table/columns.h"
#include "core/model/predict/predict.h"
#include "core/report/findings/fit_findings.h"
#include "core/study/document/json.h"
#include "core/study/files/file.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace quadric::exchange {

namespace {

using study::JsonReader;
using study::ObjectReader;

std::optional<double> optionalNumber(ObjectReader& object, const std::string& key)
{
    const auto found = object.find(key);
    return found ? std::optional(found->number()) : std::nullopt;
}

std::map<std::string, double> numbersIn(ObjectReader& object, const std::string& key)
{
    std::map<std::string, double> numbers;
    if (const auto found = object.find(key)) {
        for (const auto& [name, value] : ObjectReader(*found).entries())
            numbers[name] = value.number();
    }
    return numbers;
}

ClaimedFit readFit(const JsonReader& reader)
{
    ObjectReader object(reader);
    ClaimedFit fit;
    fit.response = object.require("response").text();
    fit.model = object.text("model", fit.model);
    fit.r2 = optionalNumber(object, "r2");
    fit.r2Adjusted = optionalNumber(object, "r2_adj");
    fit.coefficients = numbersIn(object, "coefficients");
    object.unknown();
    return fit;
}

ClaimedSetting readSetting(const JsonReader& reader)
{
    ObjectReader object(reader);
    ClaimedSetting setting;
    setting.what = object.text("what", "setting");
    for (const auto& [name, value] : ObjectReader(object.require("settings")).entries())
        setting.settings[name] = value.setting();
    setting.values = numbersIn(object, "values");
    object.unknown();
    return setting;
}

std::map<std::string, Scaling> readScaling(ObjectReader& object)
{
    std::map<std::string, Scaling> scaling;
    const auto found = object.find("scaling");
    if (!found)
        return scaling;
    for (const auto& [response, value] : ObjectReader(*found).entries()) {
        const std::string text = value.text();
        if (text != "weak" && text != "strong")
            value.fail("\"weak\" or \"strong\"");
        scaling[response] = text == "weak" ? Scaling::Weak : Scaling::Strong;
    }
    return scaling;
}

std::string formatFive(double value)
{
    return text::formatDigits(value, 5);
}

/// A printed number has three or four digits.
constexpr double kPrinted = 0.005;
/// R² is printed with two or three decimals.
constexpr double kPrintedR2 = 0.006;

bool isSame(double a, double b)
{
    return std::abs(a - b) <= kPrinted * std::max(std::abs(a), std::abs(b));
}

std::string settingsText(const study::Study& study, const study::Settings& settings)
{
    std::string text;
    for (const study::Factor& factor : study.factors) {
        if (const auto value = settings.find(factor.name); value != settings.end())
            text += (text.empty() ? "" : ", ") + factor.name + " " + study::toText(value->second) +
                    (factor.unit.empty() ? "" : " " + factor.unit);
    }
    return text;
}

AuditItem auditR2(const ClaimedFit& claim, const model::Fit& fit)
{
    AuditItem item;
    item.claim = claim.response + ": " + claim.model + " model, R² " + formatFive(*claim.r2);
    if (!fit.isOk() || !fit.r2) {
        item.data = "no such model can be fitted: " + fit.message;
        return item;
    }
    item.verdict = std::abs(*fit.r2 - *claim.r2) <= kPrintedR2 ? Verdict::Agrees : Verdict::Differs;
    item.data = "R² " + formatFive(*fit.r2) + " with every result at its own settings. " +
                report::judgeFit(fit).sentence;
    return item;
}

AuditItem auditAdjusted(const ClaimedFit& claim, const model::Fit& fit)
{
    AuditItem item;
    item.claim = claim.response + ": " + claim.model + " model, adjusted R² " + formatFive(*claim.r2Adjusted);
    if (fit.isOk() && fit.r2Adjusted) {
        item.verdict =
            std::abs(*fit.r2Adjusted - *claim.r2Adjusted) <= kPrintedR2 ? Verdict::Agrees : Verdict::Differs;
        item.data = "adjusted R² " + formatFive(*fit.r2Adjusted);
    }
    if (*claim.r2Adjusted < 0)
        item.data += (item.data.empty() ? "" : "; ") +
                     std::string("a negative value says that the mean alone predicts better: no fit");
    return item;
}

/// The claimed slopes that are not those of the fit.
int differingSlopes(const ClaimedFit& claim, const model::Fit& fit)
{
    int count = 0;
    for (const auto& [term, estimate] : claim.coefficients) {
        const auto row = std::ranges::find(fit.coefficients, term, &model::Coefficient::term);
        count += term != "1" && (row == fit.coefficients.end() || !isSame(row->estimate, estimate)) ? 1 : 0;
    }
    return count;
}

AuditItem auditCoefficients(const ClaimedFit& claim, const model::Fit& fit)
{
    AuditItem item;
    item.claim = claim.response + ": " + std::to_string(claim.coefficients.size()) + " coefficients of the " +
                 claim.model + " model";
    if (!fit.isOk()) {
        item.data = "no such model can be fitted: " + fit.message;
        return item;
    }
    const int differing = differingSlopes(claim, fit);
    const auto mean = claim.coefficients.find("1");
    const bool hasSameMean = mean != claim.coefficients.end() && isSame(mean->second, fit.beta[0]);
    item.verdict = differing == 0 ? Verdict::Agrees : Verdict::Differs;
    item.data = differing == 0 ? "the same slopes" : std::to_string(differing) + " slopes differ";
    if (differing > 0 && hasSameMean)
        item.data += "; the mean is the same, so the results are the same numbers joined to other rows";
    for (const auto& [term, estimate] : claim.coefficients) {
        const auto row = std::ranges::find(fit.coefficients, term, &model::Coefficient::term);
        if (term != "1" && row != fit.coefficients.end() && !isSame(row->estimate, estimate))
            item.data +=
                "; " + term + " " + formatFive(estimate) + " claimed, " + formatFive(row->estimate) + " here";
    }
    return item;
}

bool isAt(const study::Run& run, const study::Settings& settings)
{
    return std::ranges::all_of(settings, [&](const auto& entry) {
        const auto value = run.settings.find(entry.first);
        return value != run.settings.end() && value->second == entry.second;
    });
}

std::vector<double> resultsAt(const study::Study& study, const study::Settings& settings,
                              const std::string& response)
{
    std::vector<double> values;
    for (const study::Run& run : study.runs) {
        const auto value = run.results.find(response);
        if (run.status == study::RunStatus::Done && value != run.results.end() && isAt(run, settings))
            values.push_back(value->second);
    }
    return values;
}

/// "6.1 times too large", where that says more than the numbers.
std::string ratioText(double claimed, double found)
{
    if (claimed <= 0 || found <= 0 || isSame(claimed, found))
        return {};
    const bool isLarger = claimed > found;
    const double ratio = isLarger ? claimed / found : found / claimed;
    return ratio < 1.5 ? std::string()
                       : "; the claim is " + formatFive(std::round(ratio * 10) / 10) + " times too " +
                             (isLarger ? "large" : "small");
}

void auditMeasured(const std::vector<double>& values, double claimed, AuditItem& item)
{
    const auto [low, high] = std::ranges::minmax(values);
    const bool isInside =
        isSame(low, claimed) || isSame(high, claimed) || (low <= claimed && claimed <= high);
    item.verdict = isInside ? Verdict::Agrees : Verdict::Differs;
    const std::string count = values.size() == 1 ? "the run" : text::formatCount(values.size(), "run");
    item.data = count + " with these settings gave " + formatFive(low) +
                (low < high ? " … " + formatFive(high) : std::string()) +
                ratioText(claimed, isInside ? claimed : low);
}

void auditPredicted(const study::Study& study, const ClaimedSetting& setting, const std::string& response,
                    double claimed, AuditItem& item)
{
    const model::Fit fit = model::fitResponse(study, response);
    if (!fit.isOk()) {
        item.data = "no run has these settings, and no model can be fitted: " + fit.message;
        return;
    }
    const model::Prediction at = model::predict(fit, study::Coding(study.factors).toCoded(setting.settings));
    item.data = "no run has these settings; the quadratic model predicts " + formatFive(at.mean);
    const std::optional<model::Interval>& interval = at.ofNewRuns();
    if (!interval)
        return;
    const bool isInside = interval->low <= claimed && claimed <= interval->high;
    item.verdict = isInside ? Verdict::Agrees : Verdict::Differs;
    item.data += ", 95 % of single runs " + formatFive(interval->low) + " … " + formatFive(interval->high);
    if (at.isExtrapolation)
        item.data += ", far from the runs";
}

/// True where the settings give every factor a value of its own kind.
bool hasCodedPoint(const study::Study& study, const study::Settings& settings)
{
    return std::ranges::all_of(study.factors, [&](const study::Factor& factor) {
        const auto value = settings.find(factor.name);
        if (value == settings.end())
            return false;
        if (const auto* number = std::get_if<double>(&value->second))
            return factor.isNumeric() && (factor.scale == study::Scale::Linear || *number > 0.0);
        return !factor.isNumeric() &&
               std::ranges::find(factor.categories, std::get<std::string>(value->second)) !=
                   factor.categories.end();
    });
}

AuditItem auditValue(const study::Study& study, const ClaimedSetting& setting, const std::string& response,
                     double claimed)
{
    AuditItem item;
    item.claim = setting.what + " (" + settingsText(study, setting.settings) + "): " + response + " " +
                 formatFive(claimed);
    const std::vector<double> values = resultsAt(study, setting.settings, response);
    if (!values.empty())
        auditMeasured(values, claimed, item);
    else if (hasCodedPoint(study, setting.settings))
        auditPredicted(study, setting, response, claimed, item);
    else
        item.data = "no run has these settings, and they do not give every factor a value that it can have";
    return item;
}

bool hasName(const study::Study& study, std::string_view part)
{
    const auto has = [&](const std::string& name) { return name.find(part) != std::string::npos; };
    return std::ranges::any_of(study.factors, [&](const auto& factor) { return has(factor.name); }) ||
           std::ranges::any_of(study.fixed, [&](const auto& entry) { return has(entry.first); });
}

/// Empty where the settings do not say which batch is held.
std::optional<Scaling> detectScaling(const study::Study& study)
{
    if (hasName(study, "global_batch"))
        return Scaling::Strong;
    return hasName(study, "batch_per") ? std::optional(Scaling::Weak) : std::nullopt;
}

AuditItem auditScaling(const study::Study& study, const std::string& response, Scaling claimed)
{
    const auto name = [](Scaling scaling) { return scaling == Scaling::Weak ? "weak" : "strong"; };
    AuditItem item;
    item.claim = response + " is " + name(claimed) + " scaling";
    const auto found = detectScaling(study);
    if (!found) {
        item.data = "no setting says whether the batch of each rank or the whole batch is held";
        return item;
    }
    item.verdict = *found == claimed ? Verdict::Agrees : Verdict::Differs;
    item.data =
        std::string(*found == Scaling::Weak
                        ? "the batch of each rank is set, so the work grows with the ranks: "
                        : "the whole batch is set, so the work is the same for any number of ranks: ") +
        name(*found) + " scaling";
    return item;
}

} // namespace

Claims parseClaims(std::string_view text, const std::string& name)
{
    const study::Json document = study::parseJson(text, name);
    study::ReadContext context{.name = name, .warnings = {}};
    ObjectReader object(JsonReader(document, "", context));
    Claims claims;
    claims.source = object.text("source");
    for (const JsonReader& fit : object.list("fits"))
        claims.fits.push_back(readFit(fit));
    for (const JsonReader& setting : object.list("settings"))
        claims.settings.push_back(readSetting(setting));
    claims.scaling = readScaling(object);
    return claims;
}

std::filesystem::path claimsBeside(const std::filesystem::path& study)
{
    std::filesystem::path name = study.stem();
    return study.parent_path() / (name += "-claims.json");
}

std::optional<Claims> readClaimsIfThere(const std::filesystem::path& path)
{
    const auto text = study::readTextFileIfThere(path);
    return text ? std::optional(parseClaims(*text, path.string())) : std::nullopt;
}

std::vector<AuditItem> audit(const study::Study& study, const Claims& claims)
{
    std::vector<AuditItem> items;
    for (const ClaimedFit& claim : claims.fits) {
        const model::Fit fit = model::fitResponse(study, claim.response, {.model = claim.model});
        if (claim.r2)
            items.push_back(auditR2(claim, fit));
        if (claim.r2Adjusted)
            items.push_back(auditAdjusted(claim, fit));
        if (!claim.coefficients.empty())
            items.push_back(auditCoefficients(claim, fit));
    }
    for (const ClaimedSetting& setting : claims.settings) {
        for (const auto& [response, value] : setting.values)
            items.push_back(auditValue(study, setting, response, value));
    }
    for (const auto& [response, scaling] : claims.scaling)
        items.push_back(auditScaling(study, response, scaling));
    return items;
}

std::string_view nameOf(Verdict verdict)
{
    constexpr std::array<std::string_view, 3> names = {"agrees", "differs", "cannot-tell"};
    return names[static_cast<std::size_t>(verdict)];
}

} // namespace quadric::exchange
