// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/factor.h"
#include "widgets/wizard/sheets/sheet_model.h"

#include <QStyledItemDelegate>

namespace quadric::widgets {

/// The factors of a study as a table that is typed into like a spreadsheet.
class FactorTableModel final : public RecordModel<study::Factor> {
    Q_OBJECT

public:
    enum Column { Name, Unit, Type, Low, High, ScaleColumn, Levels, Used };

    explicit FactorTableModel(QObject* parent = nullptr);

    void setFactors(const std::vector<study::Factor>& factors) { show(factors); }
    const std::vector<study::Factor>& factors() const { return records(); }
    /// With a name that no other factor has.
    study::Factor newRecord() const override;

protected:
    QString textOf(const study::Factor& factor, int column) const override;
    bool canTypeInto(const study::Factor& factor, int column) const override;
    std::optional<study::Factor> withCellText(const study::Factor& factor, int column,
                                              const QString& text) const override;
    QString describeRefusal(const study::Factor& factor, int column, const QString& text) const override;
    QString hintOf(const study::Factor& factor, int column) const override;
    std::vector<int> columnsFor(const QStringList& cells) const override;
};

/// The parts of a list: between commas or semicolons, or blanks where there are neither.
QStringList listIn(const QString& text);

/// "1, 2, 5", "Pd, Pt, Ni", "step 8"; empty where every value between low and high is allowed.
QString levelsText(const study::Factor& factor);

/// The values that a design with three levels uses of this factor: at −1, 0 and +1, after rounding to what
/// can be run; the level names of a categorical one. Empty while the factor is not sound.
QStringList usedValues(const study::Factor& factor);

/// The factor with one cell of its table row changed; nothing when the text means no such value.
std::optional<study::Factor> withCell(study::Factor factor, int column, const QString& typed);

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
