// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/factor.h"
#include "widgets/wizard/sheets/sheet_model.h"

namespace quadric::widgets {

/// A setting that all runs share.
struct FixedSetting {
    std::string name = {};
    study::Value value = 0.0;
    bool operator==(const FixedSetting&) const = default;
};

/// The fixed settings of a study as a table that is typed into like a spreadsheet.
class FixedTableModel final : public RecordModel<FixedSetting> {
    Q_OBJECT

public:
    enum Column { Name, ValueColumn };

    explicit FixedTableModel(QObject* parent = nullptr);

    /// Rows that already mean these settings stay as they are.
    void setSettings(const study::Settings& settings);
    study::Settings settings() const;

protected:
    QString textOf(const FixedSetting& setting, int column) const override;
    bool canTypeInto(const FixedSetting& setting, int column) const override;
    std::optional<FixedSetting> typedInto(const FixedSetting& setting, int column,
                                          const QString& text) const override;
    QString refusalOf(const FixedSetting& setting, int column, const QString& text) const override;
    FixedSetting newRecord() const override;
    std::vector<int> columnsFor(const QStringList& cells) const override;
};

} // namespace quadric::widgets
