// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/custom_plot.h"
#include "widgets/plots/effect_plots.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

using Curves = std::vector<model::EffectCurve>;

constexpr double kNarrowestPanel = 84.0; ///< pixels; below this the panels go to a second row
constexpr double kLowestPanel = 64.0;    ///< pixels; a second row that leaves less is not made
constexpr double kPanelGap = 12.0;
constexpr double kHalfLevel = 0.3; ///< half the width of a categorical level's band

/// A stretch of a curve that is all inside the data or all extrapolated: points first to last.
struct Stretch {
    std::size_t first = 0, last = 0;
    bool isExtrapolation = false;
};

std::vector<Stretch> stretchesOf(const model::EffectCurve& curve)
{
    std::vector<Stretch> stretches;
    const auto isGuess = [&](std::size_t i) {
        return i < curve.isExtrapolation.size() && curve.isExtrapolation[i];
    };
    for (std::size_t i = 0; i + 1 < curve.actual.size(); ++i) {
        const bool guess = isGuess(i) || isGuess(i + 1);
        if (!stretches.empty() && stretches.back().isExtrapolation == guess)
            stretches.back().last = i + 1;
        else
            stretches.push_back({i, i + 1, guess});
    }
    return stretches;
}

bool isCategorical(const model::EffectCurve& curve)
{
    return !curve.categories.empty();
}

bool hasBand(const model::EffectCurve& curve)
{
    return curve.low.size() == curve.mean.size() && curve.high.size() == curve.mean.size();
}

AxisScale factorScale(const model::EffectCurve& curve)
{
    if (isCategorical(curve))
        return {-0.5, static_cast<double>(curve.categories.size()) - 0.5, false};
    std::vector<double> values = curve.actual;
    values.insert(values.end(), curve.observedAt.begin(), curve.observedAt.end());
    return scaleOver(values, curve.isLog2, 0.04);
}

AxisScale responseScale(const Curves& curves)
{
    std::vector<double> values;
    for (const model::EffectCurve& curve : curves)
        for (const auto* part : {&curve.mean, &curve.low, &curve.high, &curve.observedMean})
            values.insert(values.end(), part->begin(), part->end());
    return scaleOver(values, false, 0.05);
}

/// Where everything stands; all rectangles relative to the plot area.
struct Layout {
    int columns = 1, rows = 1;
    double left = 0.0;   ///< room for the response axis
    double top = 0.0;    ///< room for the legend
    double bottom = 0.0; ///< room under each panel
    QSizeF panel;

    QRectF panelAt(std::size_t index) const
    {
        const int column = static_cast<int>(index) % columns;
        const int row = static_cast<int>(index) / columns;
        return {QPointF(left + column * (panel.width() + kPanelGap), top + row * (panel.height() + bottom)),
                panel};
    }
};

double widestLabel(const std::vector<Tick>& ticks, const QFontMetricsF& metrics)
{
    double width = 0.0;
    for (const Tick& tick : ticks)
        width = std::max(width, metrics.horizontalAdvance(tick.label));
    return width;
}

Layout layOut(const Curves& curves, const AxisScale& response, const QSizeF& size, const PlotStyle& style)
{
    const QFontMetricsF small(style.small);
    const int count = static_cast<int>(curves.size());
    Layout layout;
    layout.left =
        widestLabel(verticalTicks(response, size.height(), small), small) + style.lineHeight() + 12.0;
    layout.top = small.height() + 4.0;
    layout.bottom = small.height() + style.lineHeight() + 12.0;
    const double width = size.width() - layout.left + kPanelGap - 4.0;
    layout.columns = std::clamp(static_cast<int>(width / (kNarrowestPanel + kPanelGap)), 1, count);
    layout.rows = (count + layout.columns - 1) / layout.columns;
    if ((size.height() - layout.top) / layout.rows - layout.bottom < kLowestPanel)
        layout.rows = 1;
    layout.columns = (count + layout.rows - 1) / layout.rows;
    layout.panel = {width / layout.columns - kPanelGap,
                    (size.height() - layout.top) / layout.rows - layout.bottom};
    return layout;
}

/// Draws one panel into its axis rectangle.
class Panel {
public:
    Panel(QCPAxisRect& rect, const model::EffectCurve& curve, const PlotStyle& style)
        : m_x(rect.axis(QCPAxis::atBottom))
        , m_y(rect.axis(QCPAxis::atLeft))
        , m_curve(curve)
        , m_style(style)
    {
    }

    void setUpAxes(const AxisScale& response, const QSizeF& size, bool isFirst);
    void addFit();
    void addObserved();

private:
    double position(double actual) const { return m_curve.isLog2 ? std::log2(actual) : actual; }
    std::vector<Tick> factorTicks(const AxisScale& scale, double width) const;
    QCPGraph* addGraph(const QPen& pen);
    void addStretch(const Stretch& stretch);
    void addLevel(std::size_t level);
    void addBand(const QVector<double>& x, const QVector<double>& low, const QVector<double>& high,
                 bool isGuess);

    QCPAxis* m_x;
    QCPAxis* m_y;
    const model::EffectCurve& m_curve;
    const PlotStyle& m_style;
};

std::vector<Tick> Panel::factorTicks(const AxisScale& scale, double width) const
{
    const QFontMetricsF metrics(m_style.small);
    if (!isCategorical(m_curve))
        return horizontalTicks(scale, width, metrics);
    const double room = width / static_cast<double>(m_curve.categories.size()) - 3.0;
    std::vector<Tick> ticks;
    for (std::size_t i = 0; i < m_curve.categories.size(); ++i)
        ticks.push_back(
            {static_cast<double>(i),
             metrics.elidedText(QString::fromStdString(m_curve.categories[i]), Qt::ElideRight, room)});
    return ticks;
}

void Panel::setUpAxes(const AxisScale& response, const QSizeF& size, bool isFirst)
{
    const AxisScale scale = factorScale(m_curve);
    styleAxis(*m_x, m_style);
    styleAxis(*m_y, m_style);
    m_x->setRange(position(scale.low), position(scale.high));
    m_x->setTicker(tickerOf(factorTicks(scale, size.width()), m_curve.isLog2));
    m_x->grid()->setVisible(false);
    m_y->setRange(response.low, response.high);
    m_y->setTicker(tickerOf(verticalTicks(response, size.height(), QFontMetricsF(m_style.small))));
    m_y->setTickLabels(isFirst);
    if (isFirst)
        return;
    m_y->setTickPen(Qt::NoPen);
    m_y->setBasePen(QPen(m_style.colors.grid, 1.0));
}

QCPGraph* Panel::addGraph(const QPen& pen)
{
    QCPGraph* graph = m_x->parentPlot()->addGraph(m_x, m_y);
    graph->setPen(pen);
    return graph;
}

void Panel::addBand(const QVector<double>& x, const QVector<double>& low, const QVector<double>& high,
                    bool isGuess)
{
    const QColor fill =
        isGuess ? blend(m_style.colors.band, m_style.colors.background, 0.45) : m_style.colors.band;
    const QPen edge(blend(m_style.colors.accent, m_style.colors.background, 0.45), 1.0, Qt::DashLine);
    QCPGraph* lower = addGraph(isGuess ? edge : QPen(Qt::NoPen));
    QCPGraph* upper = addGraph(isGuess ? edge : QPen(Qt::NoPen));
    lower->setData(x, low, true);
    upper->setData(x, high, true);
    upper->setBrush(fill);
    upper->setChannelFillGraph(lower);
}

void Panel::addStretch(const Stretch& stretch)
{
    QVector<double> x, mean, low, high;
    for (std::size_t i = stretch.first; i <= stretch.last; ++i) {
        x << position(m_curve.actual[i]);
        mean << m_curve.mean[i];
        if (hasBand(m_curve)) {
            low << m_curve.low[i];
            high << m_curve.high[i];
        }
    }
    if (hasBand(m_curve))
        addBand(x, low, high, stretch.isExtrapolation);
    const Qt::PenStyle line = stretch.isExtrapolation ? Qt::DashLine : Qt::SolidLine;
    addGraph(QPen(m_style.colors.accent, 2.0, line, Qt::FlatCap))->setData(x, mean, true);
}

void Panel::addLevel(std::size_t level)
{
    const double at = m_curve.actual[level];
    const QVector<double> x{at - kHalfLevel, at + kHalfLevel};
    const auto flat = [](double value) { return QVector<double>{value, value}; };
    if (hasBand(m_curve))
        addBand(x, flat(m_curve.low[level]), flat(m_curve.high[level]), false);
    addGraph(QPen(m_style.colors.accent, 2.0, Qt::SolidLine, Qt::FlatCap))
        ->setData(x, flat(m_curve.mean[level]), true);
}

void Panel::addFit()
{
    if (isCategorical(m_curve)) {
        for (std::size_t level = 0; level < m_curve.actual.size(); ++level)
            addLevel(level);
        return;
    }
    for (const Stretch& stretch : stretchesOf(m_curve))
        addStretch(stretch);
}

void Panel::addObserved()
{
    QVector<double> x, y;
    for (std::size_t i = 0; i < std::min(m_curve.observedAt.size(), m_curve.observedMean.size()); ++i) {
        x << position(m_curve.observedAt[i]);
        y << m_curve.observedMean[i];
    }
    QCPGraph* dots = addGraph(Qt::NoPen);
    dots->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(m_style.colors.observedRim, 1.4),
                                          m_style.colors.observed, 8.5));
    dots->setLineStyle(QCPGraph::lsNone);
    dots->setData(x, y);
}

void drawLegend(QPainter& painter, const QRectF& line, const PlotStyle& style, const Curves& curves)
{
    painter.setRenderHint(QPainter::Antialiasing);
    double right = line.right();
    const auto entry = [&](const QString& text) {
        const double width = QFontMetricsF(style.small).horizontalAdvance(text);
        drawLine(painter, {right - width, line.top(), width + 1.0, line.height()},
                 Qt::AlignLeft | Qt::AlignVCenter, style.small, style.colors.mutedText, text);
        const QRectF sample(right - width - 20.0, line.center().y() - 4.0, 15.0, 8.0);
        right = sample.left() - 12.0;
        return sample;
    };
    if (std::ranges::any_of(curves, [](const auto& curve) { return !curve.observedMean.empty(); }))
        drawDot(painter, entry(QStringLiteral("observed mean")).center(), 3.6, style.colors.observed,
                style.colors.observedRim);
    const bool band = std::ranges::any_of(curves, hasBand);
    const QRectF sample = entry(band ? QStringLiteral("fit, 95 % band") : QStringLiteral("fit"));
    if (band)
        painter.fillRect(sample, style.colors.band);
    painter.setPen(QPen(style.colors.accent, 2.0, Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(QPointF(sample.left(), sample.center().y()),
                     QPointF(sample.right(), sample.center().y()));
}

void drawResponseTitle(QPainter& painter, const QRectF& area, const Layout& layout, const PlotStyle& style,
                       const QString& title)
{
    const double length = area.height() - layout.top;
    painter.save();
    painter.translate(area.left() + style.lineHeight() / 2.0,
                      area.top() + layout.top + (length - layout.bottom) / 2.0);
    painter.rotate(-90.0);
    drawLine(painter, {-length / 2.0, -style.lineHeight() / 2.0, length, style.lineHeight()}, Qt::AlignCenter,
             style.font, style.colors.text, title);
    painter.restore();
}

void drawFactorNames(QPainter& painter, const QRectF& area, const Layout& layout, const PlotStyle& style,
                     const Curves& curves)
{
    for (std::size_t i = 0; i < curves.size(); ++i) {
        const QRectF panel = layout.panelAt(i).translated(area.topLeft());
        const double top = panel.bottom() + style.smallHeight() + 7.0;
        drawLine(painter, {panel.left() - 4.0, top, panel.width() + 8.0, style.lineHeight()}, Qt::AlignCenter,
                 style.font, style.colors.text, withUnit(curves[i].factor, curves[i].unit));
    }
}

/// The panels as axis rectangles at the places of the layout.
void addPanels(QCustomPlot& plot, const QRectF& area, const Layout& layout, const PlotStyle& style,
               const Curves& curves, const AxisScale& response)
{
    plot.plotLayout()->clear();
    auto* board = new QCPLayoutInset; // the plot owns it and all below
    board->setMinimumMargins({});
    plot.plotLayout()->addElement(0, 0, board);
    for (std::size_t i = 0; i < curves.size(); ++i) {
        auto* rect = new QCPAxisRect(&plot);
        rect->setAutoMargins(QCP::msNone);
        rect->setMargins({});
        const QRectF panel = layout.panelAt(i);
        board->addElement(rect, QRectF(panel.left() / area.width(), panel.top() / area.height(),
                                       panel.width() / area.width(), panel.height() / area.height()));
        Panel content(*rect, curves[i], style);
        content.setUpAxes(response, panel.size(), i % static_cast<std::size_t>(layout.columns) == 0);
        content.addFit();
        content.addObserved();
    }
}

void paintPanels(QPainter& painter, const QRectF& area, const PlotStyle& style, const Curves& curves)
{
    const AxisScale response = responseScale(curves);
    const Layout layout = layOut(curves, response, area.size(), style);
    QCustomPlot plot;
    preparePlot(plot, style);
    addPanels(plot, area, layout, style, curves, response);
    drawCustomPlot(plot, painter, area);
    drawFactorNames(painter, area, layout, style, curves);
    drawResponseTitle(painter, area, layout, style, withUnit(curves[0].response, curves[0].responseUnit));
    drawLegend(painter, {area.left(), area.top(), area.width(), style.smallHeight()}, style, curves);
}

bool isUsable(const model::EffectCurve& curve)
{
    return !curve.actual.empty() && curve.actual.size() == curve.mean.size();
}

} // namespace

struct MainEffectsPlot::Parts {
    Curves curves;
    QString reason = QStringLiteral("No effects yet.");
};

MainEffectsPlot::MainEffectsPlot(QWidget* parent)
    : Plot(parent)
    , m_parts(std::make_unique<Parts>())
{
    setAccessibleName(tr("Main effects"));
}

MainEffectsPlot::~MainEffectsPlot() = default;

void MainEffectsPlot::setCurves(const std::vector<model::EffectCurve>& curves)
{
    m_parts->curves.clear();
    std::ranges::copy_if(curves, std::back_inserter(m_parts->curves), isUsable);
    if (m_parts->curves.empty())
        m_parts->reason = tr("The model has no factors to show.");
    update();
}

void MainEffectsPlot::clear(const QString& reason)
{
    m_parts->curves.clear();
    m_parts->reason = reason;
    update();
}

void MainEffectsPlot::paintTo(QPainter& painter, const QRectF& target, bool forPrint)
{
    const PlotStyle style = plotStyle(*this, forPrint);
    painter.save();
    const QRectF area = drawHeader(painter, target, style, {}, isSimulated());
    if (m_parts->curves.empty())
        drawReason(painter, area, style, m_parts->reason);
    else
        paintPanels(painter, area, style, m_parts->curves);
    painter.restore();
}

} // namespace quadric::widgets
