// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/profiler.h"

#include "widgets/plots/plot_style.h"

namespace quadric::widgets {

struct DesirabilityCurve::Parts {};

DesirabilityCurve::DesirabilityCurve(QWidget* parent)
    : Plot(parent)
    , m_parts(std::make_unique<Parts>())
{
}

DesirabilityCurve::~DesirabilityCurve() = default;

void DesirabilityCurve::paintTo(QPainter& painter, const QRectF& target, bool forPrint)
{
    drawHeader(painter, target, plotStyle(*this, forPrint), {}, isSimulated());
}

void DesirabilityCurve::mousePressEvent(QMouseEvent*) {}

void DesirabilityCurve::mouseMoveEvent(QMouseEvent*) {}

void DesirabilityCurve::paintEvent(QPaintEvent* event)
{
    Plot::paintEvent(event);
}

void DesirabilityCurve::setDesirability(const optimize::Desirability&, std::optional<double>)
{
    update();
}

} // namespace quadric::widgets
