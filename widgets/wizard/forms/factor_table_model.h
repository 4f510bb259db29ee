// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/factor.h"
#include "widgets/wizard/forms/sheet_model.h"

namespace quadric::widgets {

/// The factors of a study as a table that is typed into like a spreadsheet.
class FactorTableModel final : public RecordModel<study::Factor> {
    Q_OBJECT

public:
    enum Column { Name, Unit, Type, Low, High, ScaleColumn, Levels, Used };

    explicit FactorTableModel(QObject* parent = nullptr);

    void setFactors(const std::vector<study::Factor>& factors) { show(factors); }
    const std::vector<study::Factor>& factors() const { return records(); }

protected:
    QString textOf(const study::Factor& factor, int column) const override;
    bool canTypeInto(const study::Factor& factor, int column) const override;
    std::optional<study::Factor> typedInto(const study::Factor& factor, int column,
                                           const QString& text) const override;
};

/// The values that a design with three levels uses of this factor: at −1, 0 and +1, after rounding to what
/// can be run; the level names of a categorical one. Empty while the factor is not sound.
QStringList usedValues(const study::Factor& factor);

/// The factor with one cell of its table row changed; nothing when the text means no such value.
std::optional<study::Factor> withCell(study::Factor factor, int column, const QString& typed);

} // namespace quadric::widgets
