// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/report_card.h"

#include "widgets/base/theme.h"
#include "widgets/text/statistics.h"
#include "widgets/text/text_table_model.h"

#include <QGridLayout>
#include <QLabel>
#include <QLayoutItem>
#include <QScrollArea>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>

namespace quadric::widgets {

namespace {

QString warningText(const model::Fit& fit)
{
    QStringList lines;
    for (const model::Warning& warning : fit.warnings)
        lines << QStringLiteral("⚠ ") + QString::fromStdString(warning.message);
    return lines.join(QLatin1Char('\n'));
}

QColor colorOf(Verdict verdict, const PlotColors& colors)
{
    switch (verdict) {
    case Verdict::Good:
        return colors.good;
    case Verdict::Fair:
        return colors.warning;
    case Verdict::Poor:
        break;
    }
    return colors.error;
}

QString asSentence(QString text)
{
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

} // namespace

ReportCard::ReportCard(QWidget* parent)
    : QWidget(parent)
    , m_tabs(new QTabWidget(this))
    , m_anova(new TextTableModel(this))
    , m_coefficients(new TextTableModel(this))
{
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(makeSummary(), tr("Report card"));
    m_tabs->addTab(makeTable(*m_anova), tr("ANOVA"));
    m_tabs->addTab(makeTable(*m_coefficients), tr("Coefficients"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_tabs);
}

QWidget* ReportCard::makeSummary()
{
    auto* content = new QWidget;
    m_verdict = new QLabel(content);
    m_warnings = new QLabel(content);
    m_statistics = new QWidget(content);
    m_verdict->setWordWrap(true);
    m_warnings->setWordWrap(true);
    m_warnings->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(8);
    layout->addWidget(m_verdict);
    layout->addWidget(m_statistics);
    layout->addWidget(m_warnings);
    layout->addStretch(1);
    m_grid = new QGridLayout(m_statistics);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(16);
    m_grid->setVerticalSpacing(4);
    auto* scroll = new QScrollArea;
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    return scroll;
}

QWidget* ReportCard::makeTable(TextTableModel& model)
{
    auto* view = new QTableView;
    setUpTable(*view);
    view->setModel(&model);
    return view;
}

void ReportCard::setFit(const model::Fit& fit)
{
    const PlotColors colors = plotColors(palette());
    m_verdict->setText(
        QStringLiteral("<span style='color:%1'>●</span> %2")
            .arg(colorOf(verdictOf(fit), colors).name(), asSentence(verdictText(fit)).toHtmlEscaped()));
    m_warnings->setText(warningText(fit));
    m_warnings->setVisible(!fit.warnings.empty());
    showStatistics(fit);
    m_anova->setTable(fit.isOk() ? anovaTable(fit) : TextTable{});
    m_coefficients->setTable(fit.isOk() ? coefficientTable(fit) : TextTable{});
}

void ReportCard::showStatistics(const model::Fit& fit)
{
    while (QLayoutItem* item = m_grid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    m_statistics->setVisible(fit.isOk());
    if (!fit.isOk())
        return;
    const std::vector<Statistic> statistics = statisticsOf(fit);
    for (int i = 0; i < static_cast<int>(statistics.size()); ++i) {
        const Statistic& each = statistics[static_cast<std::size_t>(i)];
        auto* name = new QLabel(each.name, m_statistics);
        auto* value = new QLabel(each.value, m_statistics);
        value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        name->setToolTip(each.tooltip);
        value->setToolTip(each.tooltip);
        m_grid->addWidget(name, i, 0);
        m_grid->addWidget(value, i, 1);
    }
    m_grid->setColumnStretch(2, 1);
}

} // namespace quadric::widgets
