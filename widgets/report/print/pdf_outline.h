// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <vector>

namespace quadric::widgets {

/// A bookmark of a PDF document.
struct OutlineEntry {
    QString title;
    int level = 0;    ///< 0: outermost; at most one more than the entry before it
    int page = 0;     ///< from 0
    double top = 0.0; ///< above the lower edge of the page, points
};

/// What a reader shows about a document.
struct PdfDetails {
    QString title, author, creator, subject;
    std::vector<OutlineEntry> outline;
};

/// The same document with bookmarks and with what is said about it; QPdfWriter of Qt 6.4 can write neither
/// bookmarks nor an author. Throws std::exception for something that is no PDF document.
QByteArray withDetails(const QByteArray& pdf, const PdfDetails& details);

} // namespace quadric::widgets
