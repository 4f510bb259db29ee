// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/svg_shapes.h"

#include "widgets/plots/svg_path.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>

namespace quadric::widgets {

namespace {

using Look = std::map<QByteArray, QByteArray>;

/// What the outermost group says for all; the family is that of the first text.
const Look& rootLook()
{
    static const Look look{
        {"fill", "none"},           {"stroke", "none"},           {"stroke-width", "1"},
        {"fill-rule", "evenodd"},   {"stroke-linecap", "square"}, {"stroke-linejoin", "bevel"},
        {"stroke-dashoffset", "0"}, {"font-size", "11"},          {"font-weight", "400"},
        {"font-style", "normal"}};
    return look;
}

/// What is so everywhere unless it is said otherwise.
constexpr std::array<std::pair<const char*, const char*>, 5> kDefaults{{{"fill-opacity", "1"},
                                                                        {"stroke-opacity", "1"},
                                                                        {"vector-effect", "none"},
                                                                        {"transform", "matrix(1,0,0,1,0,0)"},
                                                                        {"xml:space", "preserve"}}};

std::vector<std::pair<QByteArray, QByteArray>> attributesIn(const QString& tag)
{
    static const QRegularExpression kAttribute(QStringLiteral(R"x(([\w:-]+)="([^"]*)")x"));
    std::vector<std::pair<QByteArray, QByteArray>> found;
    for (auto each = kAttribute.globalMatch(tag); each.hasNext();) {
        const QRegularExpressionMatch match = each.next();
        found.emplace_back(match.captured(1).toUtf8(), match.captured(2).toUtf8());
    }
    return found;
}

bool isLook(const QByteArray& name)
{
    return name.startsWith("fill") || name.startsWith("stroke") || name.startsWith("font") ||
           name.endsWith("opacity") || name == "transform" || name == "vector-effect" || name == "xml:space";
}

bool isNumber(const QByteArray& value)
{
    bool isNumeric = false;
    value.toDouble(&isNumeric);
    return isNumeric;
}

/// Without what a shape of this kind does not show, and what it would have anyway.
void dropSilent(SvgShape& shape)
{
    const bool isText = shape.tag == "text";
    const auto fill = shape.look.find("fill"), stroke = shape.look.find("stroke");
    const bool isStroked = stroke != shape.look.end() && stroke->second != "none";
    const bool isFilled = fill != shape.look.end() && fill->second != "none";
    std::erase_if(shape.look, [&](const auto& each) {
        const QByteArray &name = each.first, &value = each.second;
        const bool isSilent = (name.startsWith("font") && !isText) ||
                              (name.startsWith("stroke") && !isStroked) ||
                              (name.startsWith("fill-") && !isFilled);
        const auto root = rootLook().find(name);
        const bool isRoot = root != rootLook().end() && root->second == value;
        const bool isDefault = std::ranges::any_of(
            kDefaults, [&](const auto& usual) { return name == usual.first && value == usual.second; });
        return isSilent || isRoot || isDefault;
    });
}

SvgShape shapeOf(const QByteArray& tag, const QString& attributes, const Look& group, int decimals)
{
    SvgShape shape{tag, group, {}, {}, {}};
    if (tag == "text")
        std::erase_if(shape.look, [](const auto& each) { return each.first.startsWith("stroke"); });
    for (const auto& [name, value] : attributesIn(attributes)) {
        if (isLook(name)) {
            shape.look[name] = value;
        } else if (name == "d") {
            shape.d = shortPath(value, decimals);
        } else if (name == "points") {
            shape.d = shortPath(value, tag == "polygon", decimals);
            shape.tag = "path";
        } else {
            constexpr int kFine = 2; // of what no list makes long
            shape.geometry +=
                ' ' + name + "=\"" + (isNumber(value) ? shortNumber(value.toDouble(), kFine) : value) + '"';
        }
    }
    dropSilent(shape);
    return shape;
}

bool isPlainLine(const SvgShape& shape)
{
    return shape.tag == "path" && !shape.look.contains("fill") && !shape.look.contains("stroke-opacity");
}

/// Neighbouring lines of one look as one path.
std::vector<SvgShape> joinLines(std::vector<SvgShape> shapes)
{
    std::vector<SvgShape> joined;
    for (SvgShape& shape : shapes) {
        if (!joined.empty() && isPlainLine(shape) && isPlainLine(joined.back()) &&
            shape.look == joined.back().look)
            joined.back().d += shape.d;
        else
            joined.push_back(std::move(shape));
    }
    return joined;
}

/// Everything but the colours: what a run of neighbours has to share to get a group.
Look mouldOf(const SvgShape& shape)
{
    Look mould = shape.look;
    mould.erase("fill");
    mould.erase("stroke");
    return mould;
}

QByteArray valueOf(const Look& look, const char* name)
{
    const auto found = look.find(name);
    return found == look.end() ? QByteArray("none") : found->second;
}

QByteArray written(const Look& look)
{
    QByteArray text;
    for (const auto& [name, value] : look)
        text += ' ' + name + "=\"" + value + '"';
    return text;
}

QByteArray written(const SvgShape& shape, const Look& look)
{
    const QByteArray path = shape.d.isEmpty() ? QByteArray() : " d=\"" + shape.d + '"';
    const QByteArray start = '<' + shape.tag + shape.geometry + path + written(look);
    return shape.tag == "text" ? start + '>' + shape.text + "</text>\n" : start + "/>\n";
}

/// Neighbours of one mould: what all of them share stands on a group around them.
QByteArray writtenRun(std::vector<SvgShape>::const_iterator first, std::vector<SvgShape>::const_iterator last)
{
    Look group = mouldOf(*first);
    for (const char* name : {"fill", "stroke"}) {
        const QByteArray value = valueOf(first->look, name);
        const auto isSame = [&](const SvgShape& each) { return valueOf(each.look, name) == value; };
        if (value != "none" && std::all_of(first, last, isSame))
            group[name] = value;
    }
    const bool isGroup = last - first > 1 && !group.empty();
    QByteArray out = isGroup ? "<g" + written(group) + ">\n" : QByteArray();
    for (auto each = first; each != last; ++each) {
        Look own = each->look;
        if (isGroup)
            std::erase_if(own, [&group](const auto& said) { return group.contains(said.first); });
        out += written(*each, own);
    }
    return isGroup ? out + "</g>\n" : out;
}

/// The outermost group, and what the texts say of a family that it says for them.
Look rootFor(std::vector<SvgShape>& shapes)
{
    Look root = rootLook();
    for (SvgShape& shape : shapes) {
        const auto family = shape.look.find("font-family");
        if (family == shape.look.end())
            continue;
        root.emplace("font-family", family->second);
        if (root.at("font-family") == family->second)
            shape.look.erase(family);
    }
    return root;
}

} // namespace

std::vector<SvgShape> readShapes(const QByteArray& groups, int decimals)
{
    static const QRegularExpression kElement(
        QStringLiteral(R"x(<(\w+)\b([^<>]*?)\s*(?:/>|>([^<]*)</\1>|>))x"));
    std::vector<SvgShape> shapes;
    Look group;
    for (auto each = kElement.globalMatch(QString::fromUtf8(groups)); each.hasNext();) {
        const QRegularExpressionMatch match = each.next();
        const QByteArray tag = match.captured(1).toUtf8();
        if (tag != "g") {
            shapes.push_back(shapeOf(tag, match.captured(2), group, decimals));
            shapes.back().text = match.captured(3).toUtf8();
            continue;
        }
        group.clear();
        for (auto& [name, value] : attributesIn(match.captured(2)))
            group[name] = value;
    }
    return shapes;
}

QByteArray writeShapes(std::vector<SvgShape> shapes)
{
    shapes = joinLines(std::move(shapes));
    QByteArray out = "<g" + written(rootFor(shapes)) + ">\n";
    for (auto first = shapes.cbegin(); first != shapes.cend();) {
        const auto last = std::find_if(first, shapes.cend(), [mould = mouldOf(*first)](const SvgShape& each) {
            return mouldOf(each) != mould;
        });
        out += writtenRun(first, last);
        first = last;
    }
    return out + "</g>\n";
}

} // namespace quadric::widgets
