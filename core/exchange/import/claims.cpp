// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/import/claims.h"

#include "core/study/document/json_reader.h"
#include "core/study/files/file.h"

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

} // namespace quadric::exchange
