// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/sheets/factor_table_model.h"

#include "core/study/study.h"
#include "widgets/base/typed_number.h"
#include "widgets/wizard/sheets/refused_number.h"

#include <QRegularExpression>

#include <algorithm>

namespace quadric::widgets {

using study::FactorType;

namespace {

/// A number with a mistake is one all the same: "1O", "50 °C".
bool looksLikeNumber(const QString& cell)
{
    static const QRegularExpression begin(QStringLiteral("^[-+.,]?\\d"));
    return begin.match(cell).hasMatch() && listIn(cell).size() < 2;
}

} // namespace

FactorTableModel::FactorTableModel(QObject* parent)
    : RecordModel({{tr("Name"), false, {}, {"factor", "variable", "parameter"}},
                   {tr("Unit"), false, {}, {"units"}},
                   {tr("Type"), false, {}, {"kind"}},
                   {tr("Low"), true, {}, {"min", "minimum", "lower", "from", "-1"}},
                   {tr("High"), true, {}, {"max", "maximum", "upper", "to", "1", "+1"}},
                   {tr("Scale"), false, {}, {"spacing"}},
                   {tr("Levels (list) or step"),
                    false,
                    tr("The allowed values or names, with commas: 1, 2, 5 or Pd, Pt, Ni. Or one number: all "
                       "values are multiples of it."),
                    {"levels", "values", "step", "multiple", "multiple_of", "level"}},
                   {tr("Levels in the design"), false,
                    tr("The values that are run, after rounding to allowed ones.")}},
                  tr("Type or paste factors here"), parent)
{
}

study::Factor FactorTableModel::newRecord() const
{
    study::Factor factor;
    for (size_t i = records().size() + 1;
         factor.name.empty() ||
         std::ranges::find(records(), factor.name, &study::Factor::name) != records().end();
         ++i)
        factor.name = "factor_" + std::to_string(i);
    return factor;
}

std::optional<study::Factor> FactorTableModel::typedInto(const study::Factor& factor, int column,
                                                         const QString& text) const
{
    return withCell(factor, column, text);
}

QString FactorTableModel::refusalOf(const study::Factor& factor, int column, const QString& text) const
{
    const QString name = QString::fromStdString(factor.name);
    switch (column) {
    case Low:
        return whyNoNumber(tr("The low of %1").arg(name), text);
    case High:
        return whyNoNumber(tr("The high of %1").arg(name), text);
    case Type:
        return tr("The type of %1 is “%2”, expected continuous, integer, discrete or categorical.")
            .arg(name, text);
    case ScaleColumn:
        return tr("The scale of %1 is “%2”, expected linear or log2.").arg(name, text);
    default:
        return factor.type == FactorType::Discrete
                   ? tr("The levels of %1 are “%2”, expected numbers with commas.").arg(name, text)
                   : tr("The levels of %1 are “%2”, expected a list with commas, or a step that leads from "
                        "its low to its high.")
                         .arg(name, text);
    }
}

/// What stands in gray where nothing is typed yet.
QString FactorTableModel::hintOf(const study::Factor& factor, int column) const
{
    if (column != Levels || factor.type == FactorType::Discrete || !factor.isNumeric())
        return {};
    return factor.type == FactorType::Integer ? tr("step 1") : tr("any value");
}

/// The name first; then numbers are low and high, or levels where there are more, and a word is the unit.
std::vector<int> FactorTableModel::columnsFor(const QStringList& cells) const
{
    std::vector<int> columns(size_t(cells.size()), Name);
    std::vector<size_t> numbers, words;
    for (size_t i = 1; i < columns.size(); ++i) {
        const QString cell = cells[qsizetype(i)].trimmed();
        if (study::factorTypeFrom(cell.toStdString()))
            columns[i] = Type;
        else if (study::scaleFrom(cell.toStdString()))
            columns[i] = ScaleColumn;
        else if (typedNumber(cell) || looksLikeNumber(cell))
            numbers.push_back(i);
        else if (cell.isEmpty() || listIn(cell).size() > 1)
            columns[i] = Levels;
        else
            words.push_back(i);
    }
    const bool areRange = numbers.size() <= 2;
    for (size_t i = 0; i < numbers.size(); ++i)
        columns[numbers[i]] = !areRange ? Levels : i == 0 ? Low : High;
    for (size_t i = 0; i < words.size(); ++i)
        columns[words[i]] = i == 0 && (!numbers.empty() || words.size() == 1) ? Unit : Levels;
    return columns;
}

QString FactorTableModel::textOf(const study::Factor& factor, int column) const
{
    switch (column) {
    case Name:
        return QString::fromStdString(factor.name);
    case Unit:
        return QString::fromStdString(factor.unit);
    case Type:
        return QString::fromUtf8(study::nameOf(factor.type).data());
    case Low:
        return factor.isNumeric() ? QString::fromStdString(study::toText(factor.low)) : QString();
    case High:
        return factor.isNumeric() ? QString::fromStdString(study::toText(factor.high)) : QString();
    case ScaleColumn:
        return factor.isNumeric() ? QString::fromUtf8(study::nameOf(factor.scale).data()) : QString();
    case Levels:
        return levelsText(factor);
    default:
        return usedValues(factor).join(QStringLiteral(" · "));
    }
}

bool FactorTableModel::canTypeInto(const study::Factor& factor, int column) const
{
    switch (column) {
    case Low:
    case High:
        return factor.type == FactorType::Continuous || factor.type == FactorType::Integer;
    case ScaleColumn:
        return factor.isNumeric();
    case Used:
        return false;
    default:
        return true;
    }
}

} // namespace quadric::widgets
