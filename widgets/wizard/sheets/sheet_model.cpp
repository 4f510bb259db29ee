// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/sheets/sheet_model.h"

#include "widgets/base/theme.h"

#include <QGuiApplication>
#include <QRegularExpression>

namespace quadric::widgets {

namespace {

int cellAlignmentFlags(const SheetColumn& column)
{
    return int((column.isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

} // namespace

SheetModel::SheetModel(std::vector<SheetColumn> columns, QObject* parent)
    : QAbstractTableModel(parent)
    , m_columns(std::move(columns))
    , m_emptyRows(0)
{
}

SheetModel::SheetModel(std::vector<SheetColumn> columns, QString invitation, QObject* parent)
    : QAbstractTableModel(parent)
    , m_columns(std::move(columns))
    , m_invitation(std::move(invitation))
    , m_emptyRows(1)
{
}

int SheetModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : recordCount() + m_emptyRows;
}

int SheetModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_columns.size());
}

QVariant SheetModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const SheetColumn& column = m_columns[size_t(section)];
    if (role == Qt::DisplayRole)
        return column.title;
    if (role == Qt::TextAlignmentRole)
        return cellAlignmentFlags(column);
    if (role == Qt::ToolTipRole && !column.tooltip.isEmpty())
        return column.tooltip;
    return {};
}

QVariant SheetModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const SheetColumn& column = m_columns[size_t(index.column())];
    if (role == Qt::TextAlignmentRole)
        return cellAlignmentFlags(column);
    if (index.row() >= recordCount())
        return emptyRowData(index.column(), role);
    if (const CellProblem* problem = problemAt(index.row(), index.column())) {
        if (QVariant marked = problemData(*problem, role); marked.isValid())
            return marked;
    }
    if (role == Qt::ToolTipRole && !column.tooltip.isEmpty())
        return column.tooltip;
    return recordData(index.row(), index.column(), role);
}

/// Only the first column of the empty row says anything.
QVariant SheetModel::emptyRowData(int column, int role) const
{
    if (role == Qt::DisplayRole && column == 0)
        return m_invitation;
    if (role == Qt::ForegroundRole)
        return QGuiApplication::palette().color(QPalette::PlaceholderText);
    return {};
}

QVariant SheetModel::problemData(const CellProblem& problem, int role) const
{
    const PlotColors colors = plotColors(QGuiApplication::palette());
    if (role == Qt::BackgroundRole)
        return blend(problem.isError ? colors.error : colors.warning, colors.background, 0.25);
    if (role == Qt::ToolTipRole || role == Qt::AccessibleDescriptionRole)
        return problem.words;
    return {};
}

QVariant SheetModel::recordData(int row, int column, int role) const
{
    if (role != Qt::DisplayRole && role != Qt::EditRole && role != Qt::ForegroundRole)
        return {};
    const auto refused = m_refused.find({row, column});
    const QString text = refused != m_refused.end() ? refused->second : cellText(row, column);
    const bool isHint = text.isEmpty() && refused == m_refused.end();
    if (role == Qt::ForegroundRole)
        return isHint ? QVariant(QGuiApplication::palette().color(QPalette::PlaceholderText)) : QVariant();
    return isHint && role == Qt::DisplayRole ? hintText(row, column) : text;
}

Qt::ItemFlags SheetModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    flags.setFlag(Qt::ItemIsEditable, canType(index.row(), index.column()));
    return flags;
}

bool SheetModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || !index.isValid() || !canType(index.row(), index.column()))
        return false;
    const QString text = value.toString();
    if (index.row() == recordCount()) {
        if (text.trimmed().isEmpty())
            return true;
        addRecord();
    }
    const bool wasRefused = m_refused.contains({index.row(), index.column()});
    const Typed typed = enter(index.row(), index.column(), text);
    const bool isKept = typed == Typed::Refused && !m_invitation.isEmpty();
    if (isKept || wasRefused || typed == Typed::Changed) {
        emitRowsChanged(index.row(), index.row());
        emit edited();
    }
    return isKept || typed != Typed::Refused;
}

/// A new empty row comes under the one that becomes the record: a cell that is being typed into stays.
void SheetModel::addRecord()
{
    const int row = recordCount();
    beginInsertRows({}, row + 1, row + 1);
    ++m_emptyRows;
    endInsertRows();
    appendRecord();
    --m_emptyRows;
    emitRowsChanged(row, row);
}

/// Types into a cell. Tables that invite to type keep what they refuse.
SheetModel::Typed SheetModel::enter(int row, int column, const QString& text)
{
    const Typed typed = type(row, column, text);
    m_refused.erase({row, column});
    if (typed == Typed::Refused && !m_invitation.isEmpty())
        m_refused.emplace(Place(row, column), text);
    // What was refused in a cell that cannot be typed into any more does not matter any more.
    std::erase_if(m_refused, [&](const auto& item) {
        return item.first.first == row && !canType(row, item.first.second);
    });
    return typed;
}

void SheetModel::setProblems(std::vector<CellProblem> problems)
{
    if (problems == m_problems)
        return;
    m_problems = std::move(problems);
    emitRowsChanged(0, recordCount() - 1);
}

std::vector<CellProblem> SheetModel::refusals() const
{
    std::vector<CellProblem> found;
    for (const auto& [place, text] : m_refused)
        found.push_back({place.first, place.second, explainRefusal(place.first, place.second, text)});
    return found;
}

const CellProblem* SheetModel::problemAt(int row, int column) const
{
    const auto found = std::ranges::find_if(m_problems, [&](const CellProblem& problem) {
        return problem.row == row && problem.column == column;
    });
    return found == m_problems.end() ? nullptr : &*found;
}

void SheetModel::moveRefusals(const std::function<int(int)>& newRow)
{
    std::map<Place, QString> moved;
    for (const auto& [place, text] : m_refused) {
        if (const int row = newRow(place.first); row >= 0)
            moved.emplace(Place(row, place.second), text);
    }
    m_refused = std::move(moved);
}

void SheetModel::emitRowsChanged(int firstRow, int lastRow)
{
    if (firstRow <= lastRow)
        emit dataChanged(index(firstRow, 0), index(lastRow, columnCount() - 1));
}

/// The columns where all cells are headings; empty where they are not.
std::vector<int> SheetModel::columnsTitled(const QStringList& cells) const
{
    std::vector<int> columns;
    for (const QString& cell : cells) {
        const QString title = cell.trimmed().toLower();
        const auto found = std::ranges::find_if(m_columns, [&](const SheetColumn& column) {
            return column.title.toLower() == title || column.otherTitles.contains(title);
        });
        if (found == m_columns.end() && !title.isEmpty())
            return {};
        columns.push_back(found == m_columns.end() ? -1 : int(found - m_columns.begin()));
    }
    return columns;
}

void SheetModel::paste(int row, int column, const std::vector<QStringList>& rows)
{
    if (rows.empty())
        return;
    const bool isWhole =
        column == 0 && std::ranges::any_of(rows, [](const QStringList& cells) { return cells.size() > 1; });
    const std::vector<int> titled = isWhole ? columnsTitled(rows.front()) : std::vector<int>();
    for (size_t i = titled.empty() ? 0 : 1; i < rows.size(); ++i, ++row) {
        std::vector<int> columns = isWhole && titled.empty() ? columnsFor(rows[i]) : titled;
        for (int next = column; !isWhole && int(columns.size()) < rows[i].size(); ++next)
            columns.push_back(next < columnCount() ? next : -1);
        pasteRow(std::min(row, recordCount()), rows[i], columns, isWhole);
    }
    emitRowsChanged(0, recordCount() - 1);
    emit edited();
}

/// From left to right, cells for the same column together. A whole row takes the place of the one that is
/// there.
void SheetModel::pasteRow(int row, const QStringList& cells, const std::vector<int>& columns, bool isWhole)
{
    std::map<int, QStringList> texts;
    for (qsizetype i = 0; i < cells.size() && size_t(i) < columns.size(); ++i)
        if (columns[size_t(i)] >= 0 && !cells[i].trimmed().isEmpty())
            texts[columns[size_t(i)]] << cells[i].trimmed();
    if (texts.empty() || row >= rowCount())
        return;
    if (row == recordCount())
        addRecord();
    else if (isWhole)
        resetRecord(row);
    for (const auto& [column, parts] : texts)
        if (canType(row, column))
            enter(row, column, parts.join(QStringLiteral(", ")));
}

QString explainInvalidNumber(const QString& what, const QString& text)
{
    static const QRegularExpression digits(QStringLiteral("^[+-]?[\\d.,]+(e[+-]?\\d+)?$"),
                                           QRegularExpression::CaseInsensitiveOption);
    const QString typed = text.trimmed();
    const auto said = [&](const char* pattern) { return QString::fromUtf8(pattern).arg(what, typed); };
    if (typed.isEmpty())
        return QStringLiteral("%1 is empty, expected a number.").arg(what);
    if (digits.match(typed).hasMatch() && typed.contains(QLatin1Char('e'), Qt::CaseInsensitive))
        return said("%1, %2, is too large for a number.");
    if (digits.match(typed).hasMatch() && typed.contains(QLatin1Char(',')))
        return said("%1 is “%2”, which can be read in two ways: write it without a separator of thousands.");
    if (typed.endsWith(QLatin1Char('%')))
        return said("%1 is “%2”, expected a number: write % as the unit.");
    return said("%1 is “%2”, expected a number.");
}

} // namespace quadric::widgets
