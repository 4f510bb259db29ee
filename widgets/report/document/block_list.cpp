// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/document/block_list.h"

#include "core/study/display_names.h"
#include "core/text/numbers.h"
#include "widgets/plots/base/plot.h"

#include <QCoreApplication>

namespace quadric::widgets {

namespace {

constexpr qsizetype kMostInHeading = 160;
constexpr qsizetype kMostInCell = 400;
constexpr qsizetype kMostInParagraph = 2000;
constexpr qsizetype kMostParagraphs = 200; ///< of one text
constexpr std::size_t kMostRows = 500;     ///< of one table: twelve pages

/// Who needs them all reads them with a program.
void leaveFirstRows(TextTable& table)
{
    const std::size_t all = table.rows.size();
    if (all <= kMostRows)
        return;
    table.rows.resize(kMostRows);
    const auto count = [](std::size_t rows) {
        return QString::fromStdString(text::formatDecimals(static_cast<double>(rows), 0));
    };
    table.note +=
        (table.note.isEmpty() ? QString() : QStringLiteral(" ")) +
        QCoreApplication::translate("Report", "The first %1 of %2 rows: export the study for all of them.")
            .arg(count(kMostRows), count(all));
}

} // namespace

QString settable(const QString& text, qsizetype most)
{
    const auto shown = [](const QString& part) {
        return QString::fromStdString(
            study::shownText(part.toStdString(), static_cast<std::size_t>(part.size())));
    };
    if (text.size() <= most)
        return shown(text);
    return QCoreApplication::translate("Report", "%1… (%2 more characters)")
        .arg(shown(text.left(most)))
        .arg(text.size() - most);
}

void BlockList::heading(const QString& text, int level, bool startsPage)
{
    m_blocks.push_back(HeadingBlock{settable(text, kMostInHeading), level, startsPage});
}

void BlockList::headingOnTop(const QString& text)
{
    m_blocks.push_back(HeadingBlock{.text = settable(text, kMostInHeading), .isOnTop = true});
}

void BlockList::paragraph(const QString& text, ParagraphBlock::Kind kind)
{
    const QStringList lines = text.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    for (const QString& line : lines.mid(0, kMostParagraphs))
        m_blocks.push_back(ParagraphBlock{settable(line, kMostInParagraph), kind, false});
}

void BlockList::bullets(const QStringList& texts)
{
    for (const QString& text : texts)
        paragraph(text, ParagraphBlock::Kind::Bullet);
}

void BlockList::introduction(const QString& text)
{
    m_blocks.push_back(ParagraphBlock{settable(text, kMostInParagraph), ParagraphBlock::Kind::Small, true});
}

void BlockList::answer(const QString& text)
{
    m_blocks.push_back(ParagraphBlock{settable(text, kMostInParagraph), ParagraphBlock::Kind::Plain, true});
}

void BlockList::table(TextTable table)
{
    if (table.rows.empty())
        return;
    leaveFirstRows(table);
    table.caption = settable(table.caption, kMostInHeading);
    table.note = settable(table.note, kMostInParagraph);
    for (TextColumn& column : table.columns)
        column.title = settable(column.title, kMostInHeading);
    for (QStringList& row : table.rows)
        for (QString& cell : row)
            cell = settable(cell, kMostInCell);
    m_blocks.push_back(TableBlock{std::move(table)});
}

void BlockList::figure(FigureBlock figure)
{
    if (figure.plots.empty())
        return;
    for (QString& title : figure.titles)
        title = settable(title, kMostInHeading);
    figure.caption = settable(figure.caption, kMostInCell);
    m_blocks.push_back(std::move(figure));
}

} // namespace quadric::widgets
