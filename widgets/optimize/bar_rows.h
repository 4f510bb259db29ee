// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/axis_scale.h"
#include "widgets/plots/plot.h"

#include <QColor>

#include <optional>
#include <vector>

namespace quadric::widgets {

/// One row of a chart of bars: from `from` to `to`, with a mark where the value is now.
struct BarRow {
    QString name;
    QString text; ///< at the right end, in words
    double from = 0.0, to = 0.0;
    std::optional<double> mark = {};
    bool isFalling = false; ///< drawn hatched: the quantity falls when what it is named for rises
};

/// Horizontal bars under one another over a common axis, with a line at `reference`.
class BarRows : public Plot {
    Q_OBJECT

public:
    explicit BarRows(QWidget* parent = nullptr);
    void setRows(std::vector<BarRow> rows, const AxisScale& scale, std::optional<double> reference,
                 const QString& axisTitle);
    void clear(const QString& reason);
    void paintTo(QPainter& painter, const QRectF& target, bool forPrint) override;

private:
    std::vector<BarRow> m_rows;
    AxisScale m_scale;
    std::optional<double> m_reference;
    QString m_axisTitle;
    QString m_reason;
};

} // namespace quadric::widgets
