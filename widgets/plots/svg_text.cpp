// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/svg_text.h"

#include <QRegularExpression>

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

bool isDigit(char byte)
{
    return byte >= '0' && byte <= '9';
}

/// Cuts decimals in the lists of coordinates; texts between tags are left alone.
QByteArray withTwoDecimals(const QByteArray& svg)
{
    constexpr int kDecimals = 2;
    QByteArray out;
    out.reserve(svg.size());
    bool isInList = false;
    int decimals = -1; // after the point of the present number; −1: before it
    for (qsizetype i = 0; i < svg.size(); ++i) {
        const char byte = svg[i];
        if (byte == '"') {
            const QByteArrayView before = QByteArrayView(svg).first(i);
            isInList = !isInList && (before.endsWith(" points=") || before.endsWith(" d="));
        }
        decimals = byte == '.' ? 0 : !isDigit(byte) ? -1 : decimals < 0 ? -1 : decimals + 1;
        if (!isInList || decimals <= kDecimals)
            out += byte;
    }
    return out;
}

} // namespace

QByteArray tidySvg(const QByteArray& generated)
{
    static const QRegularExpression kFontOfShape(QStringLiteral(
        R"x(\s+font-family="[^"<>]*" font-size="[^"<>]*" font-weight="[^"<>]*" font-style="[^"<>]*"\s*)x"
        R"x((>\s*<(?:path|polyline|polygon|line|ellipse|circle|rect)\b[^<>]*/>\s*</g>))x"));
    static const QRegularExpression kDefaults(
        QStringLiteral(R"x( (?:fill-opacity="1"|stroke-opacity="1"|vector-effect="none"|fill-rule="evenodd")x"
                       R"x(|stroke-linecap="square"|stroke-linejoin="bevel")x"
                       R"x(|transform="matrix\(1,0,0,1,0,0\)")(?=[^<>]*>))x"));
    const QString svg = QString::fromUtf8(withTwoDecimals(asXml(generated)));
    const qsizetype begin = svg.indexOf(QStringLiteral("<svg"));
    // The outermost group sets what all others inherit.
    const qsizetype inside = svg.indexOf(QLatin1Char('>'), svg.indexOf(QStringLiteral("<g "), begin));
    QString content = svg.mid(inside);
    content.replace(kFontOfShape, QStringLiteral("\\1"));
    content.replace(kDefaults, QString());
    content.replace(QStringLiteral("\n\n"), QStringLiteral("\n"));
    return (svg.mid(begin, inside - begin) + content).toUtf8();
}

} // namespace quadric::widgets
