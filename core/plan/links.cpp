// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/links.h"

#include "core/text/read_number.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>

namespace quadric::plan {

namespace {

constexpr double kBackwardShare = 2.0 / 3.0;

std::vector<std::string_view> wordsOf(std::string_view line)
{
    std::vector<std::string_view> words;
    while (true) {
        const std::size_t start = line.find_first_not_of(" \t\r");
        if (start == std::string_view::npos)
            return words;
        const std::size_t end = std::min(line.find_first_of(" \t\r", start), line.size());
        words.push_back(line.substr(start, end - start));
        line.remove_prefix(end);
    }
}

/// Sums of a weighted straight line seconds = a + b × bytes with weights 1/seconds².
struct Line {
    double w = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    int count = 0;

    void add(double bytes, double seconds)
    {
        const double weight = 1.0 / (seconds * seconds);
        w += weight;
        x += weight * bytes;
        y += weight * seconds;
        xx += weight * bytes * bytes;
        xy += weight * bytes * seconds;
        ++count;
    }
    double slope() const { return (w * xy - x * y) / (w * xx - x * x); }
    double intercept() const { return (y - slope() * x) / w; }
};

double ringSeconds(const workload::Link& link, int members, double bytes)
{
    return 2.0 * (members - 1) * 1e-6 * link.latencyUs +
           2.0 * (members - 1) / members * bytes / (1e9 * link.gigabytesPerSec);
}

} // namespace

LinkMeasurement readNcclTests(std::string_view text)
{
    LinkMeasurement result;
    std::size_t timeColumn = 0; // behind the # of the heading
    Line line;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        const std::vector<std::string_view> words = wordsOf(text.substr(start, end - start));
        start = end + 1;
        if (words.size() > 2 && words[0] == "#" && words[1] == "Rank")
            ++result.ranks;
        if (words.size() > 2 && words[0] == "#" && words[1] == "size")
            timeColumn = static_cast<std::size_t>(std::ranges::find(words, "time") - words.begin()) - 1;
        if (words.empty() || words[0].starts_with('#') || timeColumn == 0 || words.size() <= timeColumn)
            continue;
        const auto bytes = text::readNumber(words[0], '.'),
                   microseconds = text::readNumber(words[timeColumn], '.');
        if (bytes && microseconds && *microseconds > 0.0)
            line.add(*bytes, 1e-6 * *microseconds);
    }
    if (line.count < 2 || result.ranks < 2)
        throw std::invalid_argument(
            "expected the output of all_reduce_perf with two or more ranks and sizes");
    if (!(line.slope() > 0.0) || !std::isfinite(line.slope()))
        throw std::invalid_argument("the times of all_reduce_perf do not grow with the size, expected two or "
                                    "more sizes of which larger ones take longer");
    const int others = result.ranks - 1;
    result.sizes = line.count;
    result.latencyUs = std::max(0.0, 1e6 * line.intercept() / (2.0 * others));
    result.gigabytesPerSec = 1e-9 * 2.0 * others / result.ranks / line.slope();
    return result;
}

double exchangeSeconds(const Exchange& exchange, int count)
{
    const int local = std::min(count, exchange.perNode);
    const int nodes = (count + exchange.perNode - 1) / exchange.perNode;
    return (local > 1 ? ringSeconds(exchange.node, local, exchange.bytes) : 0.0) +
           (nodes > 1 ? ringSeconds(exchange.network, nodes, exchange.bytes / local) : 0.0);
}

std::vector<LinkSpeed> speedsOver(const Exchange& exchange, double speedOfOne, double batchPerGpu,
                                  const std::vector<int>& counts, double unitSeconds)
{
    const double alone = batchPerGpu / speedOfOne * unitSeconds;
    std::vector<LinkSpeed> speeds;
    for (const int count : counts) {
        const double seconds = exchangeSeconds(exchange, count);
        const double left = std::max(0.0, seconds - kBackwardShare * alone);
        const double work = count * batchPerGpu * unitSeconds;
        speeds.push_back({count, work / (alone + seconds), work / (alone + left)});
    }
    return speeds;
}

} // namespace quadric::plan
