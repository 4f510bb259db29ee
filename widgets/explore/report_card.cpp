// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/report_card.h"

#include "widgets/base/theme.h"
#include "widgets/text/statistics.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGridLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QVBoxLayout>

namespace quadric::widgets {

namespace {

/// Colour, shape and word of a verdict: none of them says it alone.
struct Mark {
    QColor color;
    QString shape, word;
};

Mark markOf(model::Verdict verdict, const PlotColors& colors)
{
    switch (verdict) {
    case model::Verdict::Green:
        return {colors.good, QStringLiteral("●"), ReportCard::tr("good")};
    case model::Verdict::Amber:
        return {colors.warning, QStringLiteral("▲"), ReportCard::tr("look")};
    case model::Verdict::Red:
        break;
    }
    return {colors.error, QStringLiteral("✖"), ReportCard::tr("poor")};
}

QString asSentence(QString text)
{
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

/// Topic, finding and what to do, in one cell.
QString findingText(const model::ReportCardItem& item, const PlotColors& colors)
{
    const auto escaped = [](const std::string& text) { return QString::fromStdString(text).toHtmlEscaped(); };
    QString text = QStringLiteral("<b>%1.</b> %2").arg(escaped(item.topic), escaped(item.sentence));
    if (!item.whatToDo.empty())
        text += QStringLiteral("<br><span style='color:%1'>→ %2</span>")
                    .arg(colors.mutedText.name(), escaped(item.whatToDo));
    return text;
}

void empty(QGridLayout& grid)
{
    while (QLayoutItem* item = grid.takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

QLabel* markLabel(const Mark& mark)
{
    auto* label = new QLabel(
        QStringLiteral("<span style='color:%1'>%2</span> %3").arg(mark.color.name(), mark.shape, mark.word));
    label->setTextFormat(Qt::RichText);
    label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    return label;
}

QLabel* wrappedLabel(const QString& text)
{
    auto* label = new QLabel(text);
    label->setTextFormat(Qt::RichText);
    label->setWordWrap(true);
    label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
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

ReportCard::ReportCard(QWidget* parent)
    : View(parent)
{
    auto* content = new QWidget;
    auto* lines = new QVBoxLayout(content);
    lines->setContentsMargins(8, 8, 8, 8);
    lines->setSpacing(12);
    m_verdict = wrappedLabel({});
    m_verdict->setObjectName(QStringLiteral("verdict"));
    lines->addWidget(m_verdict);
    m_findingGrid = addGrid(*lines, m_findings);
    m_findingGrid->setColumnStretch(1, 1);
    m_statisticGrid = addGrid(*lines, m_statistics);
    m_statisticGrid->setColumnStretch(2, 1);
    lines->addStretch(1);
    auto* scroll = new QScrollArea;
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
    m_text.clear();
    const std::vector<model::ReportCardItem> card = model::reportCard(fit);
    showVerdict(fit);
    showFindings(fit.isOk() ? card : std::vector<model::ReportCardItem>{});
    showStatistics(fit);
}

void ReportCard::showVerdict(const model::Fit& fit)
{
    const QString sentence = asSentence(verdictText(fit));
    m_verdict->setText(QStringLiteral("<b>%1</b>").arg(sentence.toHtmlEscaped()));
    m_text += sentence + QLatin1Char('\n');
}

void ReportCard::showFindings(const std::vector<model::ReportCardItem>& card)
{
    empty(*m_findingGrid);
    const PlotColors colors = plotColors(palette());
    int row = 0;
    for (const model::ReportCardItem& item : card) {
        const Mark mark = markOf(item.verdict, colors);
        m_findingGrid->addWidget(markLabel(mark), row, 0);
        m_findingGrid->addWidget(wrappedLabel(findingText(item, colors)), row++, 1);
        m_text += QStringLiteral("%1: %2: %3 %4\n")
                      .arg(mark.word, QString::fromStdString(item.topic),
                           QString::fromStdString(item.sentence), QString::fromStdString(item.whatToDo));
    }
    m_findings->setVisible(row > 0);
}

void ReportCard::showStatistics(const model::Fit& fit)
{
    empty(*m_statisticGrid);
    m_statistics->setVisible(fit.isOk());
    if (!fit.isOk())
        return;
    int row = 0;
    for (const Statistic& each : statisticsOf(fit)) {
        auto* name = new QLabel(each.name);
        auto* value = new QLabel(each.value);
        value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        name->setToolTip(each.tooltip);
        value->setToolTip(each.tooltip);
        m_statisticGrid->addWidget(name, row, 0);
        m_statisticGrid->addWidget(value, row++, 1);
        m_text += each.name + QLatin1Char('\t') + each.value + QLatin1Char('\n');
    }
}

void ReportCard::setAbout(const About& about)
{
    m_about = about;
}

void ReportCard::addActions(QMenu& menu)
{
    menu.addAction(tr("&Copy text"), this, [this] { QGuiApplication::clipboard()->setText(m_text); })
        ->setObjectName(QStringLiteral("copyText"));
    if (!m_about.isEmpty())
        menu.addAction(tr("&What is this?"), this, [this] { showAbout(this, m_about); })
            ->setObjectName(QStringLiteral("about"));
}

void ReportCard::contextMenuEvent(QContextMenuEvent* event)
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    addActions(*menu);
    menu->popup(event->globalPos());
}

} // namespace quadric::widgets
