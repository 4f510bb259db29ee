// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/response.h"

#include <QAbstractTableModel>

namespace quadric::widgets {

/// The responses of a study as a table that is typed into like a spreadsheet. An empty limit means: the
/// smallest or largest value that is observed.
class ResponseTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, Unit, GoalColumn, Target, Low, High, Weight, kColumns };

    using QAbstractTableModel::QAbstractTableModel;

    void setResponses(const std::vector<study::Response>& responses);
    const std::vector<study::Response>& responses() const { return m_responses; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

signals:
    /// The user changed the table; responses() is what it says now.
    void edited();

private:
    std::vector<study::Response> m_responses;
};

/// The response with one cell of its table row changed; nothing when the text means no such value.
std::optional<study::Response> withCell(study::Response response, int column, const QString& typed);

} // namespace quadric::widgets
