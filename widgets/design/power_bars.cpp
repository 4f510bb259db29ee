// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/power_bars.h"

#include "widgets/plots/plot_style.h"
#include "widgets/text/wording.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kUsuallyAsked = 0.8;
constexpr double kRowHeight = 20.0;
constexpr double kBarMargin = 8.0;

enum Kind { Main, Interaction, Square, kKinds };

Kind kindOf(const std::string& term)
{
    if (term.find('^') != std::string::npos)
        return Square;
    return term.find('*') == std::string::npos ? Main : Interaction;
}

QString powerText(double fraction)
{
    return QStringLiteral("%1 %").arg(std::floor(100.0 * fraction + 1e-9)); // never more than it is
}

/// Columns of the chart: names, bars, numbers.
struct Columns {
    double barLeft = 0.0, barRight = 0.0, right = 0.0;
    double at(double power) const { return barLeft + (barRight - barLeft) * power; }
};

} // namespace

PowerBars::PowerBars(QWidget* parent)
    : Plot(parent)
{
    setObjectName(QStringLiteral("powerBars"));
    setAccessibleName(tr("Power"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    clear({});
}

void PowerBars::setPower(std::vector<design::PowerRow> rows)
{
    const QString titles[kKinds] = {tr("Main effects"), tr("Interactions"), tr("Squares")};
    std::vector<Group> groups(kKinds);
    QStringList spoken;
    for (design::PowerRow& row : rows) {
        spoken << QStringLiteral("%1 %2").arg(termText(row.term), powerText(row.power));
        groups[kindOf(row.term)].rows.push_back(std::move(row));
    }
    m_groups.clear();
    for (int kind = 0; kind < kKinds; ++kind)
        if (!groups[size_t(kind)].rows.empty())
            m_groups.push_back({titles[kind], std::move(groups[size_t(kind)].rows)});
    m_reason = m_groups.empty() ? tr("No runs are left over to measure the noise, so no power is known.")
                                : QString();
    setAccessibleDescription(spoken.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

void PowerBars::clear(const QString& reason)
{
    m_groups.clear();
    m_reason = reason;
    updateGeometry();
    update();
}

QSize PowerBars::sizeHint() const
{
    double height = 2.0 * kBarMargin;
    for (const Group& group : m_groups)
        height += (double(group.rows.size()) + 1.5) * kRowHeight;
    return {280, std::max(120, int(height))};
}

void PowerBars::paintTo(QPainter& painter, const QRectF& target, bool forPrint)
{
    const PlotStyle style = plotStyle(*this, forPrint);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(target, style.colors.background);
    if (m_groups.empty())
        drawReason(painter, target, style, m_reason);
    const QFontMetricsF metrics(style.font);
    double names = 0.0;
    for (const Group& group : m_groups)
        for (const auto& row : group.rows)
            names = std::max(names, metrics.horizontalAdvance(termText(row.term)));
    const double numbers = metrics.horizontalAdvance(QStringLiteral("100 %"));
    const double left = target.left() + kBarMargin;
    const Columns columns{left + std::min(names, 0.5 * target.width()) + kBarMargin,
                          target.right() - 2.0 * kBarMargin - numbers, target.right() - kBarMargin};
    double top = target.top() + kBarMargin;
    for (const Group& group : m_groups) {
        drawLine(painter, {left, top, columns.right - left, kRowHeight}, Qt::AlignLeft | Qt::AlignVCenter,
                 style.title, style.colors.text, group.title);
        top += kRowHeight;
        const double height = kRowHeight * double(group.rows.size());
        for (size_t i = 0; i < group.rows.size(); ++i) {
            const QRectF line(left, top + double(i) * kRowHeight, columns.right - left, kRowHeight);
            const double power = std::clamp(group.rows[i].power, 0.0, 1.0);
            const bool isEnough = power >= kUsuallyAsked;
            drawLine(painter, {left, line.top(), columns.barLeft - left - kBarMargin, kRowHeight},
                     Qt::AlignLeft | Qt::AlignVCenter, style.font, style.colors.text,
                     termText(group.rows[i].term));
            const QRectF bar(QPointF(columns.barLeft, line.top() + 4.0),
                             QPointF(columns.at(power), line.bottom() - 4.0));
            const QColor color = isEnough ? style.colors.accent : style.colors.axis;
            painter.setPen(QPen(color, 1.0));
            painter.setBrush(isEnough ? color : style.colors.background);
            painter.drawRect(bar);
            if (!isEnough)
                drawHatch(painter, bar, color);
            drawLine(painter, {columns.barRight + kBarMargin, line.top(), numbers, kRowHeight},
                     Qt::AlignRight | Qt::AlignVCenter, style.font, style.colors.text, powerText(power));
        }
        painter.setPen(QPen(style.colors.mutedText, 1.0, Qt::DashLine));
        painter.drawLine(QPointF(columns.at(kUsuallyAsked), top),
                         QPointF(columns.at(kUsuallyAsked), top + height));
        top += height + 0.5 * kRowHeight;
    }
    painter.restore();
}

const design::PowerRow* PowerBars::rowAt(QPointF position) const
{
    double top = kBarMargin;
    for (const Group& group : m_groups) {
        top += kRowHeight;
        const auto row = int(std::floor((position.y() - top) / kRowHeight));
        if (row >= 0 && row < int(group.rows.size()))
            return &group.rows[size_t(row)];
        top += (double(group.rows.size()) + 0.5) * kRowHeight;
    }
    return nullptr;
}

bool PowerBars::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return Plot::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const design::PowerRow* row = rowAt(help->pos());
    QToolTip::showText(
        help->globalPos(),
        row ? tr("%1: an effect of %2 noise standard deviations is found in %3 of such experiments, at the "
                 "5 % level.")
                  .arg(termText(row->term), formatNumber(row->effectSd), powerText(row->power))
            : QString(),
        this);
    return true;
}

} // namespace quadric::widgets
