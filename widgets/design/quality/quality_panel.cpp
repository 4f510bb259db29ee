// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/quality/quality_panel.h"

#include "widgets/base/style.h"
#include "widgets/design/quality/design_views.h"
#include "widgets/plots/base/plot.h"
#include "widgets/plots/shown_view.h"

#include <QTabWidget>
#include <QVBoxLayout>

namespace quadric::widgets {

QualityPanel::QualityPanel(QWidget* parent)
    : QWidget(parent)
    , m_tabs(new QTabWidget)
{
    nameWidget(m_tabs, "qualityTabs", tr("Quality of the design"));
    m_tabs->setDocumentMode(true);
    m_tabs->setUsesScrollButtons(true);
    for (const DesignViewRow& row : designViews())
        if (row.make)
            addTab(row.make(), row);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_tabs);
}

void QualityPanel::addTab(QualityView* view, const ViewKind& kind)
{
    m_views.push_back(view);
    markView(*view, kind.id);
    m_tabs->setTabToolTip(m_tabs->addTab(view, kind.tabText()), viewSummary(kind));
    if (Plot* plot = view->plot())
        describePlot(*plot, kind);
    connect(view, &QualityView::modelChosen, this, [this](const QString& model) {
        m_options.model = model.toStdString();
        judgeAgain();
    });
    connect(view, &QualityView::effectChosen, this, [this](double effect) {
        m_options.effectSd = effect;
        judgeAgain();
    });
}

void QualityPanel::showFirst(QWidget* view, const QString& title)
{
    m_tabs->setCurrentIndex(m_tabs->insertTab(0, view, title));
}

void QualityPanel::setStudy(const study::Study& study)
{
    m_study = study;
    for (const QualityView* view : m_views)
        if (Plot* plot = view->plot())
            plot->setSource({QString::fromStdString(study.name), {}});
    judgeAgain();
}

void QualityPanel::judgeAgain()
{
    if (m_study.runs.empty())
        return clear(tr("No runs yet"));
    m_jobs.start(
        [study = m_study, options = m_options](const std::stop_token&) { return judge(study, options); },
        [this](const Judgment& judgment) { show(judgment); });
}

void QualityPanel::clear(const QString& reason)
{
    m_jobs.cancel();
    show({std::nullopt, reason});
}

void QualityPanel::show(const Judgment& judgment)
{
    m_judgment = judgment;
    for (QualityView* view : m_views)
        view->showJudgment(m_judgment);
    emit judged();
}

} // namespace quadric::widgets
