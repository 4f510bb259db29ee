// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/factor.h"
#include "core/study/response.h"
#include "widgets/wizard/sheets/sheet_model.h"

namespace quadric::widgets {

/// The responses of a study as a table that is typed into like a spreadsheet. An empty limit means: the
/// smallest or largest value that is observed.
class ResponseTableModel final : public RecordModel<study::Response> {
    Q_OBJECT

public:
    enum Column { Name, Unit, GoalColumn, Target, Low, High, Weight, BoundsColumn };

    explicit ResponseTableModel(QObject* parent = nullptr);

    void setResponses(const std::vector<study::Response>& responses) { show(responses); }
    const std::vector<study::Response>& responses() const { return records(); }
    /// With a name that no other response has.
    study::Response newRecord() const override;

protected:
    QString textOf(const study::Response& response, int column) const override;
    bool canTypeInto(const study::Response& response, int column) const override;
    std::optional<study::Response> withCellText(const study::Response& response, int column,
                                                const QString& text) const override;
    QString describeRefusal(const study::Response& response, int column, const QString& text) const override;
    std::vector<int> columnsFor(const QStringList& cells) const override;
};

/// The response with one cell of its table row changed; nothing when the text means no such value.
std::optional<study::Response> withCell(study::Response response, int column, const QString& typed);

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
    std::optional<FixedSetting> withCellText(const FixedSetting& setting, int column,
                                             const QString& text) const override;
    QString describeRefusal(const FixedSetting& setting, int column, const QString& text) const override;
    FixedSetting newRecord() const override;
    std::vector<int> columnsFor(const QStringList& cells) const override;
};

} // namespace quadric::widgets
