// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/monitor/status_delegate.h"

#include "widgets/base/theme.h"
#include "widgets/monitor/run_table_model.h"

#include <QPainter>

namespace quadric::widgets {

namespace {

constexpr qreal kBarHeight = 3;
constexpr qreal kBarWidth = 160;

} // namespace

void StatusDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                           const QModelIndex& index) const
{
    QStyledItemDelegate::paint(painter, option, index);
    const QVariant progress = index.data(RunTableModel::ProgressRole);
    if (!progress.isValid())
        return;
    const PlotColors colors = plotColors(option.palette);
    const QRectF cell = option.rect;
    QRectF bar(cell.left() + 4, cell.bottom() - kBarHeight - 1, std::min(kBarWidth, cell.width() - 8),
               kBarHeight);
    painter->fillRect(bar, colors.grid);
    bar.setWidth(bar.width() * progress.toDouble());
    painter->fillRect(bar, colors.accent);
}

} // namespace quadric::widgets
