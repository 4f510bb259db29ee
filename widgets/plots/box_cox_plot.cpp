// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/box_cox_plot.h"

#include "widgets/base/theme.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/text/fit_statistics.h"
#include "widgets/text/wording.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace quadric::widgets {

namespace {

constexpr double kShownDrop = 25.0;  ///< of the log likelihood below its peak: what lies deeper says nothing
constexpr double kFewestShown = 0.7; ///< powers at either side of the peak, however steep it is
constexpr double kEdge = 5.0;        ///< of the powers that are tried

/// What powers are told with: half the interval decides their digits.
double uncertaintyOf(const model::BoxCox& profile)
{
    return profile.low && profile.high ? std::max(1e-6, (*profile.high - *profile.low) / 2.0) : 0.5;
}

QString intervalText(const model::BoxCox& profile)
{
    const auto end = [uncertainty = uncertaintyOf(profile)](const std::optional<double>& value,
                                                            const char* beyond) {
        return value ? formatNumber(*value, uncertainty) : QString::fromUtf8(beyond);
    };
    return BoxCoxPlot::tr("95 %: %1 to %2").arg(end(profile.low, "< −5"), end(profile.high, "> 5"));
}

/// From the powers whose likelihood is worth seeing to those that are in use and recommended.
std::pair<double, double> shownPowers(const model::BoxCox& profile, double used, double advised)
{
    const double peak = std::ranges::max(profile.logLikelihood);
    double low = std::min({used, advised, profile.lambda - kFewestShown});
    double high = std::max({used, advised, profile.lambda + kFewestShown});
    for (std::size_t i = 0; i < profile.powers.size(); ++i)
        if (profile.logLikelihood[i] >= peak - kShownDrop) {
            low = std::min(low, profile.powers[i]);
            high = std::max(high, profile.powers[i]);
        }
    return {std::max(low, -kEdge), std::min(high, kEdge)};
}

TextTable tableOf(const model::BoxCox& profile)
{
    TextTable table;
    table.caption = BoxCoxPlot::tr("Box–Cox profile");
    table.columns = {{BoxCoxPlot::tr("Power"), {}, true}, {BoxCoxPlot::tr("Log likelihood"), {}, true}};
    for (std::size_t i = 0; i < profile.powers.size(); ++i)
        table.rows.push_back({formatNumber(profile.powers[i]), formatNumber(profile.logLikelihood[i])});
    table.note = intervalText(profile);
    return table;
}

} // namespace

BoxCoxPlot::BoxCoxPlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Box–Cox profile"));
    clear(tr("No model yet."));
}

void BoxCoxPlot::setProfile(const model::Fit& fit, const model::BoxCox& profile,
                            const study::Transform& recommended)
{
    const study::Transform& inUse = fit.transform;
    const double used = model::powerOf(inUse);
    const double advised = model::powerOf(recommended);
    const auto [least, most] = shownPowers(profile, used, advised);
    const model::BoxCoxCurve curve = model::boxCoxCurve(fit, profile, least, most);
    if (curve.powers.empty())
        return clear(tr("The profile has no values to show."));
    Panel panel;
    panel.x = {tr("power λ of the response"), scaleOver(curve.powers, false, 0.04)};
    panel.y = {tr("log likelihood"), scaleOver(curve.logLikelihood, false, 0.08)};
    const double low = panel.y.scale.low;
    const double high = panel.y.scale.high;
    const double from = profile.low.value_or(panel.x.scale.low);
    const double to = profile.high.value_or(panel.x.scale.high);
    panel.bands.push_back({{from, to}, {low, low}, {high, high}});
    panel.lines.push_back({.x = curve.powers, .y = curve.logLikelihood});
    const bool isSame = used == advised;
    const QString usedText = isSame ? tr("in use and recommended: %1") : tr("in use: %1");
    panel.lines.push_back(
        straightLine(used, low, used, high, LineRole::Reference, usedText.arg(transformText(inUse))));
    if (!isSame)
        panel.lines.push_back(straightLine(advised, low, advised, low + 0.9 * (high - low), LineRole::Limit,
                                           tr("recommended: %1").arg(transformText(recommended))));
    panel.dots.push_back(
        {.x = profile.lambda,
         .y = std::ranges::max(curve.logLikelihood),
         .role = DotRole::Outstanding,
         .tip = tr("likeliest power %1").arg(formatNumber(profile.lambda, uncertaintyOf(profile)))});
    PanelBoard board;
    board.title = nameText(fit.response);
    board.legend = {{LegendEntry::Sample::LineInBand, intervalText(profile)},
                    {LegendEntry::Sample::Dot, tr("likeliest power"), DotRole::Outstanding}};
    board.panels.push_back(std::move(panel));
    board.table = tableOf(profile);
    setBoard(std::move(board));
}

} // namespace quadric::widgets
