// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/text/text_table.h"

#include <QColor>
#include <QFont>
#include <QRectF>
#include <QString>

class QPainter;

namespace quadric::widgets {

/// Fonts of the report, sized in logical pixels at 96 dpi so that screen and paper break lines alike. Shaping
/// is off: with it, text taken from the PDF would lose signs such as "=" and "±".
QFont printFont(double pixels, bool isBold = false);

/// Height that the text takes when it is wrapped to this width.
double textHeight(const QString& text, const QFont& font, double width);

/// Draws wrapped text into the top of `target`; words that are wider than the target are broken.
void drawText(QPainter& painter, const QRectF& target, const QString& text, const QFont& font,
              const QColor& color, Qt::Alignment alignment = Qt::AlignLeft);

/// A table set for paper: columns as wide as they need, wrapped where the page is too narrow, in smaller type
/// where wrapping is not enough. Rows are never cut; the header repeats on every page.
class PrintTable {
public:
    PrintTable(const TextTable& table, double width);

    /// A table too wide even so comes apart into several, each with the first column.
    static std::vector<PrintTable> fitted(const TextTable& table, double width);

    std::size_t rowCount() const { return m_rowHeights.size(); }
    double captionHeight() const;
    double headerHeight() const { return m_headerHeight; }
    double rowHeight(std::size_t row) const { return m_rowHeights[row]; }
    double noteHeight() const;

    /// Draws rows [first, last) under the header, with the caption in the first part and the note in the
    /// last.
    void paint(QPainter& painter, const QPointF& at, std::size_t first, std::size_t last) const;

private:
    bool fits() const { return m_fits; }
    bool trySetting(double pixels, double unbroken);
    void setHeights();
    double paintRow(QPainter& painter, const QPointF& at, const QStringList& cells, double height,
                    bool isHeader) const;

    TextTable m_table;
    double m_width = 0.0;
    double m_fontPixels = 0.0;
    bool m_fits = false;
    std::vector<double> m_columnWidths;
    double m_headerHeight = 0.0;
    std::vector<double> m_rowHeights;
};

} // namespace quadric::widgets
