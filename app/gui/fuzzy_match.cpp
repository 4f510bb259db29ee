// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/fuzzy_match.h"

#include <QStringList>

#include <algorithm>
#include <optional>

namespace quadric::app {

namespace {

constexpr int kWhole = 1200, kStart = 1000, kInside = 500, kLetters = 200; ///< what a word is found as
constexpr int kBetween = 15; ///< a letter between those of a word
constexpr int kFirst = 100;  ///< it is the first word of the text
constexpr int kLongest = 99; ///< letters of the text that count against it

/// Lower-case letters and digits in words between single spaces.
QString plain(const QString& text)
{
    QString letters;
    for (const QChar each : text.normalized(QString::NormalizationForm_KD)) {
        if (each.isLetterOrNumber())
            letters += each.toLower();
        else if (!each.isMark())
            letters += QLatin1Char(' ');
    }
    return letters.simplified();
}

bool startsWord(const QString& text, qsizetype at)
{
    return at == 0 || text[at - 1] == QLatin1Char(' ');
}

/// How many letters of `text` stand between those of `word` from `at` on; none: they are not there.
std::optional<int> countBetween(const QString& text, qsizetype at, const QString& word)
{
    const qsizetype first = at;
    for (const QChar letter : word) {
        at = text.indexOf(letter, at);
        if (at < 0)
            return {};
        ++at;
    }
    return int(at - first - word.size());
}

int scoreAt(const QString& text, qsizetype at, const QString& word)
{
    const bool isStart = startsWord(text, at);
    const int first = at == 0 ? kFirst : 0;
    if (QStringView(text).mid(at).startsWith(word)) {
        const qsizetype end = at + word.size();
        const bool isWhole = isStart && (end == text.size() || text[end] == QLatin1Char(' '));
        return first + (isWhole ? kWhole : isStart ? kStart : kInside);
    }
    const std::optional<int> between =
        isStart && text[at] == word[0] ? countBetween(text, at, word) : std::nullopt;
    return between ? first + std::max(1, kLetters - kBetween * *between) : 0;
}

int scoreWord(const QString& text, const QString& word)
{
    int best = 0;
    for (qsizetype at = 0; at < text.size(); ++at)
        best = std::max(best, scoreAt(text, at, word));
    return best;
}

} // namespace

int fuzzyScore(const QString& query, const QString& text)
{
    const QString target = plain(text);
    int score = 1 + kLongest - std::min<int>(kLongest, int(target.size()));
    for (const QString& word : plain(query).split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const int found = scoreWord(target, word);
        if (found == 0)
            return 0;
        score += found;
    }
    return score;
}

} // namespace quadric::app
