// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/base/plot_picture.h"

#include "core/study/files/output_file.h"
#include "widgets/plots/base/plot.h"
#include "widgets/plots/base/plot_style.h"

#include <QBuffer>
#include <QClipboard>
#include <QFont>
#include <QFontInfo>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QMimeData>
#include <QPainter>
#include <QPdfWriter>
#include <QPolygonF>
#include <QRegularExpression>
#include <QSvgGenerator>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace quadric::widgets {

namespace {

using Attributes = std::map<QByteArray, QByteArray>;

/// What every shape has unless it says otherwise. The first ones are SVG's initial values, the others stand
/// on the outermost group.
constexpr std::array<std::pair<const char*, const char*>, 5> kInitial{{{"fill-opacity", "1"},
                                                                       {"stroke-opacity", "1"},
                                                                       {"vector-effect", "none"},
                                                                       {"transform", "matrix(1,0,0,1,0,0)"},
                                                                       {"xml:space", "preserve"}}};
constexpr std::array<std::pair<const char*, const char*>, 10> kRoot{{{"fill", "none"},
                                                                     {"stroke", "none"},
                                                                     {"stroke-width", "1"},
                                                                     {"fill-rule", "evenodd"},
                                                                     {"stroke-linecap", "square"},
                                                                     {"stroke-linejoin", "bevel"},
                                                                     {"stroke-dashoffset", "0"},
                                                                     {"font-size", "11"},
                                                                     {"font-weight", "400"},
                                                                     {"font-style", "normal"}}};
constexpr std::size_t kStrokeWidth = 2; ///< its place among them

/// The width that most lines have.
QByteArray usualStrokeWidth(const QString& shapes)
{
    static const QRegularExpression kWidth(QStringLiteral(R"x(stroke-width="([^"]*)")x"));
    std::map<QByteArray, int> counts{{kRoot[kStrokeWidth].second, 0}};
    for (auto each = kWidth.globalMatch(shapes); each.hasNext();)
        ++counts[each.next().captured(1).toUtf8()];
    return std::ranges::max_element(counts, {}, &std::pair<const QByteArray, int>::second)->first;
}

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

/// The text of an element as it is read.
QString unescaped(QString text)
{
    constexpr std::array<std::pair<const char*, const char*>, 4> kEntities{
        {{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}}};
    for (const auto& [entity, sign] : kEntities)
        text.replace(QLatin1String(entity), QLatin1String(sign));
    return text;
}

/// What stands before the outermost group, without what Qt says of itself.
QByteArray cleanSvgHead(QByteArray head)
{
    head.replace("<desc>Generated with Qt</desc>\n", "");
    head.replace("<defs>\n</defs>\n", "");
    const qsizetype end = head.indexOf('>');
    return head.first(end).simplified() + " xml:space=\"preserve\"" + head.sliced(end);
}

Attributes attributesIn(const QString& tag)
{
    static const QRegularExpression kAttribute(QStringLiteral(R"x(([\w:-]+)="([^"]*)")x"));
    Attributes found;
    for (auto each = kAttribute.globalMatch(tag); each.hasNext();) {
        const QRegularExpressionMatch match = each.next();
        found[match.captured(1).toUtf8()] = match.captured(2).toUtf8();
    }
    return found;
}

QByteArray written(const Attributes& attributes)
{
    QByteArray text;
    for (const auto& [name, value] : attributes)
        text += ' ' + name + "=\"" + value + '"';
    return text;
}

/// At most so many decimals and no character that says nothing: ".5", "-3".
QByteArray shortNumber(double value, int decimals)
{
    QByteArray text = QByteArray::number(value, 'f', decimals);
    while (text.contains('.') && (text.endsWith('0') || text.endsWith('.')))
        text.chop(1);
    const bool isNegative = text.startsWith('-');
    QByteArray size = isNegative ? text.sliced(1) : text;
    if (size.startsWith("0."))
        size.remove(0, 1);
    return isNegative && size != "0" ? '-' + size : size;
}

double distanceFromChord(QPointF point, QPointF from, QPointF to)
{
    const QPointF chord = to - from, offset = point - from;
    const double squared = QPointF::dotProduct(chord, chord);
    const double along =
        squared > 0.0 ? std::clamp(QPointF::dotProduct(offset, chord) / squared, 0.0, 1.0) : 0.0;
    const QPointF away = offset - along * chord;
    return std::hypot(away.x(), away.y());
}

/// Without the points from which the line bends by no more than `tolerance`.
QPolygonF thinned(const QPolygonF& line, double tolerance)
{
    QPolygonF kept = line.first(std::min<qsizetype>(line.size(), 1));
    qsizetype from = 0;
    for (qsizetype to = 2; to < line.size(); ++to) {
        const bool isStraight = std::all_of(line.begin() + from + 1, line.begin() + to, [&](QPointF point) {
            return distanceFromChord(point, line[from], line[to]) <= tolerance;
        });
        if (!isStraight)
            kept << line[from = to - 1];
    }
    return line.size() > 1 ? kept << line.back() : kept;
}

/// A line as commands of a path: to its first point, then by differences, which are shorter, and where it
/// ends in that point closed.
QByteArray shortLine(const QByteArray& points, int decimals)
{
    QPolygonF line;
    for (const QByteArray& word : points.simplified().split(' ')) {
        const qsizetype comma = word.indexOf(',');
        if (comma > 0)
            line << QPointF(word.first(comma).toDouble(), word.sliced(comma + 1).toDouble());
    }
    line = thinned(line, std::pow(10.0, -decimals));
    const double unit = std::pow(10.0, decimals);
    std::ranges::transform(line, line.begin(), [unit](QPointF point) {
        return QPointF(std::round(point.x() * unit), std::round(point.y() * unit));
    });
    const bool isClosed = line.size() > 3 && line.front() == line.back();
    QByteArray text;
    for (qsizetype i = 0; i < line.size() - (isClosed ? 1 : 0); ++i) {
        const QPointF step = (i == 0 ? line[i] : line[i] - line[i - 1]) / unit;
        text += i == 0 ? "M" : i == 1 ? "l" : " ";
        text += shortNumber(step.x(), decimals) + ',' + shortNumber(step.y(), decimals);
    }
    return text.replace(" -", "-").replace(",-", "-") + (isClosed ? "z" : "");
}

/// The `d` of a path: its lines thinned; with curves only its numbers become shorter.
QByteArray shortPath(const QByteArray& d, int decimals)
{
    static const QRegularExpression kNumber(QStringLiteral(R"(-?[0-9.]+(e-?[0-9]+)?)"));
    QByteArray text;
    if (!d.contains('C')) {
        for (QByteArray part : d.split('M').mid(1))
            text += shortLine(part.replace('L', ' '), decimals);
        return text;
    }
    const QString old = QString::fromUtf8(d);
    qsizetype end = 0;
    for (auto each = kNumber.globalMatch(old); each.hasNext();) {
        const QRegularExpressionMatch number = each.next();
        text += old.mid(end, number.capturedStart() - end).toUtf8() +
                shortNumber(number.captured().toDouble(), decimals);
        end = number.capturedEnd();
    }
    return (text + old.mid(end).toUtf8()).trimmed();
}

void shortenGeometry(Attributes& shape, int decimals)
{
    constexpr int kFine = 2; // of what no list makes long
    for (auto& [name, value] : shape) {
        if (name == "d")
            value = shortPath(value, decimals);
        else if (name.size() < 3 || name == "width" || name == "height") // x, cy, r …
            value = shortNumber(value.toDouble(), kFine);
    }
}

/// Without what a shape of this kind does not show, and what it would have anyway.
void dropSilent(Attributes& shape, const Attributes& root, bool isText)
{
    const auto isPainted = [&shape](const char* name) {
        return shape.contains(name) && shape[name] != "none";
    };
    const bool isStroked = isPainted("stroke"), isFilled = isPainted("fill");
    std::erase_if(shape, [&](const auto& each) {
        const QByteArray& name = each.first;
        const auto usual = root.find(name);
        return (name.startsWith("font") && !isText) || (name.startsWith("stroke") && !isStroked) ||
               (name.startsWith("fill-") && !isFilled) ||
               (usual != root.end() && usual->second == each.second) ||
               std::ranges::any_of(kInitial, [&each](const auto& initial) {
                   return each.first == initial.first && each.second == initial.second;
               });
    });
}

/// The family that was drawn with, and the generic one for where it is not installed.
QByteArray familyOf(const Attributes& shape)
{
    const auto named = shape.find("font-family");
    const QString family = named == shape.end() ? QString() : QString::fromUtf8(named->second);
    return QFontInfo(QFont(family)).family().toHtmlEscaped().toUtf8() + ", sans-serif";
}

/// Text takes the room that it has in the window, in whatever font it is shown: what was aligned stays so.
void fixWidth(Attributes& shape, const Attributes& root, const QString& text)
{
    constexpr int kFine = 2;
    const auto valueOf = [&shape, &root](const char* name) {
        const auto own = shape.find(name);
        return own != shape.end() ? own->second : root.at(name);
    };
    QFont font(QString::fromUtf8(valueOf("font-family")).section(QLatin1Char(','), 0, 0));
    font.setPixelSize(std::max(1, qRound(valueOf("font-size").toDouble())));
    font.setWeight(static_cast<QFont::Weight>(valueOf("font-weight").toInt()));
    font.setItalic(valueOf("font-style") == "italic");
    font.setHintingPreference(QFont::PreferNoHinting);
    const double width = QFontMetricsF(font).horizontalAdvance(unescaped(text));
    if (width <= 0.0 || text.size() < 2)
        return;
    shape["textLength"] = shortNumber(width, kFine);
    shape["lengthAdjust"] = "spacingAndGlyphs";
}

/// A shape with the look of its group.
QByteArray shapeWritten(const QRegularExpressionMatch& element, const Attributes& group, Attributes& root,
                        int decimals)
{
    QByteArray tag = element.captured(1).toUtf8();
    Attributes shape = attributesIn(element.captured(2));
    const bool isText = tag == "text";
    shape.insert(group.begin(), group.end());
    shape.emplace("stroke-width", kRoot[kStrokeWidth].second);
    if (tag == "polyline") {
        tag = "path";
        shape["d"] = 'M' + shape.extract("points").mapped();
    }
    if (isText) { // of which all have the family of the first one, most often
        shape["font-family"] = familyOf(shape);
        root.emplace("font-family", shape["font-family"]);
    }
    shortenGeometry(shape, decimals);
    if (isText)
        fixWidth(shape, root, element.captured(3));
    dropSilent(shape, root, isText);
    return '<' + tag + written(shape) + (isText ? '>' + element.captured(3).toUtf8() + "</text>\n" : "/>\n");
}

constexpr int kDotsPerInch = 96;

QSize pictureSize(const Plot& plot, const PictureOptions& options)
{
    return options.size.isEmpty() ? plot.size() : options.size;
}

constexpr double kFootGap = 6.0; ///< pixels around the words at the foot

/// The study that the picture is from, in the lower right corner.
void paintFoot(QPainter& painter, const QRectF& foot, const PlotStyle& style, const QString& study)
{
    painter.fillRect(foot, style.colors.background);
    drawLine(painter, foot.adjusted(8.0, 0.0, -8.0, -kFootGap / 2.0), Qt::AlignRight | Qt::AlignVCenter,
             style.small, style.colors.mutedText, study);
}

/// Gives the plot the colors and the font of a picture, and takes them back at the end of its life.
class Dressed {
public:
    Dressed(Plot& plot, const PictureOptions& options)
        : m_plot(plot)
        , m_isLight(options.theme != ThemeChoice::Dark)
        , m_namesStudy(options.namesStudy)
        , m_palette(plot.palette())
        , m_font(plot.font())
    {
        m_plot.setPictured(true);
        if (m_isLight)
            return;
        QFont font = m_font;
        font.setStyleStrategy(QFont::PreferNoShaping); // as for print: shaped text loses signs in a PDF
        m_plot.setFont(font);
        m_plot.setPalette(darkPalette());
    }
    ~Dressed()
    {
        m_plot.setPictured(false);
        if (m_isLight)
            return;
        m_plot.setPalette(m_palette);
        m_plot.setFont(m_font);
    }
    Dressed(const Dressed&) = delete;
    Dressed& operator=(const Dressed&) = delete;

    void paint(QPainter& painter, const QSize& size)
    {
        const PlotStyle style = plotStyle(m_plot, m_isLight);
        const QString study = m_namesStudy ? m_plot.source().study : QString();
        const double foot = study.isEmpty() ? 0.0 : style.smallHeight() + kFootGap;
        const QRectF whole(QPointF(0, 0), QSizeF(size));
        m_plot.paintTo(painter, whole.adjusted(0.0, 0.0, 0.0, -foot), m_isLight);
        if (foot > 0.0)
            paintFoot(painter, whole.adjusted(0.0, whole.height() - foot, 0.0, 0.0), style, study);
    }

private:
    Plot& m_plot;
    bool m_isLight;
    bool m_namesStudy;
    QPalette m_palette;
    QFont m_font;
};

QImage renderImage(Plot& plot, const PictureOptions& options)
{
    const QSize size = pictureSize(plot, options);
    const double scale = options.scale.value_or(2.0);
    QImage image((QSizeF(size) * scale).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    image.fill(Qt::white);
    QPainter painter(&image);
    Dressed(plot, options).paint(painter, size);
    return image;
}

void paintPdf(Plot& plot, const PictureOptions& options, QIODevice& device)
{
    const QSize size = pictureSize(plot, options);
    const double scale = options.scale.value_or(1.0);
    QPdfWriter writer(&device);
    writer.setResolution(kDotsPerInch);
    const double pointsPerPixel = 72.0 / kDotsPerInch * scale;
    writer.setPageSize(QPageSize(QSizeF(size) * pointsPerPixel, QPageSize::Point));
    writer.setPageMargins({});
    writer.setTitle(plot.accessibleName());
    QPainter painter(&writer);
    painter.scale(scale, scale);
    Dressed(plot, options).paint(painter, size);
}

bool writeTo(QIODevice& device, Plot& plot, const QString& path, const PictureOptions& options)
{
    if (path.endsWith(QStringLiteral(".svg"), Qt::CaseInsensitive))
        return device.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + renderSvg(plot, options)) >= 0;
    if (path.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive)) {
        paintPdf(plot, options, device);
        return true;
    }
    return renderImage(plot, options).save(&device, "PNG");
}

} // namespace

QByteArray tidySvg(const QByteArray& generated, int decimals)
{
    static const QRegularExpression kElement(
        QStringLiteral(R"x(<(\w+)\b([^<>]*?)\s*(?:/>|>([^<]*)</\1>|>))x"));
    const QByteArray svg = asXml(generated);
    const qsizetype begin = svg.indexOf("<svg"), outermost = svg.indexOf("<g ", begin);
    const QString inside = QString::fromUtf8(svg.sliced(svg.indexOf('>', outermost) + 1));
    Attributes root(kRoot.begin(), kRoot.end()), group;
    root["stroke-width"] = usualStrokeWidth(inside);
    QByteArray shapes;
    for (auto each = kElement.globalMatch(inside); each.hasNext();) {
        const QRegularExpressionMatch element = each.next();
        if (element.captured(1) == QStringLiteral("g"))
            group = attributesIn(element.captured(2));
        else
            shapes += shapeWritten(element, group, root, decimals);
    }
    return cleanSvgHead(svg.sliced(begin, outermost - begin)) + "<g" + written(root) + ">\n" + shapes +
           "</g>\n</svg>\n";
}

QByteArray renderSvg(Plot& plot, const PictureOptions& options)
{
    const QSize size = pictureSize(plot, options);
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(kDotsPerInch);
    generator.setSize((QSizeF(size) * options.scale.value_or(1.0)).toSize());
    generator.setViewBox(QRect(QPoint(0, 0), size));
    generator.setTitle(plot.accessibleName().toHtmlEscaped()); // QSvgGenerator takes it for markup
    QPainter painter(&generator);
    Dressed(plot, options).paint(painter, size);
    painter.end();
    return tidySvg(buffer.data(), options.decimals);
}

void copyPicture(Plot& plot)
{
    auto* data = new QMimeData; // the clipboard owns it
    data->setImageData(renderImage(plot, {}));
    data->setData(QStringLiteral("image/svg+xml"), renderSvg(plot));
    QGuiApplication::clipboard()->setMimeData(data);
}

QString savePicture(Plot& plot, const QString& path, const PictureOptions& options)
{
    QBuffer picture;
    picture.open(QIODevice::WriteOnly);
    if (!writeTo(picture, plot, path, options))
        return QStringLiteral("%1 was not written: the picture could not be drawn.").arg(path);
    try {
        study::writeOutput(path.toStdU16String(), {picture.data().constData(), size_t(picture.size())});
    } catch (const std::exception& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

} // namespace quadric::widgets
