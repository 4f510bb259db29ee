// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/profiler/profiler.h"

#include "widgets/base/typed_value.h"
#include "widgets/plots/base/curve_reading.h"
#include "widgets/plots/base/plot_annotations.h"
#include "widgets/plots/profiler/profiler_layout.h"
#include "widgets/plots/profiler/profiler_painter.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

namespace quadric::widgets {

namespace {

/// On paper nothing can be locked; what is held still shows it.
ProfilerData withoutOpenPadlocks(ProfilerData data)
{
    if (std::ranges::none_of(data.isLocked, std::identity{}))
        data.isLocked.clear();
    return data;
}

constexpr int kFieldWidth = 88; ///< pixels, at least, of the field that a value is typed in

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

/// The legal value nearest to `value` beyond `from`, in its direction; `from` where there is none.
double legalBeyond(const std::vector<double>& legal, double from, double value)
{
    double nearest = from;
    for (const double each : legal) {
        const bool isBeyond = value > from ? each > from : each < from;
        if (isBeyond && (nearest == from || std::abs(each - value) < std::abs(nearest - value)))
            nearest = each;
    }
    return nearest;
}

/// The value one key press away.
double computeSteppedValue(const ProfilerCell& cell, double fractions)
{
    const double last = static_cast<double>(cell.curve.categories.size()) - 1.0;
    if (!cell.curve.categories.empty())
        return std::clamp(std::round(cell.current) + (fractions > 0.0 ? 1.0 : -1.0), 0.0, last);
    const AxisScale scale = profilerScale(cell.curve);
    const double value = scale.actualAt(std::clamp(scale.fractionOf(cell.current) + fractions, 0.0, 1.0));
    return cell.legal.empty() || value == cell.current ? value : legalBeyond(cell.legal, cell.current, value);
}

/// What can be typed for a column; of data that do not say, any value of its axis.
study::Factor columnFactor(const ProfilerData& data, std::size_t column)
{
    if (column < data.factors.size())
        return data.factors[column];
    const model::EffectCurve& curve = data.cells.front()[column].curve;
    const auto [low, high] = std::ranges::minmax(curve.actual);
    study::Factor factor{.name = curve.factor, .unit = curve.unit, .low = low, .high = high};
    factor.type = curve.categories.empty() ? factor.type : study::FactorType::Categorical;
    factor.categories = curve.categories;
    return factor;
}

/// The value on the axis: of a categorical factor the index of the level.
double onAxis(const study::Factor& factor, const study::Value& value)
{
    const auto* level = std::get_if<std::string>(&value);
    return level == nullptr ? std::get<double>(value)
                            : static_cast<double>(std::ranges::find(factor.categories, *level) -
                                                  factor.categories.begin());
}

/// The current value as it is typed.
QString typedText(const study::Factor& factor, double current)
{
    if (factor.isNumeric())
        return QString::fromStdString(study::toText(current));
    const auto level = static_cast<std::size_t>(std::lround(current));
    return level < factor.categories.size() ? QString::fromStdString(factor.categories[level]) : QString();
}

/// Whether a remembered frame is of use for other data: the same responses over the same ranges.
bool hasSameRows(const ProfilerData& a, const ProfilerData& b)
{
    const auto isSameRow = [](const auto& x, const auto& y) {
        return x.front().curve.response == y.front().curve.response && x.size() == y.size();
    };
    return a.rowRanges == b.rowRanges &&
           std::ranges::equal(a.cells, b.cells, [&](const auto& x, const auto& y) {
               return !x.empty() && !y.empty() && isSameRow(x, y);
           });
}

} // namespace

struct Profiler::Parts {
    ProfilerData shown;
    QString reason = QStringLiteral("No model yet.");
    int focused = 0;
    int dragged = -1;
    std::optional<double> pressedFrom; ///< value of the factor before the mouse was pressed on its curve
    ValueField* field = nullptr;       ///< the profiler's; made when a value is typed for the first time
    ProfilerFrame frame;
    std::vector<LegendItem> legend;

    /// The standing layer as it was last painted, and what it was painted for.
    QPixmap standing;
    std::vector<double> standingKey;

    bool isEmpty() const { return shown.cells.empty(); }
    std::size_t columns() const { return isEmpty() ? 0 : shown.cells.front().size(); }
    ProfilerLayout layoutOn(const Profiler& profiler) const
    {
        const PlotStyle style = plotStyle(profiler, false);
        const QRectF area = areaBelowHeader(profiler.rect(), style, false);
        return {shown, frame, belowLegend(area, style), style};
    }
    /// None where the rows are low.
    QRectF legendIn(const QRectF& area, const PlotStyle& style) const
    {
        const double twoRows = 2.0 * area.height() / std::max(1.0, static_cast<double>(shown.cells.size()));
        return {area.topLeft(),
                QSizeF(area.width(), legendHeight(listLegendTexts(legend), {area.width(), twoRows}, style))};
    }
    QRectF belowLegend(const QRectF& area, const PlotStyle& style) const
    {
        return area.adjusted(0.0, legendIn(area, style).height(), 0.0, 0.0);
    }
    std::vector<double> keyFor(const Profiler& profiler) const;
    QString tipAt(const Profiler& profiler, QPointF position) const;
    void paintStanding(Profiler& profiler, const ProfilerLayout& layout, const PlotStyle& style);
    ValueField& ensureValueField(Profiler& profiler);
};

/// Afterwards the keyboard is the profiler's again, unless it has gone elsewhere.
ValueField& Profiler::Parts::ensureValueField(Profiler& profiler)
{
    if (field != nullptr)
        return *field;
    field = new ValueField(&profiler);
    field->setAlignment(Qt::AlignCenter);
    QObject::connect(field, &ValueField::ended, &profiler, [this, &profiler] {
        if (field->hasFocus())
            profiler.setFocus();
        field->hide();
    });
    return *field;
}

std::vector<double> Profiler::Parts::keyFor(const Profiler& profiler) const
{
    std::vector<double> key{static_cast<double>(profiler.width()),
                            static_cast<double>(profiler.height()),
                            profiler.devicePixelRatioF(),
                            static_cast<double>(profiler.palette().cacheKey()),
                            profiler.hasFocus() ? static_cast<double>(focused) : -1.0,
                            frame.textWidth,
                            static_cast<double>(qHash(listLegendTexts(legend).join(QLatin1Char('\n'))))};
    for (const AxisScale& scale : frame.rowScales)
        key.insert(key.end(), {scale.low, scale.high});
    return key;
}

/// What the curve of the cell under a position says there.
QString Profiler::Parts::tipAt(const Profiler& profiler, QPointF position) const
{
    const ProfilerLayout layout = layoutOn(profiler);
    for (std::size_t row = 0; row < layout.rows(); ++row)
        for (std::size_t column = 0; column < columns(); ++column)
            if (layout.cell(row, column).contains(position))
                return describeCurve(shown.cells[row][column].curve,
                                     layout.valueAt(shown, column, position.x()));
    return {};
}

void Profiler::Parts::paintStanding(Profiler& profiler, const ProfilerLayout& layout, const PlotStyle& style)
{
    const double ratio = profiler.devicePixelRatioF();
    standing = QPixmap(profiler.size() * ratio);
    standing.setDevicePixelRatio(ratio);
    QPainter painter(&standing);
    const QRectF area = drawHeader(painter, profiler.rect(), style, {});
    paintLegend(painter, legendIn(area, style), legend, style);
    ProfilerPainter(painter, shown, layout, style, profiler.hasFocus() ? focused : -1).paintStanding();
}

Profiler::Profiler(QWidget* parent)
    : Plot(parent)
    , m_parts(std::make_unique<Parts>())
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Prediction profiler"));
}

Profiler::~Profiler() = default;

void Profiler::setData(const ProfilerData& cells)
{
    if (!isUsable(cells)) {
        clear(tr("No model yet."));
        return;
    }
    const bool isSame = hasSameRows(m_parts->shown, cells);
    m_parts->frame = profilerFrame(cells, plotStyle(*this, false), isSame ? m_parts->frame : ProfilerFrame{});
    if (!isSame)
        m_parts->standingKey.clear();
    m_parts->shown = cells;
    m_parts->legend = profilerLegend(cells);
    m_parts->focused = std::min(m_parts->focused, static_cast<int>(m_parts->columns()) - 1);
    announceHandle(*this, false);
    update();
}

void Profiler::clear(const QString& reason)
{
    m_parts->shown = {};
    m_parts->frame = {};
    m_parts->standingKey.clear();
    if (m_parts->field != nullptr)
        m_parts->field->hide();
    m_parts->reason = reason;
    m_parts->dragged = -1;
    m_parts->focused = 0;
    update();
}

TextTable Profiler::table() const
{
    return profilerTable(m_parts->shown);
}

std::vector<PlotHandle> Profiler::handles() const
{
    std::vector<PlotHandle> handles;
    if (m_parts->isEmpty())
        return handles;
    const ProfilerLayout layout = m_parts->layoutOn(*this);
    const QString reading = profilerReading(m_parts->shown);
    for (std::size_t column = 0; column < m_parts->columns(); ++column) {
        const ProfilerCell& cell = m_parts->shown.cells.front()[column];
        const auto [low, high] = std::ranges::minmax(cell.curve.actual);
        const bool isLocked = column < m_parts->shown.isLocked.size() && m_parts->shown.isLocked[column];
        const QString text = QString::fromStdString(column < m_parts->shown.currentTexts.size()
                                                        ? m_parts->shown.currentTexts[column]
                                                        : std::string());
        const QRectF place = layout.cell(0, column).united(layout.valueLine(column));
        handles.push_back({withUnit(cell.curve.factor, cell.curve.unit),
                           isLocked ? tr("%1, locked").arg(text) : text, reading, cell.current, low, high,
                           std::abs(computeSteppedValue(cell, kKeyStep) - cell.current),
                           place.toAlignedRect()});
    }
    return handles;
}

int Profiler::focusedHandle() const
{
    return m_parts->isEmpty() ? -1 : m_parts->focused;
}

void Profiler::moveHandle(int handle, double value)
{
    m_parts->focused = handle;
    emit valueRequested(handle, value);
}

void Profiler::focusInEvent(QFocusEvent* event)
{
    Plot::focusInEvent(event);
    announceHandle(*this, true);
}

void Profiler::paintTo(QPainter& painter, const QRectF& target, bool forPrint)
{
    const PlotStyle style = plotStyle(*this, forPrint);
    painter.save();
    const QRectF area = paintHeader(painter, target, style, {});
    if (m_parts->isEmpty()) {
        drawReason(painter, area, style, m_parts->reason);
    } else {
        const ProfilerData shown = forPrint ? withoutOpenPadlocks(m_parts->shown) : m_parts->shown;
        const ProfilerLayout layout(shown, m_parts->frame, m_parts->belowLegend(area, style), style);
        paintLegend(painter, m_parts->legendIn(area, style), m_parts->legend, style);
        ProfilerPainter layers(painter, shown, layout, style,
                               hasFocus() && !forPrint ? m_parts->focused : -1);
        layers.paintStanding();
        layers.paintMoving();
    }
    painter.restore();
}

void Profiler::paintEvent(QPaintEvent* event)
{
    if (m_parts->isEmpty())
        return Plot::paintEvent(event);
    const PlotStyle style = plotStyle(*this, false);
    const ProfilerLayout layout = m_parts->layoutOn(*this);
    std::vector<double> key = m_parts->keyFor(*this);
    if (key != m_parts->standingKey) {
        m_parts->paintStanding(*this, layout, style);
        m_parts->standingKey = std::move(key);
    }
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_parts->standing);
    ProfilerPainter(painter, m_parts->shown, layout, style, hasFocus() ? m_parts->focused : -1).paintMoving();
    if (hasFocus())
        drawFocusFrame(painter, rect(), style);
}

void Profiler::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || m_parts->isEmpty())
        return Plot::mousePressEvent(event);
    const ProfilerLayout layout = m_parts->layoutOn(*this);
    const int column = layout.columnAt(event->position());
    if (column < 0)
        return;
    m_parts->focused = column;
    update();
    const bool hasPadlock = static_cast<std::size_t>(column) < m_parts->shown.isLocked.size();
    if (hasPadlock && layout.padlock(static_cast<std::size_t>(column)).contains(event->position())) {
        emit lockToggled(column);
        return;
    }
    m_parts->pressedFrom.reset();
    if (!layout.isOnCurves(event->position()))
        return; // names and values are no place of the axis
    m_parts->pressedFrom = m_parts->shown.cells.front()[static_cast<std::size_t>(column)].current;
    m_parts->dragged = column;
    mouseMoveEvent(event);
}

void Profiler::mouseReleaseEvent(QMouseEvent*)
{
    m_parts->dragged = -1;
}

void Profiler::mouseMoveEvent(QMouseEvent* event)
{
    if (m_parts->isEmpty())
        return;
    if (!(event->buttons() & Qt::LeftButton) || m_parts->dragged < 0)
        return QToolTip::showText(event->globalPosition().toPoint(), m_parts->tipAt(*this, event->position()),
                                  this);
    const auto column = static_cast<std::size_t>(m_parts->dragged);
    const double value = m_parts->layoutOn(*this).valueAt(m_parts->shown, column, event->position().x());
    if (value != m_parts->shown.cells.front()[column].current)
        emit valueRequested(m_parts->dragged, value);
}

/// Its first click has moved the line, which goes back before another value is typed.
void Profiler::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (m_parts->isEmpty())
        return;
    const ProfilerLayout layout = m_parts->layoutOn(*this);
    const int column = layout.columnAt(event->position());
    m_parts->dragged = -1;
    if (column < 0)
        return;
    if (const auto before = std::exchange(m_parts->pressedFrom, std::nullopt))
        emit valueRequested(column, *before);
    askValue(column);
}

void Profiler::askValue(int column)
{
    const auto index = static_cast<std::size_t>(column);
    const study::Factor factor = columnFactor(m_parts->shown, index);
    ValueField& field = m_parts->ensureValueField(*this);
    const QString value = typedText(factor, m_parts->shown.cells.front()[index].current);
    field.setAccessibleName(tr("Value of %1").arg(QString::fromStdString(factor.name)));
    field.setValue(value, value);
    field.setTaker([this, column, factor](const QString& typed) {
        QString problem;
        const std::optional<study::Value> taken = parseSettingInRange(factor, typed, problem);
        if (taken)
            emit valueRequested(column, onAxis(factor, *taken));
        return problem;
    });
    const QRectF line = m_parts->layoutOn(*this).valueLine(index);
    const QSize size(std::max(kFieldWidth, static_cast<int>(line.width())), field.sizeHint().height());
    const int x = static_cast<int>(line.center().x()) - size.width() / 2;
    const int y = static_cast<int>(line.center().y()) - size.height() / 2;
    field.setGeometry(std::clamp(x, 0, std::max(0, width() - size.width())),
                      std::clamp(y, 0, std::max(0, height() - size.height())), size.width(), size.height());
    field.show();
    field.edit();
}

void Profiler::keyPressEvent(QKeyEvent* event)
{
    if (m_parts->isEmpty())
        return Plot::keyPressEvent(event);
    handleKey(event);
    update();
}

void Profiler::handleKey(QKeyEvent* event)
{
    const int columns = std::max(1, static_cast<int>(m_parts->columns()));
    const ProfilerCell& cell = m_parts->shown.cells.front()[static_cast<std::size_t>(m_parts->focused)];
    const double step = kKeyStep * (event->modifiers() & Qt::ShiftModifier ? 0.2 : 1.0);
    switch (event->key()) {
    case Qt::Key_Left:
        emit valueRequested(m_parts->focused, computeSteppedValue(cell, -step));
        break;
    case Qt::Key_Right:
        emit valueRequested(m_parts->focused, computeSteppedValue(cell, step));
        break;
    case Qt::Key_Up:
        m_parts->focused = (m_parts->focused + columns - 1) % columns;
        announceHandle(*this, true);
        break;
    case Qt::Key_Down:
        m_parts->focused = (m_parts->focused + 1) % columns;
        announceHandle(*this, true);
        break;
    case Qt::Key_L:
        if (!m_parts->shown.isLocked.empty())
            emit lockToggled(m_parts->focused);
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        askValue(m_parts->focused);
        break;
    default:
        Plot::keyPressEvent(event);
    }
}

} // namespace quadric::widgets
