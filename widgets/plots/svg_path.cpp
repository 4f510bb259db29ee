// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/svg_path.h"

#include <QList>
#include <QPointF>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace quadric::widgets {

namespace {

/// From one move to the next: points of a line, or of curves, three each after the first point.
struct Part {
    std::vector<QPointF> points;
    bool isCurved = false;
    bool isClosed = false;
};

double distanceFromChord(QPointF point, QPointF from, QPointF to)
{
    const QPointF chord = to - from, offset = point - from;
    const double squared = QPointF::dotProduct(chord, chord);
    const double along =
        squared > 0.0 ? std::clamp(QPointF::dotProduct(offset, chord) / squared, 0.0, 1.0) : 0.0;
    const QPointF away = offset - along * chord;
    return std::hypot(away.x(), away.y());
}

/// Marks the points between two kept ones that the line needs (Douglas and Peucker).
void keepBends(const std::vector<QPointF>& points, std::size_t first, std::size_t last, double tolerance,
               std::vector<bool>& isKept)
{
    double farthest = tolerance;
    std::size_t bend = first;
    for (std::size_t i = first + 1; i < last; ++i)
        if (const double away = distanceFromChord(points[i], points[first], points[last]); away > farthest) {
            farthest = away;
            bend = i;
        }
    if (bend == first)
        return;
    isKept[bend] = true;
    keepBends(points, first, bend, tolerance, isKept);
    keepBends(points, bend, last, tolerance, isKept);
}

std::vector<QPointF> withoutStraightPoints(const std::vector<QPointF>& points, double tolerance)
{
    if (points.size() < 3)
        return points;
    std::vector<bool> isKept(points.size(), false);
    isKept.front() = isKept.back() = true;
    keepBends(points, 0, points.size() - 1, tolerance, isKept);
    std::vector<QPointF> kept;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (isKept[i])
            kept.push_back(points[i]);
    return kept;
}

/// The commands of a path as parts; empty where there are others than M, L and C.
std::optional<std::vector<Part>> partsOf(const QByteArray& d)
{
    std::vector<Part> parts;
    QByteArray spaced = d;
    for (const char command : {'M', 'L', 'C'})
        spaced.replace(command, QByteArray(" ") + command + ' ');
    for (const QByteArray& word : spaced.simplified().split(' ')) {
        if (word == "M")
            parts.emplace_back();
        else if (word == "C" && !parts.empty())
            parts.back().isCurved = true;
        else if (word != "L" && std::isalpha(static_cast<unsigned char>(word.front())))
            return {};
        const qsizetype comma = word.indexOf(',');
        if (comma > 0 && !parts.empty())
            parts.back().points.emplace_back(word.first(comma).toDouble(), word.sliced(comma + 1).toDouble());
    }
    return parts;
}

/// Lines and curves in one part, as the corners of a rounded rectangle: only its numbers become shorter.
QByteArray withShortNumbers(const QByteArray& d, int decimals)
{
    QByteArray out, number;
    for (const char byte : d + ' ') {
        const bool isPart = byte == '.' || byte == '-' || (byte >= '0' && byte <= '9');
        if (isPart)
            number += byte;
        else
            out += (number.isEmpty() ? number : shortNumber(number.toDouble(), decimals)) + byte;
        if (!isPart)
            number.clear();
    }
    return out.trimmed();
}

/// Writes points as differences from the last one, on a grid of the last decimal.
class PathWriter {
public:
    explicit PathWriter(int decimals)
        : m_decimals(decimals)
        , m_unit(std::pow(10.0, decimals))
    {
    }

    void add(const Part& part)
    {
        if (part.points.empty())
            return;
        move(part.points.front());
        m_out += part.isCurved ? 'c' : 'l';
        m_isFirst = true;
        QPointF base = m_at;
        for (std::size_t i = 1; i < part.points.size(); ++i) {
            const QPointF to = onGrid(part.points[i]);
            if (!part.isCurved && to == base && part.points.size() > 2)
                continue;
            addNumber(to.x() - base.x());
            addNumber(to.y() - base.y());
            if (!part.isCurved || i % 3 == 0)
                base = to;
        }
        if (m_isFirst)
            m_out += "0,0";
        if (part.isClosed)
            m_out += 'z';
    }

    QByteArray take() { return std::move(m_out); }

private:
    QPointF onGrid(QPointF point) const
    {
        return {std::round(point.x() * m_unit), std::round(point.y() * m_unit)};
    }

    void move(QPointF to)
    {
        m_at = onGrid(to);
        m_out += 'M';
        m_isFirst = true;
        addNumber(m_at.x());
        addNumber(m_at.y());
    }

    void addNumber(double onGrid)
    {
        const QByteArray number = shortNumber(onGrid / m_unit, m_decimals);
        if (!m_isFirst && !number.startsWith('-'))
            m_out += ',';
        m_out += number;
        m_isFirst = false;
    }

    int m_decimals;
    double m_unit;
    QPointF m_at; ///< of the last move
    bool m_isFirst = true;
    QByteArray m_out;
};

QByteArray written(std::vector<Part> parts, int decimals)
{
    PathWriter writer(decimals);
    const double tolerance = std::pow(10.0, -decimals);
    for (Part& part : parts) {
        if (!part.isCurved) {
            part.points = withoutStraightPoints(part.points, tolerance);
            part.isClosed =
                part.isClosed || (part.points.size() > 3 && part.points.front() == part.points.back());
            if (part.isClosed && part.points.front() == part.points.back())
                part.points.pop_back();
        }
        writer.add(part);
    }
    return writer.take();
}

} // namespace

QByteArray shortNumber(double value, int decimals)
{
    QByteArray text = QByteArray::number(value, 'f', decimals);
    if (text.contains('.')) {
        while (text.endsWith('0'))
            text.chop(1);
        if (text.endsWith('.'))
            text.chop(1);
    }
    if (text == "-0")
        return "0";
    if (text.startsWith("0."))
        return text.sliced(1);
    return text.startsWith("-0.") ? '-' + text.sliced(2) : text;
}

QByteArray shortPath(const QByteArray& d, int decimals)
{
    const bool isMixed = d.contains('C') && d.contains('L');
    const std::optional<std::vector<Part>> parts = isMixed ? std::nullopt : partsOf(d);
    return parts ? written(*parts, decimals) : withShortNumbers(d, decimals);
}

QByteArray shortPath(const QByteArray& points, bool isClosed, int decimals)
{
    QByteArray d = points.simplified();
    d.replace(' ', " L");
    std::vector<Part> parts = partsOf('M' + d).value_or(std::vector<Part>{});
    for (Part& part : parts)
        part.isClosed = isClosed;
    return written(std::move(parts), decimals);
}

} // namespace quadric::widgets
