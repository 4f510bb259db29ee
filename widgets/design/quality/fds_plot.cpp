// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/quality/fds_plot.h"

#include "core/report/tables/design_tables.h"
#include "widgets/base/theme.h"

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr double kHeadroom = 1.08;

/// Between the points, straight.
double seAt(const FdsCurve& curve, double fraction)
{
    const auto above = std::ranges::lower_bound(curve.points, fraction, {}, &design::FdsPoint::fraction);
    if (above == curve.points.end())
        return curve.points.back().se;
    if (above == curve.points.begin())
        return above->se;
    const auto below = std::prev(above);
    const double step = above->fraction - below->fraction;
    return step > 0.0 ? below->se + (above->se - below->se) * (fraction - below->fraction) / step : above->se;
}

QString seText(double se)
{
    return QString::fromStdString(report::formatDesignNumber(design::DesignNumber::StandardError, se));
}

/// What the curves say of the best share of the region.
QString fdsReading(const std::vector<FdsCurve>& curves, double fraction)
{
    QStringList lines;
    for (const FdsCurve& curve : curves) {
        const QString said = FdsPlot::tr("%1 of the region: standard error at most %2")
                                 .arg(formatPercent(fraction, 0), seText(seAt(curve, fraction)));
        lines << (curve.name.isEmpty() ? said : curve.name + QStringLiteral(": ") + said);
    }
    return lines.join(QLatin1Char('\n'));
}

PanelLine lineOf(const FdsCurve& curve, int category)
{
    PanelLine line;
    line.category = category;
    for (const design::FdsPoint& point : curve.points) {
        line.x.push_back(point.fraction);
        line.y.push_back(point.se);
    }
    return line;
}

/// The share of the region from 0 to 1, the standard error from 0 to above the worst.
Panel axesOver(const std::vector<FdsCurve>& curves)
{
    Panel panel;
    panel.grid = PanelGrid::Both;
    panel.x = {FdsPlot::tr("Fraction of design space"), {0.0, 1.0, false}};
    for (const int percent : {0, 25, 50, 75, 100})
        panel.x.ticks.push_back({percent / 100.0, QStringLiteral("%1 %").arg(percent)});
    double highest = 1e-6;
    for (const FdsCurve& curve : curves)
        for (const design::FdsPoint& point : curve.points)
            highest = std::max(highest, point.se * kHeadroom);
    panel.y = {FdsPlot::tr("Std. error of prediction (σ)"), {0.0, highest, false}};
    return panel;
}

} // namespace

FdsPlot::FdsPlot(QWidget* parent)
    : PanelPlot(parent)
{
    setObjectName(QStringLiteral("fdsPlot"));
    setAccessibleName(tr("Prediction variance (FDS)"));
}

void FdsPlot::setCurves(std::vector<FdsCurve> curves)
{
    std::erase_if(curves, [](const FdsCurve& curve) { return curve.points.size() < 2; });
    m_curves = std::move(curves);
    setAccessibleDescription(words());
    if (m_curves.empty())
        return clear(tr("The prediction error of this design is not known."));
    PanelBoard board;
    board.panels.push_back(axesOver(m_curves));
    Panel& panel = board.panels.front();
    for (std::size_t i = m_curves.size(); i-- > 0;) { // the first one on top
        const int category = i == 0 ? -1 : static_cast<int>(i);
        panel.lines.push_back(lineOf(m_curves[i], category));
        if (m_curves.size() > 1)
            board.legend.insert(
                board.legend.begin(),
                {.sample = LegendEntry::Sample::Line, .text = m_curves[i].name, .category = category});
    }
    panel.reading = [curves = m_curves](double fraction, double) { return fdsReading(curves, fraction); };
    setBoard(std::move(board));
}

QString FdsPlot::words() const
{
    QStringList sentences;
    for (const FdsCurve& curve : m_curves) {
        const QString said =
            tr("half of the region is predicted within %1, nine tenths within %2, all of it within %3")
                .arg(seText(seAt(curve, 0.5)), seText(seAt(curve, 0.9)), seText(seAt(curve, 1.0)));
        sentences << (curve.name.isEmpty() ? said : curve.name + QStringLiteral(": ") + said);
    }
    return sentences.join(QStringLiteral("; "));
}

} // namespace quadric::widgets
