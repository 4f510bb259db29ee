// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/print/pdf_outline.h"

#include <qpdf/Buffer.hh>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFPageDocumentHelper.hh>
#include <qpdf/QPDFWriter.hh>

#include <algorithm>

namespace quadric::widgets {

namespace {

using Object = QPDFObjectHandle;

Object text(const QString& words)
{
    return Object::newUnicodeString(words.toStdString());
}

/// Writes the tree of bookmarks from a list in reading order.
class Outline {
public:
    Outline(QPDF& document, const std::vector<OutlineEntry>& entries)
        : m_document(document)
        , m_entries(entries)
        , m_pages(QPDFPageDocumentHelper(document).getAllPages())
    {
    }

    Object write()
    {
        Object root = m_document.makeIndirectObject(Object::newDictionary());
        root.replaceKey("/Type", Object::newName("/Outlines"));
        addChildren(root, 0, 0);
        return root;
    }

private:
    /// Entries from `next` on that lie at this level or deeper; returns the first one that does not.
    std::size_t addChildren(Object& parent, std::size_t next, int level)
    {
        Object previous;
        int count = 0;
        while (next < m_entries.size() && m_entries[next].level >= level) {
            Object item = makeItem(m_entries[next], parent);
            if (count++ == 0) {
                parent.replaceKey("/First", item);
            } else {
                item.replaceKey("/Prev", previous);
                previous.replaceKey("/Next", item);
            }
            previous = item;
            next = addChildren(item, next + 1, level + 1);
        }
        if (count > 0) {
            parent.replaceKey("/Last", previous);
            // Sections are open, what they hold is folded away.
            parent.replaceKey("/Count", Object::newInteger(level == 0 ? count : -count));
        }
        return next;
    }

    Object makeItem(const OutlineEntry& entry, Object& parent)
    {
        Object item = m_document.makeIndirectObject(Object::newDictionary());
        item.replaceKey("/Title", text(entry.title));
        item.replaceKey("/Parent", parent);
        const auto page = std::min(static_cast<std::size_t>(entry.page), m_pages.size() - 1);
        Object place = Object::newArray();
        place.appendItem(m_pages[page].getObjectHandle());
        place.appendItem(Object::newName("/XYZ"));
        place.appendItem(Object::newNull());
        place.appendItem(Object::newReal(entry.top, 1));
        place.appendItem(Object::newNull());
        item.replaceKey("/Dest", place);
        return item;
    }

    QPDF& m_document;
    const std::vector<OutlineEntry>& m_entries;
    std::vector<QPDFPageObjectHelper> m_pages;
};

/// Empty texts are left out.
void describe(QPDF& document, const PdfDetails& details)
{
    Object trailer = document.getTrailer();
    if (!trailer.hasKey("/Info"))
        trailer.replaceKey("/Info", document.makeIndirectObject(Object::newDictionary()));
    Object info = trailer.getKey("/Info");
    const std::pair<const char*, const QString&> entries[] = {{"/Title", details.title},
                                                              {"/Author", details.author},
                                                              {"/Creator", details.creator},
                                                              {"/Subject", details.subject}};
    for (const auto& [key, words] : entries)
        if (!words.isEmpty())
            info.replaceKey(key, text(words));
}

} // namespace

QByteArray withDetails(const QByteArray& pdf, const PdfDetails& details)
{
    QPDF document;
    document.processMemoryFile("report", pdf.constData(), static_cast<std::size_t>(pdf.size()));
    describe(document, details);
    Object catalog = document.getRoot();
    catalog.replaceKey("/Lang", Object::newString("en"));
    catalog.replaceKey("/ViewerPreferences", Object::parse("<< /DisplayDocTitle true >>"));
    if (!details.outline.empty()) {
        catalog.replaceKey("/Outlines", Outline(document, details.outline).write());
        catalog.replaceKey("/PageMode", Object::newName("/UseOutlines"));
    }
    QPDFWriter writer(document);
    writer.setOutputMemory();
    writer.write();
    const auto buffer = writer.getBufferSharedPointer();
    return {reinterpret_cast<const char*>(buffer->getBuffer()), static_cast<qsizetype>(buffer->getSize())};
}

} // namespace quadric::widgets
