// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/slurm/job_request.h"

#include "core/run/recipe/ranks.h"
#include "core/run/recipe/recipe.h"
#include "core/study/files/file.h"
#include "core/text/numbers.h"

#include <QCryptographicHash>
#include <QRandomGenerator>
#include <QRegularExpression>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace quadric::run {

namespace {

constexpr double kSecondsPerMinute = 60.0;
constexpr double kMostMemoryMib = 1e9; ///< more than any node has
constexpr std::size_t kLongestComment = 80;
constexpr int kShortDigits = 8;

int dividedUp(int number, int by)
{
    return (number + by - 1) / by;
}

/// What may stand between quotes in a line of options: the rest becomes a blank.
std::string plain(std::string text)
{
    for (char& c : text) {
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_' && c != '.')
            c = ' ';
    }
    return text.substr(0, kLongestComment);
}

} // namespace

std::string JobRequest::inWords() const
{
    std::string text = text::formatCount(ranks, "rank") + " on " + text::formatCount(nodes, "node");
    if (gpusPerNode > 0)
        text += " with " + text::formatCount(gpusPerNode, "GPU") + (nodes == 1 ? "" : " each");
    return text;
}

JobRequest jobRequest(const study::Study& study, const study::Run& run, const study::SlurmOptions& options,
                      const std::string& name)
{
    JobRequest request;
    request.name = name;
    request.comment = plain("Quadric run " + std::to_string(run.id) + " of " + study.name);
    request.partition = options.partition;
    request.account = options.account;
    request.ranks = ranksOf(study, run).value_or(1);
    request.nodes = dividedUp(request.ranks, options.ranksPerNode);
    request.ranksPerNode = dividedUp(request.ranks, request.nodes);
    request.gpusPerNode = request.ranksPerNode * gpusPerRank(study, options);
    request.cpusPerRank = options.cpusPerRank;
    request.minutes = static_cast<int>(std::ceil(study.benchmark.timeoutSeconds / kSecondsPerMinute)) + 1;
    request.memoryMib = static_cast<int>(std::ceil(std::min(study.benchmark.memoryMib, kMostMemoryMib)));
    request.startsRanks = options.start == study::SlurmOptions::Start::Ranks;
    request.options = options.options;
    request.setup = options.setup;
    return request;
}

std::string newJobName(const std::filesystem::path& document, int runId)
{
    const QByteArray path = QByteArray::fromStdString(study::resolved(document).string());
    const QByteArray key = QCryptographicHash::hash(path, QCryptographicHash::Sha256).toHex();
    const QByteArray random = QByteArray::number(QRandomGenerator::system()->generate(), 16);
    return ("quadric-" + key.left(kShortDigits) + "-" + QByteArray::number(runId) + "-" +
            random.rightJustified(kShortDigits, '0'))
        .toStdString();
}

bool isJobName(const std::string& name, int runId)
{
    static const QRegularExpression pattern(QStringLiteral("^quadric-[0-9a-f]{8}-(\\d{1,9})-[0-9a-f]{8}\\z"));
    const auto match = pattern.match(QString::fromStdString(name));
    return match.hasMatch() && match.captured(1).toInt() == runId;
}

} // namespace quadric::run
