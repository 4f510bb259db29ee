// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/design.h"
#include "widgets/plots/plot.h"

namespace quadric::widgets {

/// Chance to find the effect of each term: one bar a term, grouped into main effects, interactions and
/// squares, with a line at the 80 % that people usually ask for. As high as its rows need.
class PowerBars : public Plot {
    Q_OBJECT

public:
    explicit PowerBars(QWidget* parent = nullptr);
    void setPower(std::vector<design::PowerRow> rows);
    void clear(const QString& reason);
    void paintTo(QPainter& painter, const QRectF& target, bool forPrint) override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {160, sizeHint().height()}; }

protected:
    bool event(QEvent* event) override;

private:
    struct Group {
        QString title;
        std::vector<design::PowerRow> rows;
    };
    const design::PowerRow* rowAt(QPointF position) const;

    std::vector<Group> m_groups;
    QString m_reason;
};

} // namespace quadric::widgets
