// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/factor.h"

#include <QAbstractTableModel>

namespace quadric::widgets {

/// The factors of a study as a table that is typed into like a spreadsheet.
class FactorTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, Unit, Type, Low, High, ScaleColumn, Levels, Used, kColumns };

    using QAbstractTableModel::QAbstractTableModel;

    void setFactors(const std::vector<study::Factor>& factors);
    const std::vector<study::Factor>& factors() const { return m_factors; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

signals:
    /// The user changed the table; factors() is what it says now.
    void edited();

private:
    QString text(const study::Factor& factor, int column) const;
    bool canEdit(const study::Factor& factor, int column) const;

    std::vector<study::Factor> m_factors;
};

/// The values that a design with three levels uses of this factor: at −1, 0 and +1, after rounding to what
/// can be run; the level names of a categorical one. Empty while the factor is not sound.
QStringList usedValues(const study::Factor& factor);

/// The factor with one cell of its table row changed; nothing when the text means no such value.
std::optional<study::Factor> withCell(study::Factor factor, int column, const QString& typed);

} // namespace quadric::widgets
