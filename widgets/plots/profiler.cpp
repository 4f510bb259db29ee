// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/profiler.h"

#include "widgets/plots/plot_style.h"

namespace quadric::widgets {

struct Profiler::Parts {};

Profiler::Profiler(QWidget* parent)
    : Plot(parent)
    , m_parts(std::make_unique<Parts>())
{
}

Profiler::~Profiler() = default;

void Profiler::paintTo(QPainter& painter, const QRectF& target, bool forPrint)
{
    drawHeader(painter, target, plotStyle(*this, forPrint), {}, isSimulated());
}

void Profiler::mousePressEvent(QMouseEvent*) {}

void Profiler::mouseMoveEvent(QMouseEvent*) {}

void Profiler::mouseDoubleClickEvent(QMouseEvent*) {}

void Profiler::keyPressEvent(QKeyEvent*) {}

void Profiler::paintEvent(QPaintEvent* event)
{
    Plot::paintEvent(event);
}

void Profiler::setData(const ProfilerData&)
{
    update();
}

void Profiler::clear(const QString&)
{
    update();
}

} // namespace quadric::widgets
