// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/panel/panel_gestures.h"

#include "widgets/base/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kDotReach = 9.0; ///< pixels around a dot that belong to it

QString formatAxisReading(const PanelAxis& axis, const AxisScale& seen, double share, double pixels)
{
    const double value = seen.actualAt(share);
    if (axis.isCategory && axis.ticks.empty())
        return {};
    if (!axis.isCategory) {
        const double step = std::abs(seen.actualAt(share + 1.0 / pixels) - value);
        return formatNumber(value, 10.0 * step); // the decimals of a pixel
    }
    const auto nearest = std::ranges::min_element(
        axis.ticks, {}, [value](const Tick& tick) { return std::abs(tick.value - value); });
    return nearest->label;
}

/// Words on a plate of the text's color, as near to `middle` as the room allows.
void paintPlate(QPainter& painter, QPointF middle, const QRectF& room, const QString& text,
                const PlotStyle& style)
{
    const double width = std::min(QFontMetricsF(style.small).horizontalAdvance(text) + 8.0, room.width());
    const double left = std::clamp(middle.x() - width / 2.0, room.left(), room.right() - width);
    const QRectF plate(left, middle.y() - style.smallHeight() / 2.0 - 1.0, width, style.smallHeight() + 2.0);
    painter.fillRect(plate, style.colors.text);
    drawLine(painter, plate, Qt::AlignCenter, style.small, style.colors.background, text);
}

constexpr double kWheelFull = 480.0;    ///< eighths of a degree of a wheel that show half as much
constexpr double kKeyZoom = 1.25;       ///< per key
constexpr double kKeyMove = 0.1;        ///< of what is seen, per key
constexpr double kLeastRectangle = 6.0; ///< pixels; a smaller one is a click

/// The share of a panel that an arrow key moves what is seen by.
std::optional<QPointF> moveByKey(int key)
{
    switch (key) {
    case Qt::Key_Left:
        return QPointF(kKeyMove, 0.0);
    case Qt::Key_Right:
        return QPointF(-kKeyMove, 0.0);
    case Qt::Key_Down:
        return QPointF(0.0, kKeyMove);
    case Qt::Key_Up:
        return QPointF(0.0, -kKeyMove);
    default:
        return {};
    }
}

} // namespace

std::vector<int> runsInOrder(const PanelBoard& board)
{
    for (const Panel& panel : board.panels) {
        std::vector<const PanelDot*> dots;
        for (const PanelDot& dot : panel.dots)
            if (dot.run >= 0)
                dots.push_back(&dot);
        if (dots.empty())
            continue;
        std::ranges::stable_sort(dots, {}, [](const PanelDot* dot) { return std::pair(dot->x, dot->y); });
        std::vector<int> runs;
        runs.reserve(dots.size());
        for (const PanelDot* dot : dots)
            runs.push_back(dot->run);
        return runs;
    }
    return {};
}

const PanelDot* dotAt(const PanelBoard& board, const PanelLayout& layout, QPointF position)
{
    const PanelDot* nearest = nullptr;
    double reach = kDotReach;
    for (std::size_t i = 0; i < layout.frames().size(); ++i)
        for (const PanelDot& dot : board.panels[i].dots) {
            const QPointF at = layout.frames()[i].at(dot.x, dot.y);
            const double distance = std::hypot(at.x() - position.x(), at.y() - position.y());
            if (!(distance <= reach) || dot.role == DotRole::Shown || !layout.frames()[i].shows(at))
                continue;
            reach = distance;
            nearest = &dot;
        }
    return nearest;
}

QString tipAt(const PanelBoard& board, const PanelLayout& layout, QPointF position)
{
    if (const PanelDot* dot = dotAt(board, layout, position))
        return dot->tip;
    const std::optional<std::size_t> index = layout.panelAt(position);
    if (!index)
        return {};
    const PanelFrame& frame = layout.frames()[*index];
    const Panel& panel = board.panels[*index];
    const QPointF share = frame.shareAt(position);
    const double x = frame.xScale.actualAt(share.x());
    const double y = frame.yScale.actualAt(share.y());
    for (const PanelBar& bar : panel.bars) // of a row, all of it
        if (y >= bar.low && y <= bar.high && (panel.y.isCategory || (x >= bar.left && x <= bar.right)))
            return bar.tip;
    for (const PanelCell& cell : panel.cells)
        if (std::abs(x - cell.x) <= 0.5 && std::abs(y - cell.y) <= 0.5)
            return cell.tip;
    return panel.reading ? panel.reading(x, y) : QString();
}

AxisReading readingAt(const Panel& panel, const PanelFrame& frame, QPointF pixel)
{
    const QPointF share = frame.shareAt(pixel);
    return {formatAxisReading(panel.x, frame.xScale, share.x(), frame.inner.width()),
            formatAxisReading(panel.y, frame.yScale, share.y(), frame.inner.height())};
}

void paintCrosshair(QPainter& painter, const Panel& panel, const PanelFrame& frame, QPointF pixel,
                    const PlotStyle& style)
{
    const QRectF& inner = frame.inner;
    const AxisReading reading = readingAt(panel, frame, pixel);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(style.colors.mutedText, 1.0, Qt::DotLine));
    painter.drawLine(QPointF(pixel.x(), inner.top()), QPointF(pixel.x(), inner.bottom()));
    painter.drawLine(QPointF(inner.left(), pixel.y()), QPointF(inner.right(), pixel.y()));
    const double reach = frame.hasYLabels ? frame.left : 0.0;
    const QRectF below(inner.left() - reach, inner.top(), inner.width() + reach, inner.height());
    if (!reading.x.isEmpty())
        paintPlate(painter, {pixel.x(), inner.bottom() + 5.0 + style.smallHeight() / 2.0}, below, reading.x,
                   style);
    const QRectF beside = reach > 0.0 ? below.adjusted(0.0, 0.0, -inner.width() - 3.0, 0.0) : inner;
    if (!panel.y.isCategory) // the row bears its name already
        paintPlate(painter, {beside.right(), pixel.y()}, beside, reading.y, style);
}

void paintRectangle(QPainter& painter, const QRectF& area, const PlotStyle& style)
{
    QColor fill = style.colors.accent;
    fill.setAlphaF(0.12F);
    painter.setPen(QPen(style.colors.accent, 1.0));
    painter.setBrush(fill);
    painter.drawRect(area);
}

bool PanelBrush::press(const PanelLayout& layout, const QMouseEvent& event)
{
    if (event.button() != Qt::LeftButton || !(event.modifiers() & Qt::ShiftModifier))
        return false;
    m_panel = layout.panelAt(event.position());
    m_from = m_to = event.position();
    return m_panel.has_value();
}

bool PanelBrush::move(const QMouseEvent& event)
{
    if (m_panel)
        m_to = event.position();
    return m_panel.has_value();
}

std::optional<QRectF> PanelBrush::rectangle() const
{
    return m_panel ? std::optional(QRectF(m_from, m_to).normalized()) : std::nullopt;
}

/// Dots that are seen, and whose middle lies in the rectangle.
std::vector<int> PanelBrush::runsInside(const PanelBoard& board, const PanelLayout& layout) const
{
    std::vector<int> runs;
    const std::optional<QRectF> area = rectangle();
    if (!area || *m_panel >= layout.frames().size())
        return runs;
    const PanelFrame& frame = layout.frames()[*m_panel];
    for (const PanelDot& dot : board.panels[*m_panel].dots) {
        const QPointF at = frame.at(dot.x, dot.y);
        if (dot.run >= 0 && frame.shows(at) && area->contains(at))
            runs.push_back(dot.run);
    }
    return runs;
}

std::optional<PickedRuns> PanelBrush::release(const PanelBoard& board, const PanelLayout& layout,
                                              const QMouseEvent& event, const PickedRuns& before)
{
    if (!move(event))
        return {};
    const std::vector<int> runs = runsInside(board, layout);
    m_panel.reset();
    return event.modifiers() & Qt::ControlModifier ? before.with(runs) : PickedRuns(runs);
}

bool PanelZoom::reset()
{
    const bool wasActive = isActive();
    m_views.clear();
    m_drag = Drag::None;
    return wasActive;
}

/// Panels that share their response axis show the same part of it.
void PanelZoom::set(const PanelLayout& layout, std::size_t panel, const PanelView& view)
{
    m_views.resize(layout.frames().size());
    for (std::size_t i = 0; i < m_views.size(); ++i)
        if (!m_views[i])
            m_views[i] = layout.frames()[i].view;
    m_views[panel] = view;
    for (std::optional<PanelView>& each : m_views)
        if (layout.sharesY()) {
            each->low = view.low;
            each->high = view.high;
        }
    if (std::ranges::all_of(m_views, [](const auto& each) { return each == PanelView{}; }))
        m_views.clear();
}

bool PanelZoom::zoomAll(const PanelLayout& layout, double factor)
{
    const PanelViews before = m_views;
    for (std::size_t i = 0; i < layout.frames().size(); ++i)
        set(layout, i, zoomed(layout.frames()[i].view, factor, {0.5, 0.5}));
    return m_views != before;
}

bool PanelZoom::moveAll(const PanelLayout& layout, QPointF by)
{
    const PanelViews before = m_views;
    for (std::size_t i = 0; i < layout.frames().size(); ++i)
        set(layout, i, moved(layout.frames()[i].view, by));
    return m_views != before;
}

bool PanelZoom::wheel(const PanelLayout& layout, const QWheelEvent& event)
{
    const std::optional<std::size_t> panel = layout.panelAt(event.position());
    if (!panel || event.angleDelta().y() == 0)
        return false;
    const PanelFrame& frame = layout.frames()[*panel];
    const double factor = std::exp2(event.angleDelta().y() / kWheelFull);
    const PanelViews before = m_views;
    set(layout, *panel, zoomed(frame.view, factor, frame.shareAt(event.position())));
    return m_views != before;
}

bool PanelZoom::press(const PanelLayout& layout, const QMouseEvent& event)
{
    const std::optional<std::size_t> panel = layout.panelAt(event.position());
    const bool isLeft = event.button() == Qt::LeftButton;
    if (!panel || (!isLeft && event.button() != Qt::MiddleButton))
        return false;
    m_drag = isLeft && !(event.modifiers() & Qt::ControlModifier) ? Drag::Rectangle : Drag::Move;
    m_panel = *panel;
    m_from = m_to = event.position();
    m_start = layout.frames()[m_panel].view;
    return true;
}

bool PanelZoom::move(const PanelLayout& layout, const QMouseEvent& event)
{
    if (m_drag == Drag::None || m_panel >= layout.frames().size())
        return false;
    const PanelFrame& frame = layout.frames()[m_panel];
    m_to = event.position();
    if (m_drag == Drag::Move)
        set(layout, m_panel, moved(m_start, frame.shareAt(m_to) - frame.shareAt(m_from)));
    return true;
}

bool PanelZoom::release(const PanelLayout& layout, const QMouseEvent& event)
{
    if (!move(layout, event))
        return false;
    if (const std::optional<QRectF> area = rectangle();
        area && area->width() >= kLeastRectangle && area->height() >= kLeastRectangle) {
        const PanelFrame& frame = layout.frames()[m_panel];
        set(layout, m_panel, zoomedInto(frame.view, frame.shareAt(m_from), frame.shareAt(m_to)));
    }
    m_drag = Drag::None;
    return true;
}

bool PanelZoom::key(const PanelLayout& layout, const QKeyEvent& event)
{
    if (event.key() == Qt::Key_Plus || event.key() == Qt::Key_Equal)
        return zoomAll(layout, kKeyZoom);
    if (event.key() == Qt::Key_Minus)
        return zoomAll(layout, 1.0 / kKeyZoom);
    if (event.key() == Qt::Key_Home)
        return reset();
    const std::optional<QPointF> by = moveByKey(event.key());
    return by && (event.modifiers() & Qt::ControlModifier) && moveAll(layout, *by);
}

bool PanelZoom::isClick() const
{
    return m_drag == Drag::Rectangle && (m_to - m_from).manhattanLength() < kLeastRectangle;
}

std::optional<QRectF> PanelZoom::rectangle() const
{
    if (m_drag != Drag::Rectangle)
        return {};
    return QRectF(m_from, m_to).normalized();
}

} // namespace quadric::widgets
