// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/launch/printed_number.h"

#include "core/text/typed_text.h"

#include <QRegularExpression>

#include <cmath>
#include <limits>

namespace quadric::run {

namespace {

constexpr qsizetype kTailShown = 4; ///< characters of what makes a spelling doubtful

/// Grouped by commas, no-break or thin blanks, apostrophes; by points before a decimal comma; with
/// underscores anywhere; with a decimal comma; plain. Then an exponent, also as Fortran prints it.
const QRegularExpression& numberExpression()
{
    static const QRegularExpression expression(
        QStringLiteral("(?:(?<![\\w.)\\]])[-+\\x{2212}])?"
                       "(?:(?<grouped>\\d{1,3}(?:(?:,\\d{3})+|(?:[\\x{a0}\\x{202f}\\x{2009}]\\d{3})+|(?:['"
                       "\\x{2019}]\\d{3})+)"
                       "(?:\\.\\d+)?(?![\\d,]))"
                       "|(?<pointed>\\d{1,3}(?:\\.\\d{3})+,\\d+(?!\\d))"
                       "|(?<comma>\\d+,\\d+(?![\\d,.]))"
                       "|(?<plain>\\d+(?:_\\d+)*(?:\\.\\d*)?|\\.\\d+))"
                       "(?:[eE][-+\\x{2212}]?\\d+|[dD][-+]\\d+)?"
                       "|(?<none>(?<!\\w)[-+\\x{2212}]?(?:nan|inf(?:inity)?)(?!\\w))"),
        QRegularExpression::CaseInsensitiveOption);
    return expression;
}

double parseNone(const QString& text)
{
    const double sign = text.startsWith(QLatin1Char('-')) || text.startsWith(QChar(0x2212)) ? -1.0 : 1.0;
    return text.contains(QLatin1String("inf"), Qt::CaseInsensitive)
               ? sign * std::numeric_limits<double>::infinity()
               : std::numeric_limits<double>::quiet_NaN();
}

/// The value of a spelling in which separators of thousands and of decimals are told apart.
double parseSpelling(QString text, bool hasDecimalComma)
{
    text.remove(QLatin1Char('_')).replace(QChar(0x2212), QLatin1Char('-'));
    text.replace(QLatin1Char('d'), QLatin1Char('e'), Qt::CaseInsensitive);
    return text::readNumber(text.toStdString(), hasDecimalComma ? ',' : '.')
        .value_or(std::numeric_limits<double>::infinity());
}

QChar charBefore(QStringView line, qsizetype at)
{
    return at > 0 ? line[at - 1] : QChar();
}

/// "(64,128" and "[1,5" begin lists: a comma in them separates.
bool beginsList(QStringView line, qsizetype at)
{
    const QChar before = charBefore(line, at);
    return before == QLatin1Char('(') || before == QLatin1Char('[') || before == QLatin1Char(',') ||
           before == QLatin1Char('{');
}

/// Length of " 234" or " 234 567.8" behind up to three digits; 0 where nothing of the kind follows.
qsizetype findBlankGroups(QStringView line, const PrintedNumber& number)
{
    static const QRegularExpression head(QStringLiteral("^[-+\\x{2212}]?\\d{1,3}$"));
    static const QRegularExpression groups(
        QStringLiteral("^(?: \\d{3})+(?:[.,]\\d+)?(?:[eE][-+]?\\d+)?(?![\\d,.]|\\s\\d)"));
    if (!head.match(line.mid(number.start, number.length).toString()).hasMatch())
        return 0;
    return groups.match(line.mid(number.end()).toString()).capturedLength();
}

/// Blanks separate thousands behind "throughput: "; behind a word alone there may be two numbers, and in a
/// column there are.
void takeBlankGroups(QStringView line, PrintedNumber& number)
{
    const qsizetype length = findBlankGroups(line, number);
    const QStringView before = line.left(number.start).trimmed();
    if (length == 0 || before.isEmpty())
        return;
    if (before.endsWith(QLatin1Char(':')) || before.endsWith(QLatin1Char('='))) {
        number.length += length;
        const QString text = line.mid(number.start, number.length).toString();
        number.value = parseSpelling(text, text.contains(QLatin1Char(',')));
    } else if (before.back().isLetter()) {
        number.doubt = "may be one number or two";
    }
}

/// What follows makes the spelling another one, which is not read.
std::string findSpellingDoubt(QStringView tail)
{
    static const QRegularExpression strange(
        QStringLiteral("^(?:(?<hex>x[0-9a-f])|(?<clock>:\\d\\d(?!\\d))|(?<version>\\.\\d)|"
                       "(?<power>\\s?[\\x{d7}x*]\\s?10(?:\\^|\\*\\*|[\\x{207b}\\x{b9}\\x{b2}\\x{b3}\\x{2070}-"
                       "\\x{2079}])))"),
        QRegularExpression::CaseInsensitiveOption);
    const QRegularExpressionMatch match = strange.match(tail.toString());
    if (!match.captured(QStringLiteral("hex")).isEmpty())
        return "is a hexadecimal number";
    if (!match.captured(QStringLiteral("clock")).isEmpty())
        return "is a time of the clock; print seconds";
    if (!match.captured(QStringLiteral("version")).isEmpty())
        return "has two decimal points";
    return match.hasMatch() ? "has its exponent written out; print it like 1.5e-7" : "";
}

/// "gpu" of "gpu0", "top-" of "top-1".
bool endsWithName(QStringView before)
{
    if (before.endsWith(QLatin1Char('_')))
        return true;
    const QStringView name = before.endsWith(QLatin1Char('-')) ? before.chopped(1) : before;
    return !name.isEmpty() && name.back().isLetter();
}

PrintedNumber makeNumber(QStringView line, const QRegularExpressionMatch& match)
{
    PrintedNumber number{.start = match.capturedStart(), .length = match.capturedLength()};
    const QString text = match.captured();
    if (!match.captured(QStringLiteral("none")).isEmpty()) {
        number.value = parseNone(text);
        return number;
    }
    const bool isComma = !match.captured(QStringLiteral("comma")).isEmpty();
    const bool isZero = text.startsWith(QLatin1String("0,"));
    number.value =
        parseSpelling(text, isComma || isZero || !match.captured(QStringLiteral("pointed")).isEmpty());
    number.isInWord = endsWithName(line.left(number.start));
    number.doubt = std::isfinite(number.value) ? findSpellingDoubt(line.mid(number.end())) : "is too large";
    takeBlankGroups(line, number);
    return number;
}

/// The first number of a list whose entries are separated by commas without blanks.
PrintedNumber makeFirstOfList(QStringView line, PrintedNumber number)
{
    const qsizetype comma = line.mid(number.start, number.length).indexOf(QLatin1Char(','));
    number.length = comma;
    number.value = parseSpelling(line.mid(number.start, comma).toString(), false);
    return number;
}

/// Boundaries that a pattern has matched itself are explicit.
bool isSeparator(QChar c)
{
    return c.isSpace() || c == QLatin1Char(',') || c == QLatin1Char('_') || c == QLatin1Char('\'');
}

std::string quoted(QStringView text)
{
    return "“" + text.toString().toStdString() + "”";
}

/// The one number that overlaps the captured text; null where there is none, or several.
const PrintedNumber* findOnly(const std::vector<PrintedNumber>& numbers, const Captured& captured)
{
    const PrintedNumber* found = nullptr;
    for (const PrintedNumber& number : numbers) {
        if (number.end() <= captured.start || number.start >= captured.end)
            continue;
        if (found)
            return nullptr;
        found = &number;
    }
    return found;
}

Captured trimmed(const QString& line, Captured captured)
{
    while (captured.start < captured.end && line[captured.start].isSpace())
        ++captured.start;
    while (captured.end > captured.start && line[captured.end - 1].isSpace())
        --captured.end;
    return captured;
}

/// Where the text ends that may belong to the number: at an explicit separator, behind a column that begins
/// with a comma, or with the line.
qsizetype findRightBound(const QString& line, const Captured& captured)
{
    if (captured.end >= line.size() || !isSeparator(line[captured.end]))
        return line.size();
    const bool isColumn = captured.matchStart < captured.start &&
                          line[captured.start - 1] == QLatin1Char(',') &&
                          line[captured.end] == QLatin1Char(',');
    return isColumn || captured.matchEnd > captured.end ? captured.end : line.size();
}

qsizetype findLeftBound(const QString& line, const Captured& captured)
{
    const bool isExplicit = captured.matchStart < captured.start && captured.start > 0 &&
                            isSeparator(line[captured.start - 1]) && !line[captured.start - 1].isSpace();
    return isExplicit ? captured.start : 0;
}

/// The pattern matches the rest of the number, too: it means a part, or it is wrong.
bool isCut(const Captured& captured, const PrintedNumber& number)
{
    return (number.start < captured.start && captured.matchStart < captured.start) ||
           (number.end() > captured.end && captured.matchEnd > captured.end);
}

/// A comma after the capture, in the first number of a line, may begin the next column of a table.
bool mayBeColumns(const QString& line, const Captured& captured, const PrintedNumber& number)
{
    return number.end() > captured.end && line[captured.end] == QLatin1Char(',') &&
           QStringView(line).left(number.start).trimmed().isEmpty();
}

std::string findProblem(const QString& line, const Captured& captured, const PrintedNumber& number)
{
    const QStringView view(line);
    const std::string all = quoted(view.mid(number.start, number.length));
    if (isCut(captured, number))
        return quoted(view.mid(captured.start, captured.end - captured.start)) + " is only a part of " + all +
               "; write {number} in its place";
    if (mayBeColumns(line, captured, number))
        return all + " may be one number or two";
    if (number.doubt.empty() || captured.matchEnd > number.end())
        return {};
    return quoted(view.mid(number.start, number.length + kTailShown).trimmed()) + " " + number.doubt;
}

} // namespace

std::vector<PrintedNumber> findPrintedNumbers(QStringView line)
{
    const QString text = line.toString();
    std::vector<PrintedNumber> numbers;
    for (qsizetype at = 0; at < text.size();) {
        const QRegularExpressionMatch match = numberExpression().match(text, at);
        if (!match.hasMatch())
            break;
        PrintedNumber number = makeNumber(line, match);
        const bool hasComma = match.captured().contains(QLatin1Char(','));
        if (hasComma && beginsList(line, number.start))
            number = makeFirstOfList(line, number);
        at = number.end();
        numbers.push_back(std::move(number));
    }
    return numbers;
}

NumberReading readCaptured(const QString& line, const Captured& all)
{
    const Captured captured = trimmed(line, all);
    const QStringView text = QStringView(line).mid(captured.start, captured.end - captured.start);
    const qsizetype left = findLeftBound(line, captured);
    const QStringView view = QStringView(line).mid(left, findRightBound(line, captured) - left);
    std::vector<PrintedNumber> numbers = findPrintedNumbers(view);
    for (PrintedNumber& number : numbers)
        number.start += left;
    const PrintedNumber* number = findOnly(numbers, captured);
    if (!number || (number->isInWord && number->start > captured.start))
        return {.text = text.toString(), .problem = quoted(text) + " is not a number"};
    return {.value = number->value,
            .text = line.mid(number->start, number->length),
            .problem = findProblem(line, captured, *number)};
}

std::string findTailDoubt(QStringView number, QStringView tail)
{
    static const QRegularExpression suffix(QStringLiteral("^(?:[kKMGT](?!\\w)|/\\s?\\d|-\\d|,\\d)"));
    const QRegularExpressionMatch match = suffix.match(tail.toString());
    if (!match.hasMatch())
        return {};
    const QString sign = match.captured().left(1);
    const std::string what = quoted(QString(number.toString() + match.captured()));
    return sign.front().isLetter() ? what + " has a suffix; write {number}" + sign.toStdString() +
                                         " to read what stands before it"
                                   : what + " is more than a number";
}

} // namespace quadric::run
