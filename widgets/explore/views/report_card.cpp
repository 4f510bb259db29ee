// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/views/report_card.h"

#include "core/model/fit/selection_test.h"
#include "core/report/findings/fit_findings.h"
#include "core/report/tables/model_tables.h"
#include "widgets/text/findings_list.h"
#include "widgets/text/fit_statistics.h"
#include "widgets/text/text_table.h"
#include "widgets/text/translate.h"
#include "widgets/text/wrapped_label.h"

#include <QClipboard>
#include <QGridLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QVBoxLayout>

namespace quadric::widgets {

namespace {

void empty(QGridLayout& grid)
{
    while (QLayoutItem* item = grid.takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

QGridLayout* addGrid(QVBoxLayout& layout, QWidget*& holder)
{
    holder = new QWidget;
    layout.addWidget(holder);
    auto* grid = new QGridLayout(holder);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(6);
    return grid;
}

} // namespace

ReportCard::ReportCard()
{
    auto* content = new QWidget;
    auto* lines = new QVBoxLayout(content);
    lines->setContentsMargins(8, 8, 8, 8);
    lines->setSpacing(12);
    m_verdict = wrappedLabel({});
    m_verdict->setObjectName(QStringLiteral("verdict"));
    lines->addWidget(m_verdict);
    m_findings = new FindingsList;
    m_findings->offerRemedies();
    connect(m_findings, &FindingsList::remedyRequested, this, &View::remedyRequested);
    lines->addWidget(m_findings);
    m_statisticGrid = addGrid(*lines, m_statistics);
    m_statisticGrid->setColumnStretch(2, 1);
    lines->addStretch(1);
    auto* scroll = new QScrollArea;
    scroll->setAccessibleName(tr("Findings"));
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scroll);
    setFocusProxy(scroll);
}

void ReportCard::showFit(const study::Study&, const model::Fit& fit)
{
    m_job.cancel();
    if (model::isSelectionTested(fit))
        return showVerdict(fit);
    m_verdict->setText(tr("Testing the chosen model …"));
    m_findings->setVisible(false);
    m_text.clear();
    showStatistics(fit);
    m_job.start(
        [fit](const std::stop_token&) {
            model::testSelection(fit);
            return true;
        },
        [this, fit](bool) { showVerdict(fit); });
}

void ReportCard::showVerdict(const model::Fit& fit)
{
    const QString verdict = QString::fromStdString(report::judgeFit(fit).sentence);
    m_verdict->setText(QStringLiteral("<b>%1</b>").arg(verdict.toHtmlEscaped()));
    m_findings->setFindings(m_scales ? report::findInModel(fit, *m_scales) : report::findInFit(fit));
    m_findings->setVisible(fit.isOk());
    m_text = verdict + QLatin1Char('\n') + (fit.isOk() ? m_findings->text() : QString());
    showStatistics(fit);
}

void ReportCard::showStatistics(const model::Fit& fit)
{
    empty(*m_statisticGrid);
    m_statistics->setVisible(fit.isOk());
    if (!fit.isOk())
        return;
    int row = 0;
    for (const QStringList& each : typeset(report::makeFitTable(fit)).rows) {
        auto* name = new QLabel(fromUtf8(each[0].toStdString()));
        auto* value = new QLabel(each[1]);
        value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        name->setToolTip(fromUtf8(each[2].toStdString()));
        value->setToolTip(name->toolTip());
        m_statisticGrid->addWidget(name, row, 0);
        m_statisticGrid->addWidget(value, row++, 1);
        m_text += name->text() + QLatin1Char('\t') + each[1] + QLatin1Char('\n');
    }
}

void ReportCard::addCopyAction(QMenu& menu)
{
    menu.addAction(tr("&Copy text"), this, [this] { QGuiApplication::clipboard()->setText(m_text); })
        ->setObjectName(QStringLiteral("copyText"));
}

} // namespace quadric::widgets
