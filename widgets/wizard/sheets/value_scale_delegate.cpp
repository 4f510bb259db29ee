// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/sheets/value_scale_delegate.h"

#include "core/study/coding.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/wizard/sheets/factor_table_model.h"

#include <QPainter>

namespace quadric::widgets {

namespace {

constexpr size_t kMostTicks = 64;

/// Paints the scale of a sound numeric factor into `line`.
void paintScale(QPainter& painter, const QRectF& line, const study::Factor& factor, const PlotColors& colors)
{
    const study::Coding coding({factor});
    const auto place = [&](double actual) {
        return line.left() + line.width() * (0.5 + 0.5 * coding.toCoded(0, actual));
    };
    painter.setPen(QPen(colors.grid, 1));
    painter.drawLine(QPointF(line.left(), line.center().y()), QPointF(line.right(), line.center().y()));
    painter.setPen(QPen(colors.axis, 1));
    for (const double value : study::legalValues(factor, factor.low, factor.high, kMostTicks))
        painter.drawLine(QPointF(place(value), line.center().y() - 2),
                         QPointF(place(value), line.center().y() + 2));
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.accent);
    for (const double coded : {-1.0, 0.0, 1.0})
        painter.drawEllipse(
            QPointF(place(study::snapToLegal(factor, coding.toActual(0, coded))), line.center().y()), 3, 3);
}

} // namespace

ValueScaleDelegate::ValueScaleDelegate(const FactorTableModel& model, QObject* parent)
    : QStyledItemDelegate(parent)
    , m_model(model)
{
}

void ValueScaleDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                               const QModelIndex& index) const
{
    if (index.row() >= m_model.recordCount()) {
        QStyledItemDelegate::paint(painter, option, index);
        return;
    }
    const study::Factor& factor = m_model.factors()[size_t(index.row())];
    const bool isSound = factor.isNumeric() && !usedValues(factor).isEmpty();
    QStyleOptionViewItem upper = option;
    if (isSound)
        upper.rect.setHeight(option.rect.height() - 12);
    QStyledItemDelegate::paint(painter, upper, index);
    if (!isSound)
        return;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const double width = std::min(240, option.rect.width() - 3 * kGap);
    const QRectF line(option.rect.left() + kGap, option.rect.bottom() - 12, width, 8);
    try {
        paintScale(*painter, line, factor, plotColors(option.palette));
    } catch (const std::exception&) {
        // usedValues() said that the factor is sound; a value outside its scale is only not drawn
    }
    painter->restore();
}

} // namespace quadric::widgets
