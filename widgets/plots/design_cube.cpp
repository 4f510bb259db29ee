// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/design_cube.h"

#include "widgets/plots/plot_style.h"

namespace quadric::widgets {

struct DesignCube::Scene {};

DesignCube::DesignCube(QWidget* parent)
    : Plot(parent)
    , m_scene(std::make_unique<Scene>())
{
}

DesignCube::~DesignCube() = default;

void DesignCube::paintTo(QPainter& painter, const QRectF& target, bool forPrint)
{
    drawHeader(painter, target, plotStyle(*this, forPrint), {}, isSimulated());
}

void DesignCube::mousePressEvent(QMouseEvent*) {}

void DesignCube::mouseMoveEvent(QMouseEvent*) {}

void DesignCube::keyPressEvent(QKeyEvent*) {}

void DesignCube::paintEvent(QPaintEvent* event)
{
    Plot::paintEvent(event);
}

void DesignCube::setStudy(const study::Study&)
{
    update();
}

void DesignCube::setPickedRun(int runId)
{
    Plot::setPickedRun(runId);
}

} // namespace quadric::widgets
