// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/quality/power_bars.h"

#include "core/model/base/thresholds.h"
#include "widgets/base/theme.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/text/wording.h"

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr int kRowHeight = 22;  ///< pixels
constexpr int kAroundRows = 96; ///< pixels of the axis below and of the line's name above

enum class TermKind { Main, Interaction, Square };

TermKind kindOf(const std::string& term)
{
    if (term.find('^') != std::string::npos)
        return TermKind::Square;
    return term.find('*') == std::string::npos ? TermKind::Main : TermKind::Interaction;
}

PanelBar barOf(const design::PowerRow& row)
{
    const double power = std::clamp(row.power, 0.0, 1.0);
    const bool isEnough = power >= model::kUsualPower;
    return {.right = power,
            .role = isEnough ? BarRole::Outstanding : BarRole::Weak,
            .isHatched = !isEnough,
            .tip = PowerBars::tr("%1: an effect of %2 noise standard deviations is found in %3 of such "
                                 "experiments (α = 5 %).")
                       .arg(termText(row.term), formatNumber(row.effectSd), formatPower(row.power)),
            .text = formatPower(row.power)};
}

Panel powerPanel(const std::vector<design::PowerRow>& rows)
{
    Panel panel;
    panel.grid = PanelGrid::Vertical;
    for (const auto& [kind, title] : {std::pair(TermKind::Main, PowerBars::tr("Main effects")),
                                      std::pair(TermKind::Interaction, PowerBars::tr("Interactions")),
                                      std::pair(TermKind::Square, PowerBars::tr("Quadratic effects"))}) {
        bool isFirst = true;
        for (const design::PowerRow& row : rows) {
            if (kindOf(row.term) != kind)
                continue;
            if (isFirst)
                addHeading(panel, title);
            isFirst = false;
            addRow(panel, termText(row.term), barOf(row));
        }
    }
    panel.x = {
        PowerBars::tr("Power to find an effect of %1σ (α = 5 %)").arg(formatNumber(rows.front().effectSd)),
        {0.0, 1.0, false}};
    for (const int percent : {0, 20, 40, 60, 80, 100})
        panel.x.ticks.push_back({percent / 100.0, QStringLiteral("%1 %").arg(percent)});
    panel.limits.push_back({model::kUsualPower,
                            PowerBars::tr("%1: usual minimum").arg(formatPower(model::kUsualPower)),
                            LineRole::Reference});
    return panel;
}

} // namespace

PowerBars::PowerBars(QWidget* parent)
    : PanelPlot(parent)
{
    setObjectName(QStringLiteral("powerBars"));
    setAccessibleName(tr("Power"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Minimum);
}

void PowerBars::setPower(const std::vector<design::PowerRow>& rows)
{
    QStringList spoken;
    for (const design::PowerRow& row : rows)
        spoken << QStringLiteral("%1 %2").arg(termText(row.term), formatPower(row.power));
    setAccessibleDescription(spoken.join(QStringLiteral(", ")));
    PanelBoard board;
    if (!rows.empty())
        board.panels.push_back(powerPanel(rows));
    setBoard(std::move(board), tr("No runs are left over to measure the noise, so no power is known."));
    updateGeometry();
}

QSize PowerBars::sizeHint() const
{
    if (board().panels.empty())
        return {280, 120};
    const Panel& panel = board().panels.front();
    return {280,
            kAroundRows + kRowHeight * static_cast<int>(panel.y.ticks.size() + panel.headings.size() + 1)};
}

} // namespace quadric::widgets
