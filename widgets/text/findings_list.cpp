// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/findings_list.h"

#include "core/report/findings/advice.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/text/wording.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

namespace quadric::widgets {

QLabel* wrappedLabel(const QString& richText)
{
    auto* label = new QLabel(richText);
    label->setTextFormat(Qt::RichText);
    label->setWordWrap(true);
    label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

namespace {

/// Color and shape of a severity; with its word none of them says it alone.
struct Mark {
    QColor color;
    QString shape;
};

Mark findingMark(const report::Finding& finding, const PlotColors& colors)
{
    if (isFact(finding))
        return {colors.mutedText, QStringLiteral("○")};
    if (finding.severity == report::Severity::Green)
        return {colors.good, QStringLiteral("●")};
    if (finding.severity == report::Severity::Amber)
        return {colors.warning, QStringLiteral("▲")};
    return {colors.error, QStringLiteral("✖")};
}

/// Topic, finding and what to do, in one cell.
QString findingText(const report::Finding& finding, const PlotColors& colors)
{
    const auto escaped = [](const std::string& text) { return QString::fromStdString(text).toHtmlEscaped(); };
    QString text = QStringLiteral("<b>%1.</b> %2").arg(escaped(finding.topic), escaped(finding.sentence));
    if (!finding.advice.empty())
        text += QStringLiteral("<br><span style='color:%1'>→ %2</span>")
                    .arg(colors.mutedText.name(), escaped(finding.advice));
    return text;
}

QLabel* markLabel(const report::Finding& finding, const PlotColors& colors)
{
    const Mark mark = findingMark(finding, colors);
    auto* label = new QLabel(QStringLiteral("<span style='color:%1'>%2</span> %3")
                                 .arg(mark.color.name(), mark.shape, severityText(finding)));
    label->setTextFormat(Qt::RichText);
    label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    return label;
}

/// What a remedy is called on its button; empty for none.
QString remedyText(const report::Finding& finding)
{
    switch (report::findRemedy(finding)) {
    case report::Remedy::ShowRuns:
        return finding.runs.size() == 1 ? FindingsList::tr("Show run %1").arg(finding.runs.front())
                                        : FindingsList::tr("Show runs");
    case report::Remedy::AddRuns:
        return FindingsList::tr("Go to Design");
    case report::Remedy::None:
        break;
    }
    return {};
}

} // namespace

QString severityText(const report::Finding& finding)
{
    return fromUtf8(shownName(finding));
}

FindingsList::FindingsList(QWidget* parent)
    : QWidget(parent)
    , m_grid(marginlessGrid(this, 16, 6))
{
    m_grid->setColumnStretch(1, 1);
}

void FindingsList::setFindings(const std::vector<report::Finding>& findings)
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
    for (const report::Finding& finding : m_findings) {
        m_grid->addWidget(markLabel(finding, colors), row, 0);
        m_grid->addWidget(wrappedLabel(findingText(finding, colors)), row, 1);
        if (m_offersRemedies && report::findRemedy(finding) != report::Remedy::None)
            m_grid->addWidget(makeButton(finding), row + 1, 1, Qt::AlignLeft);
        row += 2;
    }
}

QPushButton* FindingsList::makeButton(const report::Finding& finding)
{
    auto* button = new QPushButton(remedyText(finding));
    button->setObjectName(QStringLiteral("remedy-") + QString::fromStdString(finding.code));
    connect(button, &QPushButton::clicked, this, [this, finding] { emit remedyRequested(finding); });
    return button;
}

void FindingsList::offerRemedies()
{
    m_offersRemedies = true;
    build();
}

QString FindingsList::text() const
{
    QString text;
    for (const report::Finding& finding : m_findings)
        text += QStringLiteral("%1: %2: %3 %4\n")
                    .arg(severityText(finding), QString::fromStdString(finding.topic),
                         QString::fromStdString(finding.sentence), QString::fromStdString(finding.advice));
    return text;
}

void FindingsList::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        build();
}

} // namespace quadric::widgets
