// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/export/study_json.h"

#include "core/study/document/document.h"

namespace quadric::exchange {

namespace {

using study::OrderedJson;

/// Nominal coded value of a setting: −1, 0 or +1 when rounding to what can be run leads from there to
/// `actual`; else the coded value of `actual` itself.
double nominalCoded(const study::Coding& coding, std::size_t factor, double actual)
{
    for (const double nominal : {-1.0, 0.0, 1.0}) {
        if (study::snapToLegal(coding.factors()[factor], coding.toActual(factor, nominal)) == actual)
            return nominal;
    }
    return coding.toCoded(factor, actual);
}

OrderedJson codedJson(const study::Study& study, const study::Coding& coding, const study::Settings& settings)
{
    OrderedJson coded = OrderedJson::object();
    for (std::size_t i = 0; i < study.factors.size(); ++i) {
        const study::Factor& factor = study.factors[i];
        const auto value = settings.find(factor.name);
        if (value == settings.end())
            continue;
        if (const auto* number = std::get_if<double>(&value->second); number && factor.isNumeric())
            coded[factor.name] = nominalCoded(coding, i, *number);
        else
            coded[factor.name] = study::toText(value->second);
    }
    return coded;
}

} // namespace

OrderedJson studyJson(const study::Study& study)
{
    OrderedJson json = OrderedJson::parse(study::writeStudy(study));
    const study::Coding coding(study.factors);
    for (std::size_t i = 0; i < study.runs.size(); ++i)
        json["runs"][i]["coded"] = codedJson(study, coding, study.runs[i].settings);
    OrderedJson& runs = json["runs"];
    if (runs.size() == study.runs.size())
        return json;
    // Baselines have settings of their own and no coded ones; nobody shall take them for runs of the design.
    json["baselines"] = OrderedJson(runs.begin() + std::ssize(study.runs), runs.end());
    runs.erase(runs.begin() + std::ssize(study.runs), runs.end());
    return json;
}

} // namespace quadric::exchange
