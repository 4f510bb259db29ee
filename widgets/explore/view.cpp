// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/view.h"

#include "widgets/plots/plot.h"
#include "widgets/plots/plot_menu.h"

#include <QVBoxLayout>

namespace quadric::widgets {

View::View(QWidget* parent)
    : QWidget(parent)
{
}

void View::setPickedRun(int) {}

PlotView::PlotView(Plot* plot, Show show)
    : m_plot(plot)
    , m_show(std::move(show))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(plot);
    setFocusProxy(plot);
    connect(plot, &Plot::runPicked, this, &View::runPicked);
}

void PlotView::showFit(const study::Study& study, const model::Fit& fit)
{
    m_plot->setSimulated(study::hasSimulatedResults(study));
    m_show(study, fit);
}

void PlotView::setPickedRun(int run)
{
    m_plot->setPickedRun(run);
}

void PlotView::setAbout(const About& about)
{
    m_plot->setAbout(about);
}

void PlotView::addActions(QMenu& menu)
{
    addPlotActions(menu, *m_plot);
}

} // namespace quadric::widgets
