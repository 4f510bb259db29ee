// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/report/document/report_content.h"

namespace quadric::widgets {

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
QString settable(const QString& text, qsizetype most);

} // namespace quadric::widgets
