// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/panel/panel_plot.h"

#include "widgets/plots/panel/panel.h"
#include "widgets/plots/panel/panel_canvas.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStringList>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <utility>

namespace quadric::widgets {

namespace {

QString describeBoard(const PanelBoard& board, int pickedRun);

constexpr std::size_t kMostBars = 5;

QString axesText(const Panel& panel)
{
    if (panel.x.title.isEmpty() || panel.y.title.isEmpty())
        return panel.x.title + panel.y.title;
    return PanelPlot::tr("%1 against %2").arg(panel.y.title, panel.x.title);
}

/// Tips have several lines.
QString onOneLine(QString tip)
{
    return tip.replace(QLatin1Char('\n'), QStringLiteral(", "));
}

QString describePanel(const Panel& panel, int pickedRun)
{
    QStringList words{panel.title, axesText(panel), panel.note};
    for (std::size_t i = 0; i < std::min(kMostBars, panel.bars.size()); ++i)
        words << onOneLine(panel.bars[i].tip);
    for (const PanelDot& dot : panel.dots)
        if (pickedRun >= 0 && dot.run == pickedRun)
            words << onOneLine(dot.tip);
    words.removeAll(QString());
    return words.join(QStringLiteral("; "));
}

class AccessiblePanel : public AccessiblePlot {
public:
    using AccessiblePlot::AccessiblePlot;

protected:
    QString reading() const override
    {
        return describeBoard(static_cast<PanelPlot&>(plot()).board(), plot().pickedRun());
    }
};

QAccessibleInterface* makePanelInterface(const QString& className, QObject* object)
{
    if (className != QLatin1String(PanelPlot::staticMetaObject.className()))
        return nullptr;
    auto* plot = qobject_cast<PanelPlot*>(object);
    return plot != nullptr ? new AccessiblePanel(*plot) : nullptr;
}

/// What a board shows, in words: its title, its axes, its notes, its first bars, and the dot that is lit.
QString describeBoard(const PanelBoard& board, int pickedRun)
{
    QStringList sentences{board.title};
    for (const Panel& panel : board.panels)
        sentences << describePanel(panel, pickedRun);
    sentences.removeAll(QString());
    sentences.removeDuplicates();
    return sentences.isEmpty() ? QString() : sentences.join(QStringLiteral(". ")) + QLatin1Char('.');
}

/// Every PanelPlot says this to assistive technology from now on.
void makePanelsAccessible()
{
    static const bool isInstalled = [] {
        QAccessible::installFactory(&makePanelInterface);
        return true;
    }();
    Q_UNUSED(isInstalled)
}

/// Whether what is looked at of one board has the same meaning on another one.
bool hasSameAxes(const PanelBoard& a, const PanelBoard& b)
{
    return std::ranges::equal(a.panels, b.panels, [](const Panel& one, const Panel& other) {
        return one.title == other.title && one.x.title == other.x.title && one.y.title == other.y.title;
    });
}

} // namespace

PanelPlot::PanelPlot(QWidget* parent)
    : Plot(parent)
{
    makePanelsAccessible();
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
}

PanelPlot::~PanelPlot() = default;

void PanelPlot::setBoard(PanelBoard board, const QString& reason)
{
    if (!hasSameAxes(m_board, board))
        m_zoom.reset();
    m_board = std::move(board);
    std::ranges::for_each(m_board.panels, thinDots);
    m_reason = reason;
    redraw();
}

void PanelPlot::setPickedRuns(const PickedRuns& runs)
{
    Plot::setPickedRuns(runs);
    redraw();
    if (!hasFocus())
        return;
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
}

void PanelPlot::setHeld(const QString& held)
{
    Plot::setHeld(held);
    redraw();
}

void PanelPlot::changeEvent(QEvent* event)
{
    Plot::changeEvent(event);
    redraw();
}

/// What is drawn has changed, not only the crosshair over it.
void PanelPlot::redraw()
{
    m_isDrawn = false;
    update();
}

std::vector<std::shared_ptr<PanelPlot>> PanelPlot::splitIntoRows(std::size_t columns) const
{
    std::vector<std::shared_ptr<PanelPlot>> rows;
    const std::vector<Panel>& panels = m_board.panels;
    for (std::size_t first = 0; first < panels.size(); first += columns) {
        PanelBoard board;
        if (first == 0) {
            board.title = m_board.title;
            board.legend = m_board.legend;
        }
        board.panels.assign(panels.begin() + static_cast<std::ptrdiff_t>(first),
                            panels.begin() +
                                static_cast<std::ptrdiff_t>(std::min(first + columns, panels.size())));
        board.columns = static_cast<int>(columns);
        board.keepsColumns = panels.size() > columns;
        board.sharesY = m_board.sharesY;
        rows.push_back(std::make_shared<PanelPlot>());
        rows.back()->setBoard(std::move(board));
        rows.back()->setAccessibleName(accessibleName());
        rows.back()->setSimulated(isSimulated());
        if (first == 0)
            rows.back()->setHeld(held());
    }
    return rows;
}

void PanelPlot::paintTo(QPainter& painter, const QRectF& target, bool forPrint)
{
    const PlotStyle style = plotStyle(*this, forPrint);
    painter.save();
    const QRectF area = paintHeader(painter, target, style, m_board.title);
    if (m_board.panels.empty())
        drawReason(painter, area, style, m_reason);
    drawBoard(painter, m_board,
              PanelLayout(m_board, area, style, m_isPaintingScreen ? m_zoom.views() : PanelViews{}), style,
              pickedRuns());
    painter.restore();
}

PanelLayout PanelPlot::layoutOnScreen() const
{
    const PlotStyle style = plotStyle(*this, false);
    return {m_board, areaBelowHeader(rect(), style, !m_board.title.isEmpty()), style, m_zoom.views()};
}

std::optional<QPointF> PanelPlot::positionOf(int run) const
{
    const PanelLayout layout = layoutOnScreen();
    for (std::size_t i = 0; i < layout.frames().size(); ++i)
        for (const PanelDot& dot : m_board.panels[i].dots)
            if (dot.run == run)
                return layout.frames()[i].at(dot.x, dot.y);
    return {};
}

QString PanelPlot::crosshairText() const
{
    const PanelLayout layout = layoutOnScreen();
    const auto index = m_pointer ? layout.panelAt(*m_pointer) : std::nullopt;
    if (!index)
        return {};
    const Panel& panel = m_board.panels[*index];
    const AxisReading reading = readingAt(panel, layout.frames()[*index], *m_pointer);
    return QStringLiteral("%1 %2, %3 %4").arg(panel.x.title, reading.x, panel.y.title, reading.y);
}

/// The plot alone is kept as a picture, so that the crosshair costs no drawing of it.
void PanelPlot::paintScreen(double scale)
{
    if (const QSize pixels = (QSizeF(size()) * scale).toSize(); m_screen.size() != pixels)
        m_screen = QPixmap(pixels);
    m_screen.setDevicePixelRatio(scale);
    m_isDrawn = true;
    QPainter painter(&m_screen);
    m_isPaintingScreen = true;
    paintTo(painter, rect(), false);
    m_isPaintingScreen = false;
}

void PanelPlot::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const double scale = painter.deviceTransform().m11();
    if (!m_isDrawn || m_screen.size() != (QSizeF(size()) * scale).toSize())
        paintScreen(scale);
    painter.drawPixmap(QPointF(), m_screen);
    const PlotStyle style = plotStyle(*this, false);
    if (hasFocus())
        drawFocusFrame(painter, rect(), style);
    const PanelLayout layout = layoutOnScreen();
    if (const std::optional<QRectF> area = m_brush.rectangle() ? m_brush.rectangle() : m_zoom.rectangle())
        return paintRectangle(painter, *area, style);
    if (const auto index = m_pointer ? layout.panelAt(*m_pointer) : std::nullopt)
        paintCrosshair(painter, m_board.panels[*index], layout.frames()[*index], *m_pointer, style);
}

void PanelPlot::mouseMoveEvent(QMouseEvent* event)
{
    const PanelLayout layout = layoutOnScreen();
    m_pointer = event->position();
    if (m_isHandleHeld)
        return askForPlace(event->position());
    if (m_brush.move(*event))
        return update();
    const bool isDrag = m_zoom.move(layout, *event);
    isDrag ? redraw() : update();
    const QString tip = isDrag ? QString() : tipAt(m_board, layout, event->position());
    if (tip.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(event->globalPosition().toPoint(), tip, this);
}

void PanelPlot::dotClicked(const PanelDot& dot)
{
    if (dot.run >= 0)
        emit runsPicked(dot.run);
}

void PanelPlot::mousePressEvent(QMouseEvent* event)
{
    const PanelLayout layout = layoutOnScreen();
    const bool isLeft = event->button() == Qt::LeftButton;
    const PanelDot* dot = isLeft ? dotAt(m_board, layout, event->position()) : nullptr;
    const bool isPlain = event->modifiers() == Qt::NoModifier;
    m_isHandleHeld = isPlain && dot != nullptr && dot->isHandle;
    if (dot != nullptr && isPlain)
        dotClicked(*dot);
    else if (dot != nullptr && dot->run >= 0 && event->modifiers() == Qt::ControlModifier)
        emit runsPicked(pickedRuns().toggled(dot->run));
    else if (!m_brush.press(layout, *event) && !m_zoom.press(layout, *event))
        Plot::mousePressEvent(event);
}

/// Asks for the values under a position, taken to the ends of what is seen.
void PanelPlot::askForPlace(QPointF position)
{
    const PanelLayout layout = layoutOnScreen();
    if (layout.frames().empty())
        return;
    const PanelFrame& frame = layout.frames().front();
    const QPointF share = frame.shareAt(position);
    placeAsked({frame.xScale.actualAt(std::clamp(share.x(), 0.0, 1.0)),
                frame.yScale.actualAt(std::clamp(share.y(), 0.0, 1.0))});
}

void PanelPlot::mouseReleaseEvent(QMouseEvent* event)
{
    if (std::exchange(m_isHandleHeld, false))
        return;
    if (const auto picked = m_brush.release(m_board, layoutOnScreen(), *event, pickedRuns())) {
        update();
        emit runsPicked(*picked);
        return;
    }
    const bool isClick = event->button() == Qt::LeftButton && m_zoom.isClick();
    if (!m_zoom.release(layoutOnScreen(), *event))
        return Plot::mouseReleaseEvent(event);
    redraw();
    if (isClick)
        askForPlace(event->position());
}

void PanelPlot::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !m_zoom.reset())
        return Plot::mouseDoubleClickEvent(event);
    redraw();
}

void PanelPlot::wheelEvent(QWheelEvent* event)
{
    if (!m_zoom.wheel(layoutOnScreen(), *event))
        return event->ignore(); // what contains the plot may scroll
    event->accept();
    redraw();
}

void PanelPlot::keyPressEvent(QKeyEvent* event)
{
    if (m_zoom.key(layoutOnScreen(), *event))
        return redraw();
    if (!pickByKey(*event))
        Plot::keyPressEvent(event);
}

/// An arrow goes to the next run; with Shift that one is picked beside the others.
bool PanelPlot::pickByKey(const QKeyEvent& event)
{
    const bool isPlain = !(event.modifiers() & Qt::ControlModifier);
    const auto run = isPlain ? runByKey(event, runsInOrder(m_board), pickedRun()) : std::nullopt;
    if (run)
        emit runsPicked(event.modifiers() & Qt::ShiftModifier ? pickedRuns().with({*run}) : PickedRuns(*run));
    return run.has_value();
}

void PanelPlot::leaveEvent(QEvent* event)
{
    m_pointer.reset();
    update();
    Plot::leaveEvent(event);
}

} // namespace quadric::widgets
