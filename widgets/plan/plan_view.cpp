// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_view.h"

#include "widgets/base/style.h"
#include "widgets/optimize/session/steady_label.h"
#include "widgets/plots/panel/panel_plot.h"
#include "widgets/text/wording.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr int kSeenRows = 3;

/// Makes the table as high as its header and its rows, so many at most.
void fitHeight(QTableView& table, int mostRows)
{
    const int shown = std::min(table.model()->rowCount(), mostRows);
    const bool scrolls = table.horizontalHeader()->length() > table.viewport()->width();
    table.setFixedHeight(table.horizontalHeader()->sizeHint().height() + shown * table.rowHeight(0) +
                         2 * table.frameWidth() +
                         (scrolls ? table.horizontalScrollBar()->sizeHint().height() : 0));
}

constexpr int kControlLines = 15; ///< width of the controls, in heights of a line of text
constexpr int kLeastControls = 220;
constexpr int kMostControlLines = 23; ///< width that controls with long names may have, likewise
constexpr double kSentenceSize = 1.1; ///< of the text's

QScrollArea* scrolled(QWidget* content)
{
    auto* area = scrollAreaFor(content);
    area->setFocusPolicy(Qt::NoFocus); // it scrolls to the control that has it
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    return area;
}

} // namespace

/// The board of the reply.
class PlanFigure : public PanelPlot {
public:
    using PanelPlot::PanelPlot;
    using PanelPlot::setBoard;
};

PlanView::PlanView(PlanQuestion question, QWidget* parent)
    : QWidget(parent)
    , m_question(std::move(question))
    , m_form(new PlanForm(m_question.controls, QBoxLayout::TopToBottom))
    , m_area(scrolled(m_form))
    , m_sentence(new SteadyLabel(2, this))
    , m_figure(new PlanFigure(this))
    , m_view(new QTableView(this))
    , m_model(new TextTableModel(this))
    , m_remark(mutedLabel({}, this))
{
    QFont large = m_sentence->font();
    large.setPointSizeF(large.pointSizeF() * kSentenceSize);
    m_sentence->setFont(large);
    m_sentence->setGrowing(true);
    m_sentence->setObjectName(QStringLiteral("planSentence"));
    m_form->layout()->setContentsMargins(0, 0, kGap, 0);
    m_area->setAccessibleName(tr("What is asked"));
    m_form->installEventFilter(this);
    connect(m_form, &PlanForm::choicesChanged, this, &PlanView::choicesChanged);
    fitControls();
    m_figure->setMinimumSize(200, 140);
    setUpTable(*m_view);
    m_view->setModel(m_model);
    m_view->setAccessibleName(m_question.tableName);
    auto* right = marginless<QVBoxLayout>(nullptr, kGap);
    right->addWidget(m_sentence);
    right->addWidget(m_figure, 1);
    right->addWidget(m_view);
    right->addWidget(m_remark);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, kGap, 0, 0);
    layout->setSpacing(kGroupGap);
    layout->addWidget(m_area);
    layout->addLayout(right, 1);
}

void PlanView::showPlan(const PlanSource& source)
{
    if (!source.isReady())
        return;
    m_form->showSource(source);
    m_job.cancel();
    const PlanReply reply = m_question.answer(source);
    showReply(reply);
    if (reply.whole)
        m_job.start([whole = reply.whole](const std::stop_token&) { return whole(); },
                    [this](const PlanReply& whole) { showReply(whole); });
}

void PlanView::showWhole(const PlanSource& source)
{
    const PlanReply reply = m_question.answer(source);
    showReply(reply.whole ? reply.whole() : reply);
}

void PlanView::showReply(const PlanReply& reply)
{
    // "98 %" and "1 h 05 min" are not broken.
    static const QRegularExpression kBeforeUnit(
        QStringLiteral("(?<=[0-9]) (?=%|(?:s|min|h|kWh)\\b)|(?<=[0-9] h|[0-9] min) (?=[0-9])"));
    m_sentence->setText(QString(reply.sentence).replace(kBeforeUnit, QString(QChar::Nbsp)));
    m_figure->setHeld(reply.held);
    m_figure->setBoard(reply.board, reply.reason);
    m_view->setEnabled(!reply.whole); // what is of the question before is no answer
    if (!reply.whole) {
        m_table = reply.table;
        m_model->setTable(m_table);
        m_view->setVisible(!m_table.rows.empty());
        fitHeight(*m_view, kSeenRows);
    }
    m_remark->setText(reply.remark);
    m_remark->setVisible(!reply.remark.isEmpty());
}

bool PlanView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_form && event->type() == QEvent::LayoutRequest)
        fitControls();
    return QWidget::eventFilter(watched, event);
}

/// As wide as the controls need, so that none is cut off; the scroll bar has its room beside them.
void PlanView::fitControls()
{
    const int line = fontMetrics().height(), usual = std::max(kLeastControls, kControlLines * line);
    const int needed = m_form->minimumSizeHint().width() + m_area->verticalScrollBar()->sizeHint().width();
    m_area->setFixedWidth(std::clamp(needed, usual, std::max(usual, kMostControlLines * line)));
}

PanelPlot* PlanView::plot() const
{
    return m_figure;
}

QString PlanView::sentence() const
{
    return m_sentence->text();
}

QString PlanView::remark() const
{
    return m_remark->text();
}

std::vector<TextTable> PlanView::tables() const
{
    return m_table.rows.empty() ? std::vector<TextTable>() : std::vector{m_table};
}

} // namespace quadric::widgets
