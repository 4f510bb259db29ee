// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/text/text_table_model.h"

namespace quadric::widgets {

/// The status of a run; under the words of a run in progress lies a thin bar.
class StatusDelegate : public TableDelegate {
    Q_OBJECT

public:
    using TableDelegate::TableDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

} // namespace quadric::widgets
