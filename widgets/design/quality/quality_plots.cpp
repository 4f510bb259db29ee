// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/quality/quality_plots.h"

#include "core/model/base/thresholds.h"
#include "core/report/tables/study_tables.h"
#include "widgets/base/theme.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/text/wording.h"

#include <QKeyEvent>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

/// Each pair is a cell with its words; nobody can read more on a screen.
constexpr std::size_t kMostTerms = 500;

/// −1…+1 with two decimals, without the zero that they all start with.
QString shortText(double r)
{
    const QString digits = QString::number(std::abs(r), 'f', 2);
    const QString number = digits.startsWith(QLatin1Char('0')) ? digits.mid(1) : digits;
    return r < -0.005 ? QStringLiteral("−") + number : number;
}

constexpr double kHeadroom = 1.08;

/// Between the points, straight.
double interpolateError(const FdsCurve& curve, double fraction)
{
    const auto above = std::ranges::lower_bound(curve.points, fraction, {}, &design::FdsPoint::fraction);
    if (above == curve.points.end())
        return curve.points.back().se;
    if (above == curve.points.begin())
        return above->se;
    const auto below = std::prev(above);
    const double step = above->fraction - below->fraction;
    return step > 0.0 ? below->se + (above->se - below->se) * (fraction - below->fraction) / step : above->se;
}

QString seText(double se)
{
    return QString::fromStdString(report::formatDesignNumber(design::DesignNumber::StandardError, se));
}

/// What the curves say of the best share of the region.
QString fdsReading(const std::vector<FdsCurve>& curves, double fraction)
{
    QStringList lines;
    for (const FdsCurve& curve : curves) {
        const QString said = FdsPlot::tr("%1 of the region: standard error at most %2")
                                 .arg(formatPercent(fraction, 0), seText(interpolateError(curve, fraction)));
        lines << (curve.name.isEmpty() ? said : curve.name + QStringLiteral(": ") + said);
    }
    return lines.join(QLatin1Char('\n'));
}

PanelLine makeFdsLine(const FdsCurve& curve, int category)
{
    PanelLine line;
    line.category = category;
    for (const design::FdsPoint& point : curve.points) {
        line.x.push_back(point.fraction);
        line.y.push_back(point.se);
    }
    return line;
}

/// The share of the region from 0 to 1, the standard error from 0 to above the worst.
Panel makeFdsPanel(const std::vector<FdsCurve>& curves)
{
    Panel panel;
    panel.grid = PanelGrid::Both;
    panel.x = {FdsPlot::tr("Fraction of design space"), {0.0, 1.0, false}};
    for (const int percent : {0, 25, 50, 75, 100})
        panel.x.ticks.push_back({percent / 100.0, QStringLiteral("%1 %").arg(percent)});
    double highest = 1e-6;
    for (const FdsCurve& curve : curves)
        for (const design::FdsPoint& point : curve.points)
            highest = std::max(highest, point.se * kHeadroom);
    panel.y = {FdsPlot::tr("Std. error of prediction (σ)"), {0.0, highest, false}};
    return panel;
}

constexpr int kRowHeight = 22;  ///< pixels
constexpr int kAroundRows = 96; ///< pixels of the axis below and of the line's name above

enum class TermKind { Main, Interaction, Square };

TermKind classifyTerm(const std::string& term)
{
    if (term.find('^') != std::string::npos)
        return TermKind::Square;
    return term.find('*') == std::string::npos ? TermKind::Main : TermKind::Interaction;
}

PanelBar makePowerBar(const design::PowerRow& row)
{
    const double power = std::clamp(row.power, 0.0, 1.0);
    const bool isEnough = power >= model::kUsualPower;
    return {.right = power,
            .role = isEnough ? BarRole::Outstanding : BarRole::Weak,
            .isHatched = !isEnough,
            .tip = PowerBars::tr("%1: an effect of %2 noise standard deviations is found in %3 of such "
                                 "experiments (α = 5 %).")
                       .arg(termText(row.term), formatNumber(row.effectSd), formatPower(row.power)),
            .text = formatPower(row.power)};
}

Panel powerPanel(const std::vector<design::PowerRow>& rows)
{
    Panel panel;
    panel.grid = PanelGrid::Vertical;
    for (const auto& [kind, title] : {std::pair(TermKind::Main, PowerBars::tr("Main effects")),
                                      std::pair(TermKind::Interaction, PowerBars::tr("Interactions")),
                                      std::pair(TermKind::Square, PowerBars::tr("Quadratic effects"))}) {
        bool isFirst = true;
        for (const design::PowerRow& row : rows) {
            if (classifyTerm(row.term) != kind)
                continue;
            if (isFirst)
                addHeading(panel, title);
            isFirst = false;
            addRow(panel, termText(row.term), makePowerBar(row));
        }
    }
    panel.x = {
        PowerBars::tr("Power to find an effect of %1σ (α = 5 %)").arg(formatNumber(rows.front().effectSd)),
        {0.0, 1.0, false}};
    for (const int percent : {0, 20, 40, 60, 80, 100})
        panel.x.ticks.push_back({percent / 100.0, QStringLiteral("%1 %").arg(percent)});
    panel.limits.push_back({model::kUsualPower,
                            PowerBars::tr("%1: usual minimum").arg(formatPower(model::kUsualPower)),
                            LineRole::Reference});
    return panel;
}

} // namespace

CorrelationMap::CorrelationMap(QWidget* parent)
    : PanelPlot(parent)
{
    setObjectName(QStringLiteral("correlationMap"));
    setAccessibleName(tr("Correlations"));
}

void CorrelationMap::setCorrelations(std::vector<std::string> terms, Eigen::MatrixXd correlations)
{
    if (terms.size() > kMostTerms)
        return clear(tr("%1 terms are too many for a map, expected at most %2. "
                        "“quadric evaluate --json” lists their correlations.")
                         .arg(terms.size())
                         .arg(kMostTerms));
    m_terms = std::move(terms);
    m_correlations = std::move(correlations);
    pick(-1, -1);
}

void CorrelationMap::clear(const QString& reason)
{
    m_terms.clear();
    PanelPlot::clear(reason);
}

void CorrelationMap::pick(int row, int column)
{
    m_row = row;
    m_column = column;
    setAccessibleDescription(words());
    showBoard();
}

QString CorrelationMap::words() const
{
    return m_row < 0 || m_column < 0 ? QString() : describeCorrelation(m_row, m_column);
}

QString CorrelationMap::describeCorrelation(int row, int column) const
{
    const QString first = termText(m_terms[size_t(row)]);
    if (row == column)
        return tr("%1 with itself").arg(first);
    const double r = m_correlations(row, column);
    return tr("%1 and %2: r = %3")
        .arg(first, termText(m_terms[size_t(column)]), std::isfinite(r) ? shortText(r) : tr("not defined"));
}

PanelCell CorrelationMap::cellAt(int row, int column) const
{
    const double r = row == column ? 1.0 : m_correlations(row, column);
    const bool isSaid = row != column && std::isfinite(r) && std::abs(r) >= 0.005;
    return {.x = double(column),
            .y = -double(row),
            .level = std::abs(r),
            .text = isSaid ? shortText(r) : QString(),
            .tip = describeCorrelation(row, column),
            .isPicked = row == m_row && column == m_column};
}

void CorrelationMap::showBoard()
{
    const int count = int(m_terms.size());
    PanelBoard board;
    if (count >= 2) {
        Panel& panel = board.panels.emplace_back();
        panel.grid = PanelGrid::None;
        panel.note = words();
        panel.x.isCategory = panel.y.isCategory = true;
        panel.x.scale = {-0.5, count - 0.5, false};
        panel.y.scale = {0.5 - count, 0.5, false};
        for (int row = 0; row < count; ++row) {
            panel.y.ticks.push_back({-double(row), termText(m_terms[size_t(row)])});
            for (int column = 0; column < count; ++column)
                panel.cells.push_back(cellAt(row, column));
        }
        for (const double level : {0.0, 0.5, 1.0})
            board.legend.push_back({.sample = LegendEntry::Sample::Cell,
                                    .text = QStringLiteral("|r| %1").arg(level),
                                    .level = level});
    }
    setBoard(std::move(board), tr("There are no two terms to correlate."));
}

void CorrelationMap::placeAsked(QPointF values)
{
    const int last = int(m_terms.size()) - 1;
    pick(std::clamp(int(std::lround(-values.y())), 0, last),
         std::clamp(int(std::lround(values.x())), 0, last));
}

void CorrelationMap::keyPressEvent(QKeyEvent* event)
{
    const int right = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    const int down = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
    if ((right == 0 && down == 0) || m_terms.size() < 2 || event->modifiers() & Qt::ControlModifier)
        return PanelPlot::keyPressEvent(event);
    const int last = int(m_terms.size()) - 1;
    pick(std::clamp(std::max(0, m_row) + down, 0, last), std::clamp(std::max(0, m_column) + right, 0, last));
}

FdsPlot::FdsPlot(QWidget* parent)
    : PanelPlot(parent)
{
    setObjectName(QStringLiteral("fdsPlot"));
    setAccessibleName(tr("Prediction variance (FDS)"));
}

void FdsPlot::setCurves(std::vector<FdsCurve> curves)
{
    std::erase_if(curves, [](const FdsCurve& curve) { return curve.points.size() < 2; });
    m_curves = std::move(curves);
    setAccessibleDescription(words());
    if (m_curves.empty())
        return clear(tr("The prediction error of this design is not known."));
    PanelBoard board;
    board.panels.push_back(makeFdsPanel(m_curves));
    Panel& panel = board.panels.front();
    for (std::size_t i = m_curves.size(); i-- > 0;) { // the first one on top
        const int category = i == 0 ? -1 : static_cast<int>(i);
        panel.lines.push_back(makeFdsLine(m_curves[i], category));
        if (m_curves.size() > 1)
            board.legend.insert(
                board.legend.begin(),
                {.sample = LegendEntry::Sample::Line, .text = m_curves[i].name, .category = category});
    }
    panel.reading = [curves = m_curves](double fraction, double) { return fdsReading(curves, fraction); };
    setBoard(std::move(board));
}

QString FdsPlot::words() const
{
    QStringList sentences;
    for (const FdsCurve& curve : m_curves) {
        const QString said =
            tr("half of the region is predicted within %1, nine tenths within %2, all of it within %3")
                .arg(seText(interpolateError(curve, 0.5)), seText(interpolateError(curve, 0.9)),
                     seText(interpolateError(curve, 1.0)));
        sentences << (curve.name.isEmpty() ? said : curve.name + QStringLiteral(": ") + said);
    }
    return sentences.join(QStringLiteral("; "));
}

PowerBars::PowerBars(QWidget* parent)
    : PanelPlot(parent)
{
    setObjectName(QStringLiteral("powerBars"));
    setAccessibleName(tr("Power"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Minimum);
}

void PowerBars::setPower(const std::vector<design::PowerRow>& rows)
{
    QStringList spoken;
    for (const design::PowerRow& row : rows)
        spoken << QStringLiteral("%1 %2").arg(termText(row.term), formatPower(row.power));
    setAccessibleDescription(spoken.join(QStringLiteral(", ")));
    PanelBoard board;
    if (!rows.empty())
        board.panels.push_back(powerPanel(rows));
    setBoard(std::move(board), tr("No runs are left over to measure the noise, so no power is known."));
    updateGeometry();
}

QSize PowerBars::sizeHint() const
{
    if (board().panels.empty())
        return {280, 120};
    const Panel& panel = board().panels.front();
    return {280,
            kAroundRows + kRowHeight * static_cast<int>(panel.y.ticks.size() + panel.headings.size() + 1)};
}

} // namespace quadric::widgets
