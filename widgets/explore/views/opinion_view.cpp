// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/views/opinion_view.h"

#include "core/plan/words/opinion_words.h"
#include "core/study/slice.h"
#include "widgets/base/labeled_chooser.h"
#include "widgets/explore/views/explore_views.h"
#include "widgets/explore/views/opinion_plot.h"
#include "widgets/text/text_table_model.h"
#include "widgets/text/translate.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

namespace quadric::widgets {

namespace {

/// What the chooser offers, in its order.
enum class OpinionPart { Predictions, Dependence, Tables };

constexpr int kRoomForVerdict = 18; ///< height from which it stands below a figure, in lines of text

View* makeOpinionView()
{
    return new OpinionView;
}

/// A picture has the predictions; it waits for them.
std::shared_ptr<Plot> drawOpinion(const ModelSource& source)
{
    auto plot = std::make_shared<OpinionPlot>();
    plot->setPredictions(plan::secondOpinion(source.study, source.fit));
    return plot;
}

QTableView* opinionTable(TextTableModel* model, const QString& name)
{
    auto* table = new QTableView;
    setUpTable(*table);
    table->setModel(model);
    table->setTabKeyNavigation(false);
    table->setAccessibleName(name);
    return table;
}

} // namespace

ExploreView opinionRow()
{
    return {
        {"opinion", tr("Second opinion"), "explore", ViewSubject::Response}, &makeOpinionView, &drawOpinion};
}

OpinionView::OpinionView()
    : OpinionView(new OpinionPlot)
{
}

OpinionView::OpinionView(OpinionPlot* plot)
    : View(plot)
    , m_plot(plot)
    , m_verdict(new QLabel)
    , m_stack(new QStackedWidget)
    , m_errors(new TextTableModel(this))
    , m_importance(new TextTableModel(this))
{
    m_verdict->setObjectName(QStringLiteral("opinionVerdict"));
    m_verdict->setWordWrap(true);
    m_verdict->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    m_shown = addLabeledChooser(*row, tr("Show"), this);
    m_shown->setObjectName(QStringLiteral("opinionShown"));
    m_shown->addItems({tr("Predictions"), tr("Partial dependence"), tr("Verdict and errors")});
    row->addStretch(1);
    m_stack->addWidget(plot);
    m_stack->addWidget(makeTables());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(row);
    layout->addWidget(m_stack, 1);
    layout->addWidget(m_verdict);
    connect(m_shown, &QComboBox::activated, this, &OpinionView::refresh);
}

OpinionView::~OpinionView() = default;

QWidget* OpinionView::makeTables()
{
    auto* tables = new QWidget;
    auto* layout = new QVBoxLayout(tables);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(opinionTable(m_errors, tr("Errors at runs left out")), 1);
    layout->addWidget(opinionTable(m_importance, tr("Importance of the factors")), 1);
    return tables;
}

/// What was trained is kept while nothing but the arrangement of the pages changes.
void OpinionView::showFit(const study::Study& study, const model::Fit& fit)
{
    const bool isSame = m_fit.isOk() && fit.isOk() && m_fit.response == fit.response &&
                        study::differInViewOnly(m_study, study);
    m_study = study;
    m_fit = fit;
    m_plot->setSimulated(study::hasSimulatedResults(study));
    m_plot->setSource({nameText(study.name), {nameText(fit.response)}});
    if (fit.isOk() && !isSame)
        return train();
    if (!fit.isOk()) {
        m_job.cancel();
        m_opinion = plan::secondOpinion(study, fit); // which says why there is none
    }
    refresh();
}

void OpinionView::train()
{
    m_opinion = {};
    m_opinion.message = tr("Training six kinds of models …").toStdString();
    refresh();
    m_job.start([study = m_study, fit = m_fit](
                    const std::stop_token& stop) { return plan::secondOpinion(study, fit, {.stop = stop}); },
                [this](const plan::Opinion& opinion) {
                    m_opinion = opinion;
                    refresh();
                });
}

/// In a low place it stands with the tables only: a figure would have no room left.
void OpinionView::showVerdict()
{
    const bool hasRoom = height() >= kRoomForVerdict * fontMetrics().height();
    m_verdict->setVisible(m_opinion.isOk() && (hasRoom || m_stack->currentIndex() == 1));
}

void OpinionView::resizeEvent(QResizeEvent* event)
{
    View::resizeEvent(event);
    showVerdict();
}

void OpinionView::refresh()
{
    const auto part = static_cast<OpinionPart>(m_shown->currentIndex());
    const bool showsTables = part == OpinionPart::Tables && m_opinion.isOk();
    m_stack->setCurrentIndex(showsTables ? 1 : 0);
    if (part == OpinionPart::Dependence)
        m_plot->setDependence(m_opinion, m_fit);
    else
        m_plot->setPredictions(m_opinion);
    const QString verdict =
        m_opinion.isOk() ? QString::fromStdString(plan::describeOpinion(m_opinion)) : QString();
    m_verdict->setText(verdict);
    m_shown->setToolTip(verdict);
    showVerdict();
    if (!m_opinion.isOk())
        return;
    m_errors->setTable(plan::makeOpinionTable(m_opinion));
    m_importance->setTable(plan::makeImportanceTable(m_opinion, m_fit.factors));
}

} // namespace quadric::widgets
