// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/pareto_chart.h"

#include "widgets/plots/pareto_painter.h"
#include "widgets/text/wording.h"

#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

namespace quadric::widgets {

ParetoChart::ParetoChart(QWidget* parent)
    : Plot(parent)
    , m_reason(tr("No effects yet."))
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Pareto chart of effects"));
}

void ParetoChart::setFit(const model::Fit& fit)
{
    if (!fit.isOk() || fit.effects.empty())
        return clear(fit.message.empty() ? tr("The model has no effects to show.")
                                         : QString::fromStdString(fit.message));
    m_title = nameText(fit.response);
    m_data = paretoOf(fit);
    m_table = effectTable(fit);
    update();
}

void ParetoChart::clear(const QString& reason)
{
    m_title.clear();
    m_data = {};
    m_table = {};
    m_reason = reason;
    update();
}

void ParetoChart::paintTo(QPainter& painter, const QRectF& target, bool forPrint)
{
    const PlotStyle style = plotStyle(*this, forPrint);
    painter.save();
    const QRectF area = drawHeader(painter, target, style, m_title, isSimulated());
    if (m_data.bars.empty())
        drawReason(painter, area, style, m_reason);
    else
        paintPareto(painter, area, style, m_data);
    painter.restore();
}

void ParetoChart::mouseMoveEvent(QMouseEvent* event)
{
    const PlotStyle style = plotStyle(*this, false);
    const QRectF area = areaBelowHeader(rect(), style, !m_title.isEmpty() || isSimulated());
    const int bar = paretoBarAt(area, style, m_data, event->position());
    if (bar < 0)
        return QToolTip::hideText();
    QToolTip::showText(event->globalPosition().toPoint(), m_data.bars[static_cast<std::size_t>(bar)].tip,
                       this);
}

} // namespace quadric::widgets
