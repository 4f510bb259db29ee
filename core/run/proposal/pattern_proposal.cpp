// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/proposal/pattern_proposal.h"

#include "core/run/recipe/baseline_needs.h"
#include "core/run/recipe/result_pattern.h"
#include "core/study/derived.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <string_view>

namespace quadric::run {

namespace {

/// A pattern for responses whose names contain these words; the first that fits counts.
struct Reading {
    std::array<std::string_view, 2> words; ///< an empty one fits any name
    std::string_view pattern;
};

constexpr auto kMegatronLm =
    std::to_array<Reading>({{{"flop", ""}, "throughput per GPU (TFLOP/s/GPU): {number}"},
                            {{"loss", ""}, "lm loss: {number}"},
                            {{"norm", ""}, "grad norm: {number}"},
                            {{"", ""}, "elapsed time per iteration (ms): {number}"}});

constexpr auto kDeepSpeed = std::to_array<Reading>(
    {{{"mem", ""}, "MaxMemAllocated={number}GB"}, {{"", ""}, "RunningAvgSamplesPerSec={number}"}});

constexpr auto kHuggingFaceTrainer =
    std::to_array<Reading>({{{"step", "sec"}, "'train_steps_per_second': {number}"},
                            {{"token", ""}, "'train_tokens_per_second': {number}"},
                            {{"loss", ""}, "'train_loss': {number}"},
                            {{"runtime", ""}, "'train_runtime': {number}"},
                            {{"", ""}, "'train_samples_per_second': {number}"}});

constexpr auto kLightning =
    std::to_array<Reading>({{{"loss", ""}, "train_loss={number}"}, {{"", ""}, R"(([0-9.]+)it/s)"}});

constexpr auto kVllmThroughput = std::to_array<Reading>({{{"req", ""}, "Throughput: {number} requests/s"},
                                                         {{"out", ""}, R"(([0-9.]+) output tokens/s)"},
                                                         {{"", ""}, R"(([0-9.]+) total tokens/s)"}});

constexpr auto kVllmServe =
    std::to_array<Reading>({{{"ttft", "99"}, "P99 TTFT (ms): {number}"},
                            {{"ttft", "mean"}, "Mean TTFT (ms): {number}"},
                            {{"ttft", ""}, "Median TTFT (ms): {number}"},
                            {{"tpot", "99"}, "P99 TPOT (ms): {number}"},
                            {{"tpot", "mean"}, "Mean TPOT (ms): {number}"},
                            {{"tpot", ""}, "Median TPOT (ms): {number}"},
                            {{"itl", "99"}, "P99 ITL (ms): {number}"},
                            {{"itl", "mean"}, "Mean ITL (ms): {number}"},
                            {{"itl", ""}, "Median ITL (ms): {number}"},
                            {{"req", ""}, "Request throughput (req/s): {number}"},
                            {{"total", ""}, R"(Total [Tt]oken throughput \(tok/s\):\s*([0-9.]+))"},
                            {{"", ""}, R"((?:^|\n)Output token throughput \(tok/s\):\s*([0-9.]+))"}});

std::span<const Reading> readingsOf(Tool tool)
{
    switch (tool) {
    case Tool::MegatronLm:
        return kMegatronLm;
    case Tool::DeepSpeed:
        return kDeepSpeed;
    case Tool::HuggingFaceTrainer:
        return kHuggingFaceTrainer;
    case Tool::Lightning:
        return kLightning;
    case Tool::VllmThroughput:
        return kVllmThroughput;
    case Tool::VllmServe:
        break;
    }
    return kVllmServe;
}

std::string inSmallLetters(std::string text)
{
    std::ranges::transform(text, text.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

constexpr qsizetype kMostWordsBefore = 6;
constexpr qsizetype kLeastLetters = 3; ///< "of" and "is" name nothing

/// Numbers that change from run to run: not those that are part of a name.
std::vector<PrintedNumber> findFreeNumbers(const QString& line)
{
    std::vector<PrintedNumber> numbers = findPrintedNumbers(line);
    std::erase_if(numbers, &PrintedNumber::isInWord);
    return numbers;
}

/// The line with a sign in the place of each number.
QString makeShape(const QString& line)
{
    QString shape;
    qsizetype at = 0;
    for (const PrintedNumber& number : findFreeNumbers(line)) {
        shape += QStringView(line).mid(at, number.start - at);
        shape += QChar(0xfffc);
        at = number.end();
    }
    shape += QStringView(line).mid(at);
    return shape;
}

qsizetype countBefore(const QString& line, qsizetype at)
{
    return std::ranges::count_if(findFreeNumbers(line),
                                 [at](const PrintedNumber& number) { return number.start < at; });
}

/// The pattern finds the number, or the same one of a later line that says the same.
bool reads(const std::string& pattern, const QStringList& lines, const OutputPlace& place)
{
    if (!findPatternProblem(pattern).empty())
        return false;
    const PatternFinding found = findLastNumber(pattern, lines.join(QLatin1Char('\n')));
    if (!found.isFound || !found.problem.empty() || found.line < 0 || found.line >= lines.size())
        return false;
    const QString& meant = lines[place.line];
    const QString& line = lines[found.line];
    return makeShape(line) == makeShape(meant) &&
           countBefore(line, found.start) == countBefore(meant, place.number.start);
}

/// Between the number before it, or the beginning of the line, and this one.
QString textBefore(const QString& line, const PrintedNumber& number)
{
    qsizetype from = 0;
    for (const PrintedNumber& other : findFreeNumbers(line))
        if (other.end() <= number.start)
            from = other.end();
    return line.mid(from, number.start - from);
}

qsizetype countLetters(const QString& text)
{
    return std::ranges::count_if(text, [](QChar c) { return c.isLetter(); });
}

bool hasLetter(const QString& text)
{
    return countLetters(text) > 0;
}

/// The last words of a text, so many, without the comma that ends what stands before them; the last ones
/// that have letters are always among them.
QString findLabel(const QString& text, qsizetype count)
{
    static const QRegularExpression blanks(QStringLiteral("\\s+"));
    static const QRegularExpression separators(QStringLiteral("^[,;|)\\]}\\s]+"));
    const QStringList words = text.split(blanks, Qt::SkipEmptyParts);
    qsizetype from = words.size();
    while (from > 0 && countLetters(words.mid(from).join(QString())) < kLeastLetters)
        --from;
    const QString kept = words.mid(std::max<qsizetype>(0, from - count + 1)).join(QLatin1Char(' '));
    return QString(kept).remove(separators);
}

std::string asPattern(const QString& before, bool hasBlank, const QString& after)
{
    QString pattern = before;
    if (!before.isEmpty() && hasBlank)
        pattern += QLatin1Char(' ');
    pattern += QLatin1String(kNumberPlace);
    return (after.isEmpty() ? pattern : pattern + QLatin1Char(' ') + after).toStdString();
}

QString wordAfter(const QString& line, const PrintedNumber& number)
{
    static const QRegularExpression word(QStringLiteral("^\\s*(\\S+)"));
    const QString text = word.match(line.mid(number.end())).captured(1);
    return hasLetter(text) || text.startsWith(QLatin1Char('%')) ? text : QString();
}

/// The line up to the number, whatever numbers stand in it.
std::string expressionOfLine(const QString& line, const PrintedNumber& number)
{
    static const QRegularExpression blanks(QStringLiteral("\\s+"));
    const auto escaped = [](const QString& text) {
        QStringList words;
        for (const QString& word : text.split(blanks))
            words << QRegularExpression::escape(word);
        return words.join(QStringLiteral("\\s+"));
    };
    QString expression = QStringLiteral("^");
    qsizetype at = 0;
    for (const PrintedNumber& other : findFreeNumbers(line)) {
        if (other.start >= number.start)
            break;
        expression += escaped(line.mid(at, other.start - at)) + QStringLiteral("[-+.\\deE]+");
        at = other.end();
    }
    expression += escaped(line.mid(at, number.start - at));
    return (expression + QStringLiteral("([-+.\\deE]+)")).toStdString();
}

/// Reads a response of this name from what the tool prints: by words of the name ("step_ms", "ttft_p99_ms"),
/// or the tool's own speed where none of them fits.
std::string toolPattern(Tool tool, const std::string& response)
{
    const std::string name = inSmallLetters(response);
    const std::span<const Reading> readings = readingsOf(tool);
    const auto found = std::ranges::find_if(readings, [&name](const Reading& reading) {
        return std::ranges::all_of(reading.words,
                                   [&name](std::string_view word) { return name.find(word) != name.npos; });
    });
    return std::string(found->pattern);
}

} // namespace

study::ParseSpec toolPatterns(Tool tool, const study::Study& study)
{
    study::ParseSpec spec{.kind = study::ParseSpec::Kind::Regex};
    for (const study::Response& response : study.responses) {
        if (!study::isComputed(study, response.name) && !isScalingResult(study, response.name))
            spec.patterns[response.name] = toolPattern(tool, response.name);
    }
    return spec;
}

std::string proposePattern(const QStringList& lines, const OutputPlace& place)
{
    const QString& line = lines[place.line];
    const QString before = textBefore(line, place.number);
    const QString after = wordAfter(line, place.number);
    const bool hasBlank = before.endsWith(QLatin1Char(' ')) || before.endsWith(QLatin1Char('\t'));
    for (qsizetype count = 1; hasLetter(before) && count <= kMostWordsBefore; ++count) {
        std::string pattern = asPattern(findLabel(before, count), hasBlank, {});
        if (reads(pattern, lines, place))
            return pattern;
    }
    for (const QString& words : {QString(), findLabel(before, 1)}) {
        std::string pattern = asPattern(words, hasBlank, after);
        if (!after.isEmpty() && reads(pattern, lines, place))
            return pattern;
    }
    return expressionOfLine(line, place.number);
}

std::optional<OutputPlace> findNamedNumber(const QStringList& lines, const std::string& response)
{
    static const QRegularExpression separators(QStringLiteral("[_\\-\\s]+"));
    QStringList words;
    for (const QString& word : QString::fromStdString(response).split(separators, Qt::SkipEmptyParts))
        words << QRegularExpression::escape(word);
    if (words.isEmpty())
        return std::nullopt;
    const QRegularExpression name(
        QStringLiteral("(?<![^\\W_])(?:%1)(?![^\\W_])").arg(words.join(QStringLiteral("[_\\-\\s]*"))),
        QRegularExpression::CaseInsensitiveOption);
    for (qsizetype i = lines.size() - 1; i >= 0; --i) {
        const QRegularExpressionMatch match = name.match(lines[i]);
        if (!match.hasMatch())
            continue;
        for (const PrintedNumber& number : findFreeNumbers(lines[i]))
            if (number.start >= match.capturedEnd())
                return OutputPlace{i, number};
    }
    return std::nullopt;
}

} // namespace quadric::run
