// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/findings_list.h"

#include "widgets/base/theme.h"
#include "widgets/text/wrapped_label.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>

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
        return {colors.good, QStringLiteral("●"), FindingsList::tr("good")};
    case model::Verdict::Amber:
        return {colors.warning, QStringLiteral("▲"), FindingsList::tr("look")};
    case model::Verdict::Red:
        break;
    }
    return {colors.error, QStringLiteral("✖"), FindingsList::tr("poor")};
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

QLabel* markLabel(const Mark& mark)
{
    auto* label = new QLabel(
        QStringLiteral("<span style='color:%1'>%2</span> %3").arg(mark.color.name(), mark.shape, mark.word));
    label->setTextFormat(Qt::RichText);
    label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    return label;
}

} // namespace

FindingsList::FindingsList(QWidget* parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(16);
    m_grid->setVerticalSpacing(6);
    m_grid->setColumnStretch(1, 1);
}

void FindingsList::setFindings(const std::vector<model::ReportCardItem>& findings)
{
    m_findings = findings;
    build();
}

void FindingsList::build()
{
    while (QLayoutItem* item = m_grid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const PlotColors colors = plotColors(palette());
    int row = 0;
    for (const model::ReportCardItem& item : m_findings) {
        m_grid->addWidget(markLabel(markOf(item.verdict, colors)), row, 0);
        m_grid->addWidget(wrappedLabel(findingText(item, colors)), row++, 1);
    }
}

QString FindingsList::text() const
{
    QString text;
    for (const model::ReportCardItem& item : m_findings)
        text += QStringLiteral("%1: %2: %3 %4\n")
                    .arg(markOf(item.verdict, plotColors(palette())).word, QString::fromStdString(item.topic),
                         QString::fromStdString(item.sentence), QString::fromStdString(item.whatToDo));
    return text;
}

void FindingsList::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        build();
}

} // namespace quadric::widgets
