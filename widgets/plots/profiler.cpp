// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/profiler.h"

#include "widgets/plots/profiler_layout.h"

#include <QInputDialog>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kKeyStep = 0.05; ///< of the factor's range; a fifth of it with Shift

/// Paints one profiler; `focused` is the column that the arrow keys move (−1: none shown).
class ProfilerPainter {
public:
    ProfilerPainter(QPainter& painter, const ProfilerData& data, const ProfilerLayout& layout,
                    const PlotStyle& style, int focused)
        : m_painter(painter)
        , m_data(data)
        , m_layout(layout)
        , m_style(style)
        , m_focused(focused)
    {
    }

    void paint();

private:
    QPointF at(std::size_t row, std::size_t column, double actual, double value) const;
    void paintCell(std::size_t row, std::size_t column);
    void paintGrid(std::size_t row, std::size_t column);
    void paintCurve(std::size_t row, std::size_t column);
    void paintLevels(std::size_t row, std::size_t column);
    void paintCurrent(std::size_t row, std::size_t column);
    void paintRowAxis(std::size_t row);
    void paintRowText(std::size_t row);
    void paintColumnText(std::size_t column);
    void paintColumnTicks(std::size_t column, const QRectF& cell);

    QPainter& m_painter;
    const ProfilerData& m_data;
    const ProfilerLayout& m_layout;
    const PlotStyle& m_style;
    int m_focused;
};

QPointF ProfilerPainter::at(std::size_t row, std::size_t column, double actual, double value) const
{
    const QRectF cell = m_layout.cell(row, column);
    const double y = cell.bottom() - m_layout.rowScale(row).fractionOf(value) * cell.height();
    return {cell.left() + m_layout.columnScale(column).fractionOf(actual) * cell.width(),
            std::clamp(y, cell.top() - 1e4, cell.bottom() + 1e4)};
}

void ProfilerPainter::paintGrid(std::size_t row, std::size_t column)
{
    const QRectF cell = m_layout.cell(row, column);
    m_painter.setPen(QPen(m_style.colors.grid, 1.0));
    for (const Tick& tick :
         verticalTicks(m_layout.rowScale(row), cell.height(), QFontMetricsF(m_style.small))) {
        const double y = cell.bottom() - m_layout.rowScale(row).fractionOf(tick.value) * cell.height();
        m_painter.drawLine(QPointF(cell.left(), y), QPointF(cell.right(), y));
    }
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(QPen(blend(m_style.colors.axis, m_style.colors.background, 0.55), 1.0));
    m_painter.drawRect(cell);
}

void ProfilerPainter::paintCurve(std::size_t row, std::size_t column)
{
    const model::EffectCurve& curve = m_data.cells[row][column].curve;
    QPolygonF line, band;
    const bool hasBand = curve.low.size() == curve.mean.size() && curve.high.size() == curve.mean.size();
    for (std::size_t i = 0; i < curve.mean.size(); ++i) {
        line << at(row, column, curve.actual[i], curve.mean[i]);
        if (hasBand)
            band << at(row, column, curve.actual[i], curve.high[i]);
    }
    for (std::size_t i = hasBand ? curve.mean.size() : 0; i-- > 0;)
        band << at(row, column, curve.actual[i], curve.low[i]);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(m_style.colors.band);
    m_painter.drawPolygon(band);
    for (qsizetype i = 0; i + 1 < line.size(); ++i) {
        const auto index = static_cast<std::size_t>(i);
        const bool isGuess = index + 1 < curve.isExtrapolation.size() &&
                             (curve.isExtrapolation[index] || curve.isExtrapolation[index + 1]);
        m_painter.setPen(
            QPen(isGuess ? m_style.colors.mutedText : m_style.colors.accent, isGuess ? 1.2 : 1.8));
        if (!isGuess || i % 2 == 0)
            m_painter.drawLine(line[i], line[i + 1]);
    }
}

void ProfilerPainter::paintLevels(std::size_t row, std::size_t column)
{
    constexpr double kHalfLevel = 0.3;
    const model::EffectCurve& curve = m_data.cells[row][column].curve;
    for (std::size_t i = 0; i < curve.mean.size(); ++i) {
        const double level = curve.actual[i];
        if (i < curve.low.size() && i < curve.high.size())
            m_painter.fillRect(QRectF(at(row, column, level - kHalfLevel, curve.high[i]),
                                      at(row, column, level + kHalfLevel, curve.low[i])),
                               m_style.colors.band);
        m_painter.setPen(QPen(m_style.colors.accent, 1.8, Qt::SolidLine, Qt::FlatCap));
        m_painter.drawLine(at(row, column, level - kHalfLevel, curve.mean[i]),
                           at(row, column, level + kHalfLevel, curve.mean[i]));
    }
}

void ProfilerPainter::paintCurrent(std::size_t row, std::size_t column)
{
    const ProfilerCell& cell = m_data.cells[row][column];
    const QRectF area = m_layout.cell(row, column);
    const double x = m_layout.xOf(column, cell.current);
    const double y = at(row, column, cell.current, readCurve(cell.curve, cell.current).mean).y();
    m_painter.setPen(QPen(blend(m_style.colors.error, m_style.colors.background, 0.55), 1.0, Qt::DotLine));
    if (area.top() <= y && y <= area.bottom())
        m_painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    const bool isFocused = m_focused == static_cast<int>(column);
    m_painter.setPen(QPen(m_style.colors.error, isFocused ? 2.2 : 1.4));
    m_painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
}

void ProfilerPainter::paintCell(std::size_t row, std::size_t column)
{
    const ProfilerCell& cell = m_data.cells[row][column];
    if (cell.curve.mean.empty() || cell.curve.mean.size() != cell.curve.actual.size())
        return;
    paintGrid(row, column);
    m_painter.save();
    m_painter.setClipRect(m_layout.cell(row, column), Qt::IntersectClip);
    if (cell.curve.categories.empty())
        paintCurve(row, column);
    else
        paintLevels(row, column);
    m_painter.restore();
    paintCurrent(row, column);
}

void ProfilerPainter::paintRowAxis(std::size_t row)
{
    const QRectF cell = m_layout.cell(row, 0);
    for (const Tick& tick :
         verticalTicks(m_layout.rowScale(row), cell.height(), QFontMetricsF(m_style.small))) {
        const double y = cell.bottom() - m_layout.rowScale(row).fractionOf(tick.value) * cell.height();
        drawLine(m_painter, {cell.left() - 206.0, y - 8.0, 200.0, 16.0}, Qt::AlignRight | Qt::AlignVCenter,
                 m_style.small, m_style.colors.mutedText, tick.label);
    }
}

void ProfilerPainter::paintRowText(std::size_t row)
{
    const ProfilerCell& cell = m_data.cells[row].front();
    if (cell.curve.mean.empty())
        return;
    const QRectF area = m_layout.rowText(row);
    const double height = m_style.lineHeight();
    const bool hasUnit = !cell.curve.responseUnit.empty() && area.height() >= 3.0 * height;
    double top = area.center().y() - (hasUnit ? 1.5 : 1.0) * height;
    const auto line = [&](const QFont& font, const QColor& color, const QString& text) {
        drawLine(m_painter, {area.left(), top, area.width(), height}, Qt::AlignLeft | Qt::AlignVCenter, font,
                 color, text);
        top += height;
    };
    line(m_style.font, m_style.colors.text, QString::fromStdString(cell.curve.response));
    line(m_style.title, m_style.colors.error, readingText(cell));
    if (hasUnit)
        line(m_style.small, m_style.colors.mutedText, QString::fromStdString(cell.curve.responseUnit));
}

void ProfilerPainter::paintColumnTicks(std::size_t column, const QRectF& cell)
{
    const QFontMetricsF metrics(m_style.small);
    const model::EffectCurve& curve = m_data.cells.front()[column].curve;
    const AxisScale& scale = m_layout.columnScale(column);
    std::vector<Tick> ticks;
    if (curve.categories.empty())
        ticks = horizontalTicks(scale, cell.width(), metrics);
    const double room = cell.width() / std::max(1.0, static_cast<double>(curve.categories.size())) - 1.0;
    for (std::size_t i = 0; i < curve.categories.size(); ++i)
        ticks.push_back(
            {static_cast<double>(i),
             metrics.elidedText(QString::fromStdString(curve.categories[i]), Qt::ElideRight, room)});
    for (const Tick& tick : ticks) {
        const double x = cell.left() + scale.fractionOf(tick.value) * cell.width();
        m_painter.setPen(QPen(m_style.colors.axis, 1.0));
        m_painter.drawLine(QPointF(x, cell.bottom()), QPointF(x, cell.bottom() + 3.0));
        const double width = metrics.horizontalAdvance(tick.label);
        const double left =
            std::clamp(x - width / 2.0, cell.left() - 1.0, std::max(cell.left(), cell.right() + 1.0 - width));
        drawLine(m_painter, {left, cell.bottom() + 4.0, width + 1.0, metrics.height()}, Qt::AlignLeft,
                 m_style.small, m_style.colors.mutedText, tick.label);
    }
}

void ProfilerPainter::paintColumnText(std::size_t column)
{
    const QRectF cell = m_layout.cell(m_layout.rows() - 1, column);
    paintColumnTicks(column, cell);
    const model::EffectCurve& curve = m_data.cells.front()[column].curve;
    QRectF line(cell.left() - 3.0, cell.bottom() + m_style.smallHeight() + 5.0, cell.width() + 6.0,
                m_style.lineHeight());
    const bool isFocused = m_focused == static_cast<int>(column);
    drawLine(m_painter, line, Qt::AlignCenter, isFocused ? m_style.title : m_style.font,
             isFocused ? m_style.colors.accent : m_style.colors.text, withUnit(curve.factor, curve.unit));
    line.translate(0.0, m_style.lineHeight());
    if (column < m_data.currentTexts.size())
        drawLine(m_painter, line, Qt::AlignCenter, m_style.title, m_style.colors.error,
                 QString::fromStdString(m_data.currentTexts[column]));
}

void ProfilerPainter::paint()
{
    m_painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t row = 0; row < m_layout.rows(); ++row) {
        for (std::size_t column = 0; column < std::min(m_layout.columns(), m_data.cells[row].size());
             ++column)
            paintCell(row, column);
        paintRowAxis(row);
        paintRowText(row);
    }
    for (std::size_t column = 0; column < m_layout.columns(); ++column)
        paintColumnText(column);
}

bool isUsable(const ProfilerData& data)
{
    const auto isGood = [&](const std::vector<ProfilerCell>& row) {
        return row.size() == data.cells.front().size() &&
               std::ranges::all_of(row, [](const ProfilerCell& cell) {
                   return !cell.curve.actual.empty() && cell.curve.actual.size() == cell.curve.mean.size();
               });
    };
    return !data.cells.empty() && !data.cells.front().empty() && std::ranges::all_of(data.cells, isGood);
}

/// The value one key press away.
double stepped(const ProfilerCell& cell, double fractions)
{
    const double last = static_cast<double>(cell.curve.categories.size()) - 1.0;
    if (!cell.curve.categories.empty())
        return std::clamp(std::round(cell.current) + (fractions > 0.0 ? 1.0 : -1.0), 0.0, last);
    const AxisScale scale = profilerScale(cell.curve);
    return scale.actualAt(std::clamp(scale.fractionOf(cell.current) + fractions, 0.0, 1.0));
}

} // namespace

struct Profiler::Parts {
    ProfilerData shown;
    QString reason = QStringLiteral("No model yet.");
    int focused = 0;
    int dragged = -1;

    bool isEmpty() const { return shown.cells.empty(); }
    std::size_t columns() const { return isEmpty() ? 0 : shown.cells.front().size(); }
    ProfilerLayout layoutOn(const Profiler& profiler) const
    {
        const PlotStyle style = plotStyle(profiler, false);
        return {shown, areaBelowHeader(profiler.rect(), style, profiler.isSimulated()), style};
    }
};

Profiler::Profiler(QWidget* parent)
    : Plot(parent)
    , m_parts(std::make_unique<Parts>())
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Prediction profiler"));
}

Profiler::~Profiler() = default;

void Profiler::setData(const ProfilerData& cells)
{
    if (!isUsable(cells)) {
        clear(tr("No model yet."));
        return;
    }
    m_parts->shown = cells;
    m_parts->focused = std::min(m_parts->focused, static_cast<int>(m_parts->columns()) - 1);
    update();
}

void Profiler::clear(const QString& reason)
{
    m_parts->shown = {};
    m_parts->reason = reason;
    m_parts->dragged = -1;
    m_parts->focused = 0;
    update();
}

void Profiler::paintTo(QPainter& painter, const QRectF& target, bool forPrint)
{
    const PlotStyle style = plotStyle(*this, forPrint);
    painter.save();
    const QRectF area = drawHeader(painter, target, style, {}, isSimulated());
    if (m_parts->isEmpty()) {
        drawReason(painter, area, style, m_parts->reason);
    } else {
        const ProfilerLayout layout(m_parts->shown, area, style);
        ProfilerPainter(painter, m_parts->shown, layout, style,
                        hasFocus() && !forPrint ? m_parts->focused : -1)
            .paint();
    }
    painter.restore();
}

void Profiler::paintEvent(QPaintEvent* event)
{
    Plot::paintEvent(event);
}

void Profiler::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || m_parts->isEmpty())
        return Plot::mousePressEvent(event);
    m_parts->dragged = m_parts->layoutOn(*this).columnAt(event->position());
    if (m_parts->dragged < 0)
        return;
    m_parts->focused = m_parts->dragged;
    update();
    mouseMoveEvent(event);
}

void Profiler::mouseMoveEvent(QMouseEvent* event)
{
    if (!(event->buttons() & Qt::LeftButton) || m_parts->dragged < 0 || m_parts->isEmpty())
        return;
    const auto column = static_cast<std::size_t>(m_parts->dragged);
    const double value = m_parts->layoutOn(*this).valueAt(m_parts->shown, column, event->position().x());
    if (value != m_parts->shown.cells.front()[column].current)
        emit valueRequested(m_parts->dragged, value);
}

void Profiler::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (m_parts->isEmpty())
        return;
    const int column = m_parts->layoutOn(*this).columnAt(event->position());
    m_parts->dragged = -1;
    if (column >= 0)
        askValue(column);
}

void Profiler::askValue(int column)
{
    const ProfilerCell cell = m_parts->shown.cells.front()[static_cast<std::size_t>(column)];
    const QString name = withUnit(cell.curve.factor, cell.curve.unit);
    bool isAccepted = false;
    double value = cell.current;
    if (cell.curve.categories.empty()) {
        const auto [low, high] = std::ranges::minmax(cell.curve.actual);
        value = QInputDialog::getDouble(this, tr("Set value"), name, cell.current, low, high, 4, &isAccepted);
    } else {
        QStringList levels;
        for (const std::string& level : cell.curve.categories)
            levels << QString::fromStdString(level);
        const int current = static_cast<int>(std::lround(cell.current));
        const QString level =
            QInputDialog::getItem(this, tr("Set value"), name, levels, current, false, &isAccepted);
        value = static_cast<double>(levels.indexOf(level));
    }
    if (isAccepted)
        emit valueRequested(column, value);
}

void Profiler::keyPressEvent(QKeyEvent* event)
{
    if (m_parts->isEmpty())
        return Plot::keyPressEvent(event);
    const int columns = static_cast<int>(m_parts->columns());
    const ProfilerCell& cell = m_parts->shown.cells.front()[static_cast<std::size_t>(m_parts->focused)];
    const double step = kKeyStep * (event->modifiers() & Qt::ShiftModifier ? 0.2 : 1.0);
    switch (event->key()) {
    case Qt::Key_Left:
        emit valueRequested(m_parts->focused, stepped(cell, -step));
        break;
    case Qt::Key_Right:
        emit valueRequested(m_parts->focused, stepped(cell, step));
        break;
    case Qt::Key_Up:
        m_parts->focused = (m_parts->focused + columns - 1) % columns;
        break;
    case Qt::Key_Down:
        m_parts->focused = (m_parts->focused + 1) % columns;
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        askValue(m_parts->focused);
        break;
    default:
        return Plot::keyPressEvent(event);
    }
    update();
}

} // namespace quadric::widgets
