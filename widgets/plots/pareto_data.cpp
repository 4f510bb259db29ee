// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/pareto_data.h"

#include "core/model/fit/effects.h"
#include "widgets/base/theme.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/text/wording.h"

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

std::vector<PanelLimit> makeEffectLimits(const model::Fit& fit)
{
    const model::EffectLimit& limit = fit.effectLimit;
    const auto text = [](const char* name, double value) {
        return QString::fromLatin1(name) + formatNumber(value);
    };
    std::vector<PanelLimit> lines;
    if (limit.method == "t") {
        lines.push_back({limit.value, QStringLiteral("t ") + QString::number(limit.value, 'f', 2) +
                                          QStringLiteral(" (") + formatPercent(fit.confidence) +
                                          QLatin1Char(')')});
        if (limit.bonferroni)
            lines.push_back({*limit.bonferroni,
                             QStringLiteral("Bonferroni ") + QString::number(*limit.bonferroni, 'f', 2),
                             LineRole::SecondLimit});
    } else if (limit.method == "lenth") {
        lines.push_back({limit.value, text("ME ", limit.value)});
        if (limit.sme)
            lines.push_back({*limit.sme, text("SME ", *limit.sme), LineRole::SecondLimit});
    }
    return lines;
}

QString axisTitleOf(const model::Fit& fit, bool isStandardized)
{
    if (isStandardized)
        return QStringLiteral("standardized effect |t|");
    if (fit.transform.kind != study::TransformKind::None)
        return QStringLiteral("|effect| on the transformed scale");
    return nameWithUnit("|effect|", fit.unit);
}

QString describeSignificance(model::Significance significance)
{
    if (significance == model::Significance::None)
        return tr("not significant");
    return significance == model::Significance::Family
               ? tr("significant among all terms")
               : tr("significant by itself, not among all terms (Holm)");
}

/// The effect in words, with the verdict of the lines it is held against.
QString describeEffectBar(const model::Fit& fit, const model::Effect& effect,
                          model::Significance significance)
{
    const bool isTransformed = fit.transform.kind != study::TransformKind::None;
    const std::string unit = isTransformed ? " (transformed scale)" : fit.unit.empty() ? "" : " " + fit.unit;
    QStringList lines{termText(effect.term)};
    lines << tr("effect %1%2").arg(formatNumber(effect.effect), QString::fromStdString(unit));
    if (effect.standardized)
        lines << (fit.effectLimit.method == "t" ? QStringLiteral("|t| = %1") : tr("Lenth's t ratio %1"))
                     .arg(*effect.standardized, 0, 'f', 2);
    if (effect.p)
        lines << formatPClause(*effect.p);
    if (!fit.effectLimit.method.empty())
        lines << describeSignificance(significance);
    return lines.join(QLatin1Char('\n'));
}

/// From zero to beyond the longest bar and the last limit.
AxisScale lengthScale(const Panel& panel)
{
    double longest = 0.0;
    for (const PanelBar& bar : panel.bars)
        longest = std::max(longest, bar.right);
    for (const PanelLimit& limit : panel.limits)
        if (std::isfinite(limit.at))
            longest = std::max(longest, limit.at);
    return {0.0, longest > 0.0 ? longest * 1.06 : 1.0, false};
}

} // namespace

Panel paretoPanel(const model::Fit& fit)
{
    const bool isStandardized = fit.effectLimit.method == "t";
    Panel panel;
    panel.grid = PanelGrid::Vertical;
    panel.limits = makeEffectLimits(fit);
    for (const model::RankedEffect& ranked : model::rankEffects(fit)) {
        const model::Effect& effect = fit.effects[ranked.index];
        addRow(
            panel, termText(effect.term),
            {.right = ranked.size,
             .role = ranked.significance == model::Significance::None ? BarRole::Weak : BarRole::Outstanding,
             .isHatched = effect.effect < 0.0,
             .tip = describeEffectBar(fit, effect, ranked.significance)});
        if (ranked.significance != model::Significance::None)
            panel.leastRows = static_cast<int>(panel.bars.size());
    }
    panel.x = {axisTitleOf(fit, isStandardized), lengthScale(panel)};
    return panel;
}

} // namespace quadric::widgets
