// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/profiler.h"

#include "widgets/plots/profiler_painter.h"

#include <QInputDialog>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kKeyStep = 0.05; ///< of the factor's range; a fifth of it with Shift

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

std::optional<double> askNumber(QWidget* parent, const ProfilerCell& cell)
{
    const auto [low, high] = std::ranges::minmax(cell.curve.actual);
    bool isAccepted = false;
    const double value = QInputDialog::getDouble(parent, Profiler::tr("Set value"),
                                                 withUnit(cell.curve.factor, cell.curve.unit), cell.current,
                                                 low, high, 4, &isAccepted);
    return isAccepted ? std::optional(value) : std::nullopt;
}

std::optional<double> askLevel(QWidget* parent, const ProfilerCell& cell)
{
    QStringList levels;
    for (const std::string& level : cell.curve.categories)
        levels << QString::fromStdString(level);
    bool isAccepted = false;
    const QString level =
        QInputDialog::getItem(parent, Profiler::tr("Set value"), withUnit(cell.curve.factor, cell.curve.unit),
                              levels, static_cast<int>(std::lround(cell.current)), false, &isAccepted);
    return isAccepted ? std::optional(static_cast<double>(levels.indexOf(level))) : std::nullopt;
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
    const std::optional<double> value =
        cell.curve.categories.empty() ? askNumber(this, cell) : askLevel(this, cell);
    if (value)
        emit valueRequested(column, *value);
}

void Profiler::keyPressEvent(QKeyEvent* event)
{
    if (m_parts->isEmpty())
        return Plot::keyPressEvent(event);
    const int columns = std::max(1, static_cast<int>(m_parts->columns()));
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
