// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/matrix/matrix_clipboard.h"

#include "widgets/base/typed_value.h"
#include "widgets/text/wording.h"

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr qsizetype kMostCells = 200000;

using Cells = std::vector<QStringList>;

/// Lines of cells; tabs where there are any, otherwise semicolons.
Cells splitCells(QString text)
{
    text.replace(QStringLiteral("\r\n"), QStringLiteral("\n")).replace(QLatin1Char('\r'), QLatin1Char('\n'));
    while (text.endsWith(QLatin1Char('\n')))
        text.chop(1);
    const QChar separator = text.contains(QLatin1Char('\t')) || !text.contains(QLatin1Char(';'))
                                ? QLatin1Char('\t')
                                : QLatin1Char(';');
    Cells cells;
    for (const QString& line : text.split(QLatin1Char('\n'))) {
        QStringList row;
        for (QString cell : line.split(separator))
            row << cell.remove(QLatin1Char('"')).simplified();
        cells.push_back(row);
    }
    return cells;
}

/// True for the name itself, and with a unit as tables write it.
bool isNamed(const QString& heading, const QString& name)
{
    const QString rest = heading.mid(name.size());
    const bool hasUnit = rest.startsWith(QLatin1String(" (")) || rest.startsWith(QLatin1String(" [")) ||
                         rest.startsWith(QLatin1String(" / "));
    return heading.startsWith(name, Qt::CaseInsensitive) && (rest.isEmpty() || hasUnit);
}

/// The column of the matrix that a heading names: as the matrix is copied, and as it is exported.
std::optional<MatrixColumn> columnNamed(const RunMatrix& matrix, const QString& heading)
{
    for (const auto& [name, kind] : {std::pair("run", MatrixColumn::Number), {"order", MatrixColumn::Order}})
        if (heading.compare(QLatin1String(name), Qt::CaseInsensitive) == 0)
            return MatrixColumn{kind};
    if (heading.endsWith(QLatin1String(" (coded)")))
        return std::nullopt; // the actual values beside them say the same
    std::vector<MatrixColumn> known = {{MatrixColumn::Number}, {MatrixColumn::Order}};
    for (size_t i = 0; i < matrix.factors().size(); ++i)
        known.push_back({MatrixColumn::Setting, i});
    for (size_t i = 0; i < matrix.responses().size(); ++i)
        known.push_back({MatrixColumn::Result, i});
    for (const MatrixColumn& column : known)
        if (heading.compare(matrix.plainHeading(column), Qt::CaseInsensitive) == 0)
            return column;
    for (const MatrixColumn& column : known)
        if (isNamed(heading, matrix.plainHeading(column)))
            return column;
    return std::nullopt;
}

/// Takes pasted cells one by one.
class Pasting {
public:
    Pasting(const study::Study& study, const RunMatrix& matrix, MatrixEdits allowed)
        : m_paste{study, 0, {}, {}}
        , m_matrix(matrix)
        , m_allowed(allowed)
    {
    }

    void take(int line, int runId, const MatrixColumn& column, const QString& text);
    void addPasteProblem(int line, const QString& what)
    {
        m_paste.problems << tr("Line %1: %2").arg(line).arg(what);
    }
    void refuse(int line, const RefusedPaste& refused)
    {
        addPasteProblem(line, refused.cell.reason);
        m_paste.refused.push_back(refused);
    }
    Paste result() && { return std::move(m_paste); }

private:
    void pasteResult(int line, int runId, const std::string& response, const QString& text);
    void pasteSetting(int line, int runId, const MatrixColumn& column, const QString& text);
    bool isPresent(int runId, const MatrixColumn& column, const QString& text) const;
    void acceptPastedStudy(study::Study after)
    {
        m_paste.taken += after != m_paste.study ? 1 : 0;
        m_paste.study = std::move(after);
    }

    Paste m_paste;
    const RunMatrix& m_matrix;
    MatrixEdits m_allowed;
};

void Pasting::take(int line, int runId, const MatrixColumn& column, const QString& text)
{
    if (text.isEmpty())
        return;
    if (column.kind == MatrixColumn::Result)
        pasteResult(line, runId, m_matrix.nameOf(column), text);
    else if (column.kind == MatrixColumn::Setting)
        pasteSetting(line, runId, column, text);
}

void Pasting::pasteResult(int line, int runId, const std::string& response, const QString& text)
{
    const study::Response* measured = study::findResponse(m_paste.study, response);
    const auto number = parseQuantity(text, measured ? measured->unit : std::string());
    const QString name = QString::fromStdString(response);
    if (!number)
        return refuse(line,
                      {runId,
                       name,
                       {text, tr("%1 of run %2 is “%3”, expected a number").arg(name).arg(runId).arg(text)}});
    const study::Run* run = study::findRun(m_paste.study, runId);
    const auto found = run->results.find(response);
    if (found != run->results.end() && found->second == *number)
        return;
    if (!m_allowed.results)
        return addPasteProblem(
            line, tr("%1 of run %2 is measured by the program and cannot be pasted").arg(name).arg(runId));
    acceptPastedStudy(withTypedResult(m_paste.study, runId, response, number));
}

void Pasting::pasteSetting(int line, int runId, const MatrixColumn& column, const QString& text)
{
    if (isPresent(runId, column, text))
        return;
    if (!m_allowed.settings)
        return addPasteProblem(
            line, tr("%1 of run %2 is “%3” here and something else in the study, whose settings cannot be "
                     "changed now")
                      .arg(QString::fromStdString(m_matrix.nameOf(column)))
                      .arg(runId)
                      .arg(text));
    Edit edit = withSetting(m_paste.study, runId, m_matrix.nameOf(column), text);
    if (!edit.isPossible())
        return refuse(line, {runId, QString::fromStdString(m_matrix.nameOf(column)), {text, edit.problem}});
    acceptPastedStudy(std::move(edit.study));
}

/// Spreadsheets round what they show: nine digits say that a setting is the same.
bool Pasting::isPresent(int runId, const MatrixColumn& column, const QString& text) const
{
    const study::Run& run = *study::findRun(m_paste.study, runId);
    const double present = m_matrix.number(run, column);
    const auto pasted = parseTypedNumber(text);
    if (std::isnan(present) || !pasted)
        return m_matrix.exactText(run, column) == text;
    return std::abs(present - *pasted) <= 1e-9 * std::max(std::abs(present), std::abs(*pasted));
}

/// Runs in the order in which the lines are meant for them: by their number where a column says it.
std::optional<int> runOfLine(const study::Study& study, const std::vector<int>& runs, size_t line,
                             const QStringList& cells, int numberColumn, QString& problem)
{
    if (numberColumn < 0) {
        if (line < runs.size())
            return runs[line];
        problem = tr("more lines than runs");
        return std::nullopt;
    }
    bool isNumber = false;
    const int id = cells.value(numberColumn).toInt(&isNumber);
    if (isNumber && study::findRun(study, id))
        return id;
    problem = tr("run “%1” is not in this study").arg(cells.value(numberColumn));
    return std::nullopt;
}

/// What each pasted column means: by its heading, or by its place.
std::vector<std::optional<MatrixColumn>> meaningOf(const RunMatrix& matrix, const PasteTarget& target,
                                                   const Cells& cells, bool hasHeadings)
{
    std::vector<std::optional<MatrixColumn>> columns;
    for (qsizetype i = 0; i < cells.front().size(); ++i) {
        if (hasHeadings)
            columns.push_back(columnNamed(matrix, cells.front()[i]));
        else if (size_t(i) < target.columns.size())
            columns.push_back(target.columns[size_t(i)]);
    }
    return columns;
}

/// A single cell as often as cells are selected.
Cells repeatOverTarget(Cells cells, const PasteTarget& target)
{
    if (cells.size() != 1 || cells.front().size() != 1)
        return cells;
    const QStringList line(target.selectedColumns, cells.front().front());
    return Cells(size_t(target.selectedRows), line);
}

} // namespace

QString formatRunsForClipboard(const RunMatrix& matrix, const std::vector<int>& runIds)
{
    QStringList lines, cells;
    for (const MatrixColumn& column : matrix.columns())
        cells << matrix.plainHeading(column);
    lines << cells.join(QLatin1Char('\t'));
    for (const int id : runIds) {
        const auto run = std::ranges::find(matrix.runs(), id, &study::Run::id);
        if (run == matrix.runs().end())
            continue;
        cells.clear();
        for (const MatrixColumn& column : matrix.columns())
            cells << matrix.exactText(*run, column);
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

Paste pasteInto(const study::Study& study, const RunMatrix& matrix, const PasteTarget& target,
                MatrixEdits allowed, const QString& text)
{
    Pasting pasting(study, matrix, allowed);
    if (text.size() > kMostCells * 20) {
        pasting.addPasteProblem(1, tr("this is too much text for a matrix of runs"));
        return std::move(pasting).result();
    }
    const Cells cells = repeatOverTarget(splitCells(text), target);
    const bool hasHeadings = std::ranges::any_of(
        cells.front(), [&](const QString& cell) { return columnNamed(matrix, cell).has_value(); });
    const auto columns = meaningOf(matrix, target, cells, hasHeadings);
    const auto number = std::ranges::find(columns, std::optional(MatrixColumn{MatrixColumn::Number}));
    const int numberColumn = hasHeadings && number != columns.end() ? int(number - columns.begin()) : -1;
    for (size_t i = hasHeadings ? 1 : 0; i < cells.size(); ++i) {
        const int line = int(i) + 1;
        QString problem;
        const auto run =
            runOfLine(study, target.runs, i - (hasHeadings ? 1 : 0), cells[i], numberColumn, problem);
        if (!run) {
            pasting.addPasteProblem(line, problem);
            continue;
        }
        for (size_t c = 0; c < columns.size() && qsizetype(c) < cells[i].size(); ++c)
            if (columns[c])
                pasting.take(line, *run, *columns[c], cells[i][qsizetype(c)]);
        if (!hasHeadings && cells[i].size() > qsizetype(target.columns.size()))
            pasting.addPasteProblem(line, tr("there are more cells than columns"));
    }
    return std::move(pasting).result();
}

} // namespace quadric::widgets
