// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/monitor/status_delegate.h"

#include "widgets/base/theme.h"
#include "widgets/monitor/run_table_model.h"

#include <QPainter>

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr qreal kBarHeight = 3;
constexpr qreal kCellPadding = 8;
constexpr qreal kBarWidth = 160;
constexpr float kRestOpacity = 0.25F;

} // namespace

void StatusDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                           const QModelIndex& index) const
{
    TableDelegate::paint(painter, option, index);
    const QVariant progress = index.data(RunTableModel::ProgressRole);
    if (!progress.isValid())
        return;
    const PlotColors colors = plotColors(option.palette);
    const QRectF cell = option.rect;
    QRectF bar(cell.left() + kCellPadding, cell.bottom() - kBarHeight - 1,
               std::min(kBarWidth, cell.width() - 2 * kCellPadding), kBarHeight);
    const bool isSelected = option.state & QStyle::State_Selected;
    const QColor done = isSelected ? option.palette.color(QPalette::HighlightedText) : colors.accent;
    QColor rest = done;
    rest.setAlphaF(kRestOpacity);
    painter->fillRect(bar, rest);
    bar.setWidth(bar.width() * progress.toDouble());
    painter->fillRect(bar, done);
}

} // namespace quadric::widgets
