// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/sheets/factor_table_model.h"

#include "core/study/study.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/base/typed_value.h"

#include <QPainter>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

using study::FactorType;

namespace {

/// A number with a mistake is one all the same: "1O", "50 °C".
bool looksLikeNumber(const QString& cell)
{
    static const QRegularExpression begin(QStringLiteral("^[-+.,]?\\d"));
    return begin.match(cell).hasMatch() && listIn(cell).size() < 2;
}

/// A change of type keeps what still makes sense and fills in the rest, so that the row stays sound.
study::Factor withType(study::Factor factor, FactorType type)
{
    if (type == FactorType::Discrete && factor.levels.empty())
        factor.levels = {factor.low, factor.high};
    if (type == FactorType::Categorical && factor.categories.empty())
        factor.categories = {"A", "B"};
    if (type != FactorType::Discrete)
        factor.levels.clear();
    if (type != FactorType::Categorical)
        factor.categories.clear();
    if (type != FactorType::Integer)
        factor.multipleOf = 1;
    if (type == FactorType::Categorical)
        factor.scale = study::Scale::Linear;
    factor.type = type;
    return factor;
}

std::optional<std::vector<double>> numbersIn(const QStringList& parts)
{
    std::vector<double> numbers;
    for (const QString& part : parts) {
        const auto number = parseTypedNumber(part);
        if (!number)
            return std::nullopt;
        numbers.push_back(*number);
    }
    return numbers;
}

study::Factor withNumbers(study::Factor factor, std::vector<double> levels)
{
    std::sort(levels.begin(), levels.end());
    if (!levels.empty()) {
        factor.low = levels.front();
        factor.high = levels.back();
    }
    factor.type = FactorType::Discrete;
    factor.levels = std::move(levels);
    factor.multipleOf = 1;
    return factor;
}

study::Factor withNames(study::Factor factor, const QStringList& names)
{
    factor = withType(std::move(factor), FactorType::Categorical);
    factor.categories.clear();
    for (const QString& name : names)
        factor.categories.push_back(name.toStdString());
    return factor;
}

bool isWhole(double value)
{
    return value == std::floor(value) && std::abs(value) <= 1e9;
}

/// Between low and high in steps: whole numbers as multiples, others as a list. Nothing where the steps are
/// too small for the range, or do not lead from low to high.
std::optional<study::Factor> withStep(study::Factor factor, double step)
{
    constexpr double kMostSteps = 100.0;
    const bool isMultiple = isWhole(step) && isWhole(factor.low / step) && isWhole(factor.high / step);
    if (step > 0.0 && (isMultiple || (factor.type == FactorType::Integer && isWhole(step)))) {
        factor = withType(std::move(factor), FactorType::Integer);
        factor.multipleOf = std::llround(step);
        return factor;
    }
    const double steps = std::round((factor.high - factor.low) / step);
    if (!(step > 0.0) || !(steps >= 1.0) || steps > kMostSteps ||
        std::abs(factor.low + steps * step - factor.high) > 1e-9 * std::abs(factor.high - factor.low))
        return std::nullopt;
    std::vector<double> levels;
    for (int i = 0; i <= int(steps); ++i)
        levels.push_back(QString::number(factor.low + i * step, 'g', 12).toDouble());
    return withNumbers(std::move(factor), std::move(levels));
}

/// A list makes the factor discrete or categorical, whichever its levels are; a single number is a step.
std::optional<study::Factor> withLevels(study::Factor factor, const QString& typed)
{
    static const QRegularExpression stepWord(QStringLiteral("^(×|x |step:?)\\s*"));
    const QString text = QString(typed).remove(stepWord).trimmed();
    const QStringList parts = listIn(text);
    const auto numbers = numbersIn(parts);
    if (factor.type == FactorType::Categorical)
        return withNames(std::move(factor), parts);
    if (parts.size() > 1)
        return numbers ? withNumbers(std::move(factor), *numbers) : withNames(std::move(factor), parts);
    if (factor.type == FactorType::Discrete)
        return numbers ? std::optional(withNumbers(std::move(factor), *numbers)) : std::nullopt;
    if (parts.isEmpty()) {
        factor.multipleOf = 1;
        return factor;
    }
    return numbers ? withStep(std::move(factor), numbers->front()) : std::nullopt;
}

constexpr size_t kMostTicks = 64;

/// Paints the scale of a sound numeric factor into `line`.
void paintScale(QPainter& painter, const QRectF& line, const study::Factor& factor, const PlotColors& colors)
{
    const study::Coding coding({factor});
    const auto place = [&](double actual) {
        return line.left() + line.width() * (0.5 + 0.5 * coding.toCoded(0, actual));
    };
    painter.setPen(QPen(colors.grid, 1));
    painter.drawLine(QPointF(line.left(), line.center().y()), QPointF(line.right(), line.center().y()));
    painter.setPen(QPen(colors.axis, 1));
    for (const double value : study::legalValues(factor, factor.low, factor.high, kMostTicks))
        painter.drawLine(QPointF(place(value), line.center().y() - 2),
                         QPointF(place(value), line.center().y() + 2));
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.accent);
    for (const double coded : {-1.0, 0.0, 1.0})
        painter.drawEllipse(
            QPointF(place(study::snapToLegal(factor, coding.toActual(0, coded))), line.center().y()), 3, 3);
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

std::optional<study::Factor> FactorTableModel::withCellText(const study::Factor& factor, int column,
                                                            const QString& text) const
{
    return withCell(factor, column, text);
}

QString FactorTableModel::describeRefusal(const study::Factor& factor, int column, const QString& text) const
{
    const QString name = QString::fromStdString(factor.name);
    switch (column) {
    case Low:
        return explainInvalidNumber(tr("The low of %1").arg(name), text);
    case High:
        return explainInvalidNumber(tr("The high of %1").arg(name), text);
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
        else if (parseTypedNumber(cell) || looksLikeNumber(cell))
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

QStringList listIn(const QString& text)
{
    static const QRegularExpression semicolons(QStringLiteral(";|,(?=\\s)")); // 0,5; 1,5
    static const QRegularExpression commas(QStringLiteral(","));
    static const QRegularExpression blanks(QStringLiteral("\\s"));
    const auto& separator = text.contains(QLatin1Char(';'))   ? semicolons
                            : text.contains(QLatin1Char(',')) ? commas
                                                              : blanks;
    QStringList parts;
    for (const QString& part : text.split(separator))
        if (!part.trimmed().isEmpty())
            parts << part.trimmed();
    return parts;
}

QString levelsText(const study::Factor& factor)
{
    QStringList parts;
    for (const double level : factor.levels)
        parts << QString::fromStdString(study::toText(level));
    for (const auto& category : factor.categories)
        parts << QString::fromStdString(category);
    if (factor.type == FactorType::Integer)
        return factor.multipleOf > 1 ? FactorTableModel::tr("step %1").arg(factor.multipleOf) : QString();
    return factor.type == FactorType::Continuous ? QString() : parts.join(QStringLiteral(", "));
}

QStringList usedValues(const study::Factor& factor)
{
    QStringList values;
    if (!factor.isNumeric()) {
        for (const auto& category : factor.categories)
            values << QString::fromStdString(category);
        return values;
    }
    try {
        const study::Coding coding({factor});
        for (const double coded : {-1.0, 0.0, 1.0})
            values << QString::number(study::snapToLegal(factor, coding.toActual(0, coded)), 'g', 4);
        values.removeDuplicates(); // 1 and 2 have no middle
    } catch (const std::exception&) {
        return {};
    }
    return values;
}

std::optional<study::Factor> withCell(study::Factor factor, int column, const QString& typed)
{
    const QString text = typed.trimmed();
    const auto number = parseTypedNumber(text);
    switch (column) {
    case FactorTableModel::Name:
        factor.name = text.toStdString();
        return factor;
    case FactorTableModel::Unit:
        factor.unit = text.toStdString();
        return factor;
    case FactorTableModel::Type:
        if (const auto type = study::factorTypeFrom(text.toStdString()))
            return withType(std::move(factor), *type);
        return std::nullopt;
    case FactorTableModel::Low:
    case FactorTableModel::High:
        if (!number)
            return std::nullopt;
        (column == FactorTableModel::Low ? factor.low : factor.high) = *number;
        return factor;
    case FactorTableModel::ScaleColumn:
        if (const auto scale = study::scaleFrom(text.toStdString())) {
            factor.scale = *scale;
            return factor;
        }
        return std::nullopt;
    case FactorTableModel::Levels:
        return withLevels(std::move(factor), text);
    default:
        return std::nullopt;
    }
}

ValueScaleDelegate::ValueScaleDelegate(const FactorTableModel& model, QObject* parent)
    : QStyledItemDelegate(parent)
    , m_model(model)
{
}

void ValueScaleDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                               const QModelIndex& index) const
{
    if (index.row() >= m_model.recordCount()) {
        QStyledItemDelegate::paint(painter, option, index);
        return;
    }
    const study::Factor& factor = m_model.factors()[size_t(index.row())];
    const bool isSound = factor.isNumeric() && !usedValues(factor).isEmpty();
    QStyleOptionViewItem upper = option;
    if (isSound)
        upper.rect.setHeight(option.rect.height() - 12);
    QStyledItemDelegate::paint(painter, upper, index);
    if (!isSound)
        return;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const double width = std::min(240, option.rect.width() - 3 * kGap);
    const QRectF line(option.rect.left() + kGap, option.rect.bottom() - 12, width, 8);
    try {
        paintScale(*painter, line, factor, plotColors(option.palette));
    } catch (const std::exception&) {
        // usedValues() said that the factor is sound; a value outside its scale is only not drawn
    }
    painter->restore();
}

} // namespace quadric::widgets
