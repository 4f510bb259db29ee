// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/recipe/result_pattern.h"

#include "core/run/launch/printed_number.h"
#include "core/run/recipe/recipe.h"
#include "core/text/typed_text.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <optional>

namespace quadric::run {

namespace {

constexpr qsizetype kMostFoundCharacters = 300; ///< no number has more

/// As a regular expression: any blanks in the place of blanks.
QString escapedText(const QString& text)
{
    QStringList words;
    for (const QString& word : text.split(QRegularExpression(QStringLiteral("\\s+")), Qt::SkipEmptyParts))
        words << QRegularExpression::escape(word);
    return words.join(QStringLiteral("[^\\S\\n]+"));
}

bool isWordCharacter(QChar c)
{
    return c.isLetterOrNumber() || c == QLatin1Char('_');
}

/// A text pattern, ready to be looked for.
struct TextPattern {
    QRegularExpression before, after;
    bool hasBefore = false, hasAfter = false;
};

TextPattern makeTextPattern(const std::string& pattern)
{
    const QString all = QString::fromStdString(pattern);
    const qsizetype place = all.indexOf(QLatin1String(kNumberPlace));
    const QString before = all.left(place).trimmed();
    const QString after = all.mid(place + qsizetype(std::string_view(kNumberPlace).size())).trimmed();
    const QString boundary =
        !before.isEmpty() && isWordCharacter(before.front()) ? QStringLiteral("(?<!\\w)") : QString();
    return {.before = QRegularExpression(boundary + escapedText(before) + QStringLiteral("[^\\S\\n]*")),
            .after = QRegularExpression(QStringLiteral("^[^\\S\\n]*") + escapedText(after)),
            .hasBefore = !before.isEmpty(),
            .hasAfter = !after.isEmpty()};
}

/// Why what a text pattern has found may be another number than it seems; empty: it is sure.
std::string findDoubt(const TextPattern& pattern, const QString& printed, const PrintedNumber& number,
                      QStringView tail)
{
    if (pattern.hasAfter)
        return {};
    if (std::string doubt = findTailDoubt(printed, tail); !doubt.empty())
        return doubt;
    return number.doubt.empty() ? std::string() : "“" + printed.toStdString() + "” " + number.doubt;
}

/// The last number of a text pattern on one line.
PatternFinding findOnLine(const TextPattern& pattern, const QString& text)
{
    PatternFinding finding;
    std::optional<std::vector<PrintedNumber>> numbers; // only of lines that have the text
    auto matches = pattern.before.globalMatch(text);
    while (matches.hasNext()) {
        const qsizetype at = matches.next().capturedEnd();
        if (!numbers)
            numbers = findPrintedNumbers(text);
        const auto number = std::ranges::find(*numbers, at, &PrintedNumber::start);
        if (number == numbers->end() || (number->isInWord && !pattern.hasBefore))
            continue;
        const QStringView tail = QStringView(text).mid(number->end());
        if (pattern.hasAfter && !pattern.after.match(tail.toString()).hasMatch())
            continue;
        const QString printed = text.mid(number->start, number->length);
        finding = {.isFound = true,
                   .value = number->value,
                   .text = printed,
                   .start = at,
                   .problem = findDoubt(pattern, printed, *number, tail)};
    }
    return finding;
}

PatternFinding findText(const std::string& pattern, const QString& output)
{
    const TextPattern text = makeTextPattern(pattern);
    const QStringList lines = outputLines(output);
    for (qsizetype i = lines.size() - 1; i >= 0; --i) {
        PatternFinding finding = findOnLine(text, lines[i]);
        if (!finding.isFound)
            continue;
        finding.line = i;
        return finding;
    }
    return {};
}

/// The first group, in its round brackets: where it begins and ends; empty where there is none.
struct Group {
    qsizetype begin = -1, end = -1;
};

Group findFirstGroup(const QString& pattern)
{
    Group group;
    bool isInClass = false;
    for (qsizetype i = 0; i < pattern.size(); ++i) {
        const QChar c = pattern[i];
        if (c == QLatin1Char('\\'))
            ++i;
        else if (c == QLatin1Char('[') && !isInClass)
            isInClass = true;
        else if (c == QLatin1Char(']'))
            isInClass = false;
        else if (!isInClass && group.begin >= 0 && (c == QLatin1Char('(') || c == QLatin1Char(')')))
            return c == QLatin1Char(')') ? Group{group.begin, i} : Group{};
        else if (!isInClass && c == QLatin1Char('(') && pattern.mid(i + 1, 1) != QLatin1String("?"))
            group.begin = i;
    }
    return {};
}

/// "[0-9.]+" and "\d+\.\d+" mean a number and forget its sign; so they do "nan", which would leave an earlier
/// number in its place. The group takes these, too.
QString withWholeNumber(const QString& pattern)
{
    static const QRegularExpression digits(QStringLiteral(
        "^(?:\\[(?:\\\\d|0-9|\\\\?[-+.,eE_])+\\]|\\\\d|\\\\\\.|[+*?.]|\\{\\d+(?:,\\d*)?\\})+$"));
    const Group group = findFirstGroup(pattern);
    const QString body =
        group.begin < 0 ? QString() : pattern.mid(group.begin + 1, group.end - group.begin - 1);
    const bool hasDigits = body.contains(QLatin1String("0-9")) || body.contains(QLatin1String("\\d"));
    if (!hasDigits || !digits.match(body).hasMatch())
        return pattern;
    return pattern.left(group.begin + 1) +
           QStringLiteral("[-+\\x{2212}]?(?:%1)|[-+]?(?i:nan|inf(?:inity)?)\\b").arg(body) +
           pattern.mid(group.end);
}

QRegularExpression makeExpression(const std::string& pattern)
{
    return QRegularExpression(withWholeNumber(QString::fromStdString(pattern)),
                              QRegularExpression::MultilineOption);
}

bool isLineEnd(QChar c)
{
    return c == QLatin1Char('\n') || c == QLatin1Char('\r');
}

/// The first group that took part in the match; 0, all of it, without any.
int findGroup(const QRegularExpressionMatch& match)
{
    for (int group = 1; group <= match.lastCapturedIndex(); ++group)
        if (match.capturedStart(group) >= 0)
            return group;
    return 0;
}

PatternFinding readMatch(const QString& output, const QRegularExpressionMatch& match)
{
    const int group = findGroup(match);
    const qsizetype start = match.capturedStart(group);
    if (match.capturedLength(group) > kMostFoundCharacters)
        return {.problem = "“" + match.captured(group).left(kMostFoundCharacters).toStdString() +
                           "” is not a number"};
    if (start < 0 || match.captured(group).trimmed().isEmpty())
        return {.problem = "an empty text was found"};
    qsizetype from = start, to = match.capturedEnd(group);
    while (from > 0 && !isLineEnd(output[from - 1]))
        --from;
    while (to < output.size() && !isLineEnd(output[to]))
        ++to;
    const NumberReading reading =
        readCaptured(output.mid(from, to - from), {.start = start - from,
                                                   .end = match.capturedEnd(group) - from,
                                                   .matchStart = match.capturedStart() - from,
                                                   .matchEnd = match.capturedEnd() - from});
    return {.value = reading.value, .text = reading.text, .start = start - from, .problem = reading.problem};
}

PatternFinding findExpression(const std::string& pattern, const QString& output, bool* gaveUp)
{
    auto matches = makeExpression(pattern).globalMatch(output);
    QRegularExpressionMatch last;
    while (matches.hasNext())
        last = matches.next();
    if (gaveUp)
        *gaveUp = !matches.isValid();
    if (!last.hasMatch())
        return {};
    PatternFinding finding = readMatch(output, last);
    finding.isFound = true;
    finding.line = outputLines(output.left(last.capturedStart(findGroup(last)))).size() - 1;
    return finding;
}

/// A name in braces that was probably meant as {number}.
std::string findMisspelledPlace(const std::string& pattern)
{
    for (const std::string& name : placeholdersOf(pattern))
        if (text::findNearest(name, {"number"}))
            return name;
    return {};
}

/// Whether the pattern is text around {number}; otherwise it is a regular expression, whose first group (or
/// all of it) is the number.
bool isTextPattern(const std::string& pattern)
{
    return pattern.find(kNumberPlace) != std::string::npos;
}

} // namespace

std::string findPatternProblem(const std::string& pattern)
{
    const QString text = QString::fromStdString(pattern);
    if (text.trimmed().isEmpty())
        return "there is no pattern; write for example throughput: {number}";
    if (text.count(QLatin1String(kNumberPlace)) > 1)
        return "{number} stands more than once in it";
    if (isTextPattern(pattern))
        return {};
    if (const std::string name = findMisspelledPlace(pattern); !name.empty())
        return "{" + name + "} is not known. Did you mean {number}?";
    const QRegularExpression expression(text, QRegularExpression::MultilineOption);
    if (!expression.isValid())
        return "\"" + pattern + "\" is not a regular expression: " + expression.errorString().toStdString();
    return {};
}

PatternFinding findLastNumber(const std::string& pattern, const QString& output, bool* gaveUp)
{
    return isTextPattern(pattern) ? findText(pattern, output) : findExpression(pattern, output, gaveUp);
}

QStringList outputLines(const QString& output)
{
    return QString(output)
        .replace(QLatin1String("\r\n"), QLatin1String("\n"))
        .replace(QLatin1Char('\r'), QLatin1Char('\n'))
        .split(QLatin1Char('\n'));
}

} // namespace quadric::run
