// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/box_cox_plot.h"

#include "widgets/base/theme.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/text/fit_statistics.h"
#include "widgets/text/wording.h"

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kShownDrop = 25.0; ///< of the log likelihood below its peak: what lies deeper says nothing
constexpr std::size_t kFewestShown = 15; ///< points of the profile, however steep it is

QString intervalText(const model::BoxCox& profile)
{
    const auto end = [](const std::optional<double>& value, const char* beyond) {
        return value ? formatNumber(*value, 0.05) : QString::fromUtf8(beyond);
    };
    return BoxCoxPlot::tr("95 %: %1 to %2").arg(end(profile.low, "< −5"), end(profile.high, "> 5"));
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

/// The part of the profile that is near the peak.
PanelLine curveOf(const model::BoxCox& profile, double peak)
{
    PanelLine line;
    std::vector<double> sorted = profile.logLikelihood;
    std::ranges::sort(sorted, std::ranges::greater{});
    const double fewest = sorted[std::min(kFewestShown, sorted.size()) - 1];
    const double deepest = std::min(peak - kShownDrop, fewest);
    for (std::size_t i = 0; i < profile.powers.size(); ++i) {
        if (!(profile.logLikelihood[i] >= deepest))
            continue;
        line.x.push_back(profile.powers[i]);
        line.y.push_back(profile.logLikelihood[i]);
    }
    return line;
}

} // namespace

BoxCoxPlot::BoxCoxPlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Box–Cox profile"));
    clear(tr("No model yet."));
}

void BoxCoxPlot::setProfile(const model::BoxCox& profile, const study::Transform& inUse,
                            const study::Transform& recommended)
{
    if (profile.powers.empty())
        return clear(tr("The profile has no values to show."));
    const double peak = std::ranges::max(profile.logLikelihood);
    const PanelLine curve = curveOf(profile, peak);
    Panel panel;
    std::vector<double> powers = curve.x;
    const double used = model::powerOf(inUse);
    const double advised = model::powerOf(recommended);
    powers.insert(powers.end(), {used, advised});
    panel.x = {tr("power λ of the response"), scaleOver(powers, false, 0.04)};
    panel.y = {tr("log likelihood"), scaleOver(curve.y, false, 0.08)};
    const double low = panel.y.scale.low;
    const double high = panel.y.scale.high;
    const double from = profile.low.value_or(panel.x.scale.low);
    const double to = profile.high.value_or(panel.x.scale.high);
    panel.bands.push_back({{from, to}, {low, low}, {high, high}});
    panel.lines.push_back(curve);
    const bool isSame = used == advised;
    const QString usedText = isSame ? tr("in use and recommended: %1") : tr("in use: %1");
    panel.lines.push_back(
        straightLine(used, low, used, high, LineRole::Reference, usedText.arg(transformText(inUse))));
    if (!isSame)
        panel.lines.push_back(straightLine(advised, low, advised, low + 0.9 * (high - low), LineRole::Limit,
                                           tr("recommended: %1").arg(transformText(recommended))));
    panel.dots.push_back({.x = profile.lambda,
                          .y = peak,
                          .role = DotRole::Outstanding,
                          .tip = namedValue(tr("likeliest power"), profile.lambda)});
    PanelBoard board;
    board.legend = {{LegendEntry::Sample::LineInBand, intervalText(profile)}};
    board.panels.push_back(std::move(panel));
    board.table = tableOf(profile);
    setBoard(std::move(board));
}

} // namespace quadric::widgets
