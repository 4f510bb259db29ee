// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/base/picture_name.h"

#include "widgets/plots/base/plot.h"

namespace quadric::widgets {

namespace {

constexpr qsizetype kLongestWord = 60;

QString safeWord(const QString& text)
{
    QString word;
    for (const QChar letter : text.left(kLongestWord)) {
        const bool isSafe = (letter.unicode() < 0x80 && letter.isLetterOrNumber()) ||
                            letter == QLatin1Char('_') || letter == QLatin1Char('-');
        word += isSafe ? letter : QLatin1Char('-');
    }
    return word;
}

} // namespace

QString pictureStem(const QStringList& words)
{
    QStringList safe;
    for (const QString& word : words)
        if (!word.isEmpty())
            safe << safeWord(word);
    return safe.join(QLatin1Char('-'));
}

QString pictureName(const Plot& plot, const QString& ending)
{
    const PictureSource& source = plot.source();
    const QString view = plot.about().view.isEmpty() ? plot.accessibleName().toLower() : plot.about().view;
    const QString study = source.study.simplified().remove(QLatin1Char(',')); // "scaling, 15 runs"
    const QString stem = pictureStem(QStringList{study, view} + source.responses);
    return (stem.isEmpty() ? QStringLiteral("plot") : stem) + QLatin1Char('.') + ending;
}

} // namespace quadric::widgets
