// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/trade_off_view.h"

#include "widgets/base/labelled_chooser.h"
#include "widgets/optimize/front_plot.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace quadric::widgets {

namespace {

/// Names of the responses that a trade-off is about: with a goal and a model.
QStringList traded(const study::Study& study, const std::vector<model::Fit>& fits)
{
    QStringList names;
    for (const model::Fit& fit : fits) {
        const study::Response* response = study::findResponse(study, fit.response);
        if (fit.isOk() && response != nullptr && response->goal != study::Goal::None)
            names << QString::fromStdString(fit.response);
    }
    return names;
}

QStringList itemsOf(const QComboBox& chooser)
{
    QStringList items;
    for (int i = 0; i < chooser.count(); ++i)
        items << chooser.itemData(i).toString();
    return items;
}

FrontAxis axisOf(const study::Study& study, const QString& name)
{
    const study::Response* response = study::findResponse(study, name.toStdString());
    return {name.toStdString(), response ? nameWithUnit(response->name, response->unit) : name};
}

} // namespace

TradeOffView::TradeOffView(QWidget* parent)
    : QWidget(parent)
    , m_plot(new FrontPlot(this))
{
    auto* axes = new QHBoxLayout;
    axes->setSpacing(8);
    m_x = addLabelledChooser(*axes, tr("Across"), this);
    m_y = addLabelledChooser(*axes, tr("Up"), this);
    m_plot->setMinimumSize(200, 120);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 8, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(axes);
    layout->addWidget(m_plot, 1);
    connect(m_x, &QComboBox::activated, this, &TradeOffView::showFront);
    connect(m_y, &QComboBox::activated, this, &TradeOffView::showFront);
    connect(m_plot, &FrontPlot::pointPicked, this,
            [this](int index) { emit settingsPicked(m_front.at(static_cast<std::size_t>(index)).settings); });
}

void TradeOffView::setStudy(const study::Study& study, const std::vector<model::Fit>& fits)
{
    m_study = study;
    m_fits = fits;
    m_plot->setSimulated(study::hasSimulatedResults(study));
    m_isOutdated = true;
    fillChoosers();
    if (isVisible())
        search();
}

void TradeOffView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_isOutdated)
        search();
}

void TradeOffView::fillChoosers()
{
    const QStringList names = traded(m_study, m_fits);
    if (itemsOf(*m_x) == names)
        return;
    for (QComboBox* chooser : {m_x, m_y}) {
        chooser->clear();
        for (const QString& name : names)
            chooser->addItem(nameText(name.toStdString()), name);
        chooser->setCurrentIndex(chooser == m_y ? std::min(1, chooser->count() - 1) : 0);
    }
}

void TradeOffView::search()
{
    m_isOutdated = false;
    if (m_x->count() < 2) {
        m_job.cancel();
        m_front.clear();
        m_plot->clear(tr("A trade-off needs two responses with a goal and a model."));
        return;
    }
    m_job.start(
        [study = m_study, fits = m_fits](std::stop_token stop) {
            optimize::OptimizeOptions options;
            options.stop = stop;
            return optimize::tradeOffFront(study, fits, options);
        },
        [this](const std::vector<optimize::FrontPoint>& front) {
            m_front = front;
            showFront();
        });
    if (m_front.empty())
        m_plot->clear(tr("Searching …"));
}

void TradeOffView::showFront()
{
    if (m_front.empty()) {
        m_plot->clear(tr("No setting that can be run was found."));
        return;
    }
    m_plot->setFront(m_front, axisOf(m_study, m_x->currentData().toString()),
                     axisOf(m_study, m_y->currentData().toString()));
    showMark();
}

void TradeOffView::setShown(const optimize::Optimum& shown)
{
    m_shown = shown.responses;
    showMark();
}

void TradeOffView::showMark()
{
    const auto predicted = [this](const QComboBox& chooser) -> std::optional<double> {
        const std::string name = chooser.currentData().toString().toStdString();
        const auto found = std::find_if(m_shown.begin(), m_shown.end(),
                                        [&name](const auto& each) { return each.response == name; });
        return found == m_shown.end() ? std::nullopt : std::optional(found->predicted.mean);
    };
    const auto x = predicted(*m_x);
    const auto y = predicted(*m_y);
    m_plot->setShown(x && y ? std::optional(QPointF(*x, *y)) : std::nullopt);
}

} // namespace quadric::widgets
