// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/effect_plots.h"

#include "widgets/plots/plot_style.h"

namespace quadric::widgets {

struct ParetoChart::Parts {
    QString reason;
};

ParetoChart::ParetoChart(QWidget* parent)
    : Plot(parent)
    , m_parts(std::make_unique<Parts>())
{
}

ParetoChart::~ParetoChart() = default;

void ParetoChart::setFit(const model::Fit&)
{
    update();
}

void ParetoChart::clear(const QString& reason)
{
    m_parts->reason = reason;
    update();
}

void ParetoChart::paintTo(QPainter& painter, const QRectF& target, bool forPrint)
{
    const PlotStyle style = plotStyle(*this, forPrint);
    drawReason(painter, drawHeader(painter, target, style, {}, isSimulated()), style, m_parts->reason);
}

} // namespace quadric::widgets
