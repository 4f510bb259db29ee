// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/report/document/report.h"
#include "widgets/text/text_table.h"

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace quadric::widgets {

class Plot;

struct HeadingBlock {
    QString text;
    int level = 1;           ///< 0: title of the report, 1: section, 2: part of a section
    bool startsPage = false; ///< unless there is little above it on the page
    bool isOnTop = false;    ///< of a page, whatever is above it
};

struct ParagraphBlock {
    enum class Kind { Plain, Lead, Bullet, Small };
    QString text;
    Kind kind = Kind::Plain;
    bool keepsWithNext = false; ///< introduces what follows
};

struct TableBlock {
    TextTable table;
};

inline constexpr double kFigureTitleHeight = 20.0; ///< logical pixels

/// Plots side by side under one caption; never split over pages.
struct FigureBlock {
    static constexpr double kFixed = 1.0; ///< `lowest` of plots whose rows have a height of their own

    std::vector<std::shared_ptr<Plot>> plots;
    QStringList titles;    ///< above each plot; may be empty
    double height = 280.0; ///< logical pixels, titles included
    QString caption;
    double lowest = 0.68; ///< share of the height that is enough where a page has no more room
};

using ReportBlock = std::variant<HeadingBlock, ParagraphBlock, TableBlock, FigureBlock>;

/// What the report says, in reading order; how it falls onto pages, or into HTML, is the matter of those who
/// draw it. All texts are plain: nothing in them is markup.
struct ReportContent {
    QString title, author, date;
    bool isSimulated = false;
    std::vector<ReportBlock> blocks;
};

ReportContent reportContent(const ContextPointer& context, const ReportOptions& options);

/// Writes the same part by part, for those who have something else to do in between.
class ReportWriter {
public:
    ReportWriter(const ContextPointer& context, const ReportOptions& options);
    ~ReportWriter();

    /// False when there was nothing left to write.
    bool writePart();
    /// What is written.
    ReportContent take();

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

/// Collects the blocks of a report. Texts from the study may hold anything: here they become fit to be set,
/// without control characters and no longer than somebody would read.
class BlockList {
public:
    void heading(const QString& text, int level = 1, bool startsPage = false);
    /// A section that begins at the top of a page.
    void headingOnTop(const QString& text);
    /// One paragraph for each line of the text; nothing for an empty one.
    void paragraph(const QString& text, ParagraphBlock::Kind kind = ParagraphBlock::Kind::Plain);
    void bullets(const QStringList& texts);
    /// A small line that stays with what follows.
    void introduction(const QString& text);
    /// The same for a plain paragraph.
    void answer(const QString& text);
    /// Nothing for a table without rows.
    void table(TextTable table);
    void table(const report::Table& table) { this->table(typeset(table)); }
    /// Nothing without plots.
    void figure(FigureBlock figure);

    std::vector<ReportBlock> take() { return std::move(m_blocks); }

private:
    std::vector<ReportBlock> m_blocks;
};

/// The text on one line, at most `most` characters of it; what is left out is counted.
QString limitToOneLine(const QString& text, qsizetype most);

} // namespace quadric::widgets
