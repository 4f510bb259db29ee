// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/svg_text.h"

#include "widgets/plots/svg_shapes.h"

namespace quadric::widgets {

namespace {

/// Without control characters and the two non-characters.
QByteArray asXml(const QByteArray& text)
{
    QByteArray clean;
    clean.reserve(text.size());
    for (const char byte : text)
        if (static_cast<unsigned char>(byte) >= 0x20 || byte == '\n' || byte == '\t' || byte == '\r')
            clean += byte;
    clean.replace("\xEF\xBF\xBE", "");
    clean.replace("\xEF\xBF\xBF", "");
    return clean;
}

/// What stands before the outermost group, without what Qt says of itself.
QByteArray headOf(QByteArray head)
{
    head.replace("<desc>Generated with Qt</desc>\n", "");
    head.replace("<defs>\n</defs>\n", "");
    const qsizetype end = head.indexOf('>');
    return head.first(end).simplified() + " xml:space=\"preserve\"" + head.sliced(end);
}

} // namespace

QByteArray tidySvg(const QByteArray& generated, int decimals)
{
    const QByteArray svg = asXml(generated);
    const qsizetype begin = svg.indexOf("<svg"), outermost = svg.indexOf("<g ", begin);
    const QByteArray inside = svg.sliced(svg.indexOf('>', outermost) + 1);
    return headOf(svg.sliced(begin, outermost - begin)) + writeShapes(readShapes(inside, decimals)) +
           "</svg>\n";
}

} // namespace quadric::widgets
