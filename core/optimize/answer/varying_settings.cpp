// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/answer/varying_settings.h"

#include "core/model/base/distributions.h"
#include "core/optimize/merit/kronecker.h"
#include "core/text/read_number.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace quadric::optimize {

namespace {

constexpr const char* kOptimizePage = "optimize";
constexpr const char* kVaries = "varies";

/// Of low, where a setting on the log2 scale would fall to 0 or below.
constexpr double kLeastShare = 1e-3;

bool isOf(const std::vector<std::string>& row, std::string_view factor)
{
    return row.size() == 3 && row[0] == kVaries && row[1] == factor;
}

double actualAt(const study::Factor& factor, double nominal, double shift)
{
    const double actual = nominal + shift;
    return factor.scale == study::Scale::Log2 ? std::max(actual, kLeastShare * factor.low) : actual;
}

} // namespace

VaryingSettings::VaryingSettings(const study::Study& study, const Variation& sds)
    : m_coding(study.factors)
{
    for (const auto& [name, sd] : sds) {
        const int index = m_coding.indexOf(name);
        if (index < 0 || !study.factors[static_cast<std::size_t>(index)].isNumeric())
            throw std::invalid_argument("'" + name + "' is no numeric factor, so its setting cannot vary");
        if (!(sd >= 0.0) || !std::isfinite(sd))
            throw std::invalid_argument("the standard deviation of " + name + " is " + study::toText(sd) +
                                        ", expected a number of 0 or more");
        if (sd > 0.0)
            m_varying.push_back({static_cast<std::size_t>(index), sd});
    }
}

std::vector<study::CodedPoint> VaryingSettings::around(const study::CodedPoint& nominal, int points) const
{
    if (isNone())
        return {nominal};
    std::vector<study::CodedPoint> cloud(static_cast<std::size_t>(points), nominal);
    for (std::size_t j = 0; j < m_varying.size(); ++j) {
        const auto& [factor, sd] = m_varying[j];
        const auto axis = static_cast<Eigen::Index>(factor);
        const double actual = m_coding.toActual(factor, nominal[axis]);
        for (int i = 0; i < points; ++i) {
            const double exact = (i + 0.5) * (j == 0 ? 1.0 / points : kroneckerStep(j - 1));
            const double share = std::clamp(exact - std::floor(exact), 0.5 / points, 1.0 - 0.5 / points);
            cloud[static_cast<std::size_t>(i)][axis] = m_coding.toCoded(
                factor, actualAt(m_coding.factors()[factor], actual, sd * model::normalQuantile(share)));
        }
    }
    return cloud;
}

Variation variationOf(const study::Study& study)
{
    Variation sds;
    const auto page = study.view.find(kOptimizePage);
    if (page == study.view.end())
        return sds;
    for (const study::Factor& factor : study.factors) {
        const auto row = std::ranges::find_if(
            page->second.views, [&factor](const auto& each) { return isOf(each, factor.name); });
        const auto sd = row == page->second.views.end() ? std::nullopt : text::readNumber(row->back(), '.');
        if (factor.isNumeric() && sd && *sd > 0.0)
            sds[factor.name] = *sd;
    }
    return sds;
}

study::Study withVariation(study::Study study, const std::string& factor, double sd)
{
    study::PageView& page = study.view[kOptimizePage];
    std::erase_if(page.views, [&factor](const auto& row) { return isOf(row, factor); });
    if (sd > 0.0)
        page.views.push_back({kVaries, factor, study::toText(sd)});
    if (page == study::PageView{})
        study.view.erase(kOptimizePage);
    return study;
}

std::string describeVariation(const study::Study& study, const Variation& sds)
{
    std::string words;
    for (const study::Factor& factor : study.factors) {
        const auto found = sds.find(factor.name);
        if (found == sds.end())
            continue;
        words += (words.empty() ? "" : ", ") + factor.name + " " + study::toText(found->second);
        words += factor.unit.empty() ? "" : " " + factor.unit;
    }
    return words;
}

} // namespace quadric::optimize
