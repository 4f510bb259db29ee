// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/numbers.h"
#include "widgets/base/theme.h"

namespace quadric::widgets {

namespace {

constexpr auto kTypeset = text::Typography::Typeset;

} // namespace

QString formatNumber(double value, std::optional<double> uncertainty)
{
    return QString::fromStdString(text::formatNumber(value, uncertainty, kTypeset));
}

QString formatInterval(double value, double low, double high)
{
    return QString::fromStdString(text::formatInterval(value, low, high, kTypeset));
}

QString formatP(double p)
{
    return QString::fromStdString(text::formatP(p));
}

QString formatPClause(double p)
{
    return QString::fromStdString(text::formatPClause(p));
}

QString formatPercent(double share, int decimals)
{
    return QString::fromStdString(text::formatPercent(share, decimals, kTypeset));
}

QString formatPower(double power)
{
    return QString::fromStdString(text::formatPower(power));
}

QString formatDuration(double seconds)
{
    return QString::fromStdString(text::formatDuration(seconds));
}

QString formatRoughDuration(double seconds)
{
    return QString::fromStdString(text::formatRoughDuration(seconds));
}

QString formatCount(qint64 count, const char* thing)
{
    return QString::fromStdString(text::formatCount(count, thing));
}

QString formatList(const QStringList& items)
{
    std::vector<std::string> words;
    for (const QString& item : items)
        words.push_back(item.toStdString());
    return QString::fromStdString(text::formatList(words));
}

} // namespace quadric::widgets
