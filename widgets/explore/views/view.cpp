// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/views/view.h"

#include "widgets/plots/base/plot.h"
#include "widgets/plots/base/plot_menu.h"
#include "widgets/text/wording.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QVBoxLayout>

namespace quadric::widgets {

View::View(Plot* plot)
    : m_plot(plot)
{
    if (plot == nullptr)
        return;
    setFocusProxy(plot);
    connect(plot, &Plot::runsPicked, this, &View::runsPicked);
}

void View::setPlot(Plot* plot)
{
    plot->setAbout(m_plot->about());
    m_plot = plot;
    setFocusProxy(plot);
}

void View::setPickedRuns(const PickedRuns& runs)
{
    if (m_plot != nullptr)
        m_plot->setPickedRuns(runs);
}

void View::setAbout(const About& about)
{
    if (m_plot != nullptr)
        m_plot->setAbout(about);
    else
        m_about = about;
}

void View::addActions(QMenu& menu)
{
    if (m_plot != nullptr)
        return addPlotActions(menu, *m_plot);
    addCopyAction(menu);
    if (!m_about.isEmpty())
        menu.addAction(tr("&What is this?"), this, [this] { showAbout(this, m_about); })
            ->setObjectName(QStringLiteral("about"));
}

/// Plots have a menu of their own.
void View::contextMenuEvent(QContextMenuEvent* event)
{
    if (m_plot != nullptr)
        return QWidget::contextMenuEvent(event);
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    addActions(*menu);
    menu->popup(event->globalPos());
}

PlotView::PlotView(Plot* plot, Show show)
    : View(plot)
    , m_show(std::move(show))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(plot);
}

void PlotView::showFit(const study::Study& study, const model::Fit& fit)
{
    plot()->setSimulated(study::hasSimulatedResults(study));
    plot()->setSource({nameText(study.name), {nameText(fit.response)}});
    m_show(study, fit);
}

} // namespace quadric::widgets
