// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace quadric::widgets {

class FactorTableModel;

/// The values that the runs use, with a small scale under them: a tick for every legal value, a dot for each
/// that is used.
class ValueScaleDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    ValueScaleDelegate(const FactorTableModel& model, QObject* parent);
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;

private:
    const FactorTableModel& m_model;
};

} // namespace quadric::widgets
