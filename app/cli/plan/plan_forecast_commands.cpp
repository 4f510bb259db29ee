// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/study_output.h"
#include "app/cli/plan/plan_commands.h"
#include "core/exchange/table/delimited.h"
#include "core/plan/scaling_forecast.h"
#include "core/plan/scaling_law.h"
#include "core/plan/speed_up.h"
#include "core/plan/words/cluster_tables.h"
#include "core/report/table.h"
#include "core/study/files/file.h"
#include "core/text/numbers.h"
#include "core/text/typed_text.h"
#include "core/workload/link_table.h"

#include <algorithm>
#include <iostream>
#include <memory>

namespace quadric::app {

namespace {

constexpr int kMostGpus = 1'000'000;
constexpr const char* kMeasuredLink = "measured"; ///< by --nccl-tests, among those of workload::kLinks

struct ScaleCommand {
    StudyOption study;
    FitSelection selection;
    std::string points, by, to, nccl, network, nodeLink;
    std::vector<std::string> at;
    std::optional<double> bytes, batch, price;
    double worth = 1.5;
    std::optional<int> perNode; ///< as chosen; else as the study says
    std::uint64_t seed = 1;
};

struct ScaleReport {
    plan::ScalingForecast forecast = {};
    int smallest = 1; ///< count that was measured
    int lastWorthwhile = 1;
    double worth = 1.5;
    std::optional<double> price = {};
    double unitSeconds = 1.0; ///< of the unit of time in that of the speed
    std::optional<plan::LinkMeasurement> measured = {};
    std::vector<plan::LinkSpeed> links = {};
};

/// The factor that is named, or the one that is the number of GPUs.
std::size_t factorOf(const ScaleCommand& options, const study::Study& study)
{
    if (!options.by.empty())
        requireFactor(study, "--by", options.by);
    const auto found = plan::countFactorOf(study, {.countFactor = options.by});
    if (!found)
        throw UsageError("--by is missing: which factor is the number of GPUs");
    return *found;
}

/// What is known of the speeds.
struct MeasuredSpeeds {
    std::vector<plan::ScalingPoint> points;
    double unitSeconds = 1.0;
    int perNode = 1;
};

MeasuredSpeeds speedsFor(const ScaleCommand& options)
{
    if (options.study.path.empty() == options.points.empty())
        throw UsageError("plan scale: expected speeds of one kind: a study or --points FILE");
    if (!options.points.empty()) {
        const exchange::TextGrid grid = exchange::withDecimalPoints(
            exchange::readDelimited(study::readTextFile(options.points), options.points));
        try {
            return {plan::readScalingPoints(grid.headers, grid.rows), 1.0, options.perNode.value_or(1)};
        } catch (const std::invalid_argument& error) {
            throw UsageError(options.points + ": " + error.what());
        }
    }
    const study::Study study = withSelection(readStudy(options.study.path), options.selection);
    const model::Fit fit = requireTimedFit(study, options.selection);
    const study::Coding coding(fit.factors);
    study::Settings settings = coding.toSettings(coding.center());
    for (const auto& [name, value] : readAssignments(study, "--at", options.at))
        settings.insert_or_assign(name, value);
    const std::size_t factor = factorOf(options, study);
    if (!plan::secondsPerUnit(fit.unit))
        throw UsageError("--response: " + fit.response + " is in " + fit.unit +
                         ", expected a speed (img/s) or a time (s, ms, min, h)");
    const std::optional<study::NodeSize> node = plan::plannedNode(study, factor, settings);
    return {plan::makeScalingPoints(fit, study, factor, coding.toCoded(settings)),
            plan::speedUnitSeconds(fit), options.perNode.value_or(node ? node->ranks : 1)};
}

/// The measured counts, and those asked for; without such the next three doublings.
std::vector<int> countsFor(const ScaleCommand& options, const std::vector<plan::ScalingPoint>& points)
{
    std::vector<int> counts = plan::distinctCounts(points);
    const int largest = counts.empty() ? 1 : counts.back();
    if (options.to.empty())
        counts.insert(counts.end(), {2 * largest, 4 * largest, 8 * largest});
    else
        for (const std::string& count : split(options.to, ','))
            counts.push_back(readInteger("--to", count, 1, kMostGpus));
    std::ranges::sort(counts);
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    return counts;
}

/// `measured`: of --nccl-tests, which has a name, too.
workload::Link requireLink(const std::string& option, const std::string& name,
                           const std::optional<plan::LinkMeasurement>& measured)
{
    if (name == kMeasuredLink) {
        if (!measured)
            throw UsageError(option + ": measured needs --nccl-tests FILE, the output of all_reduce_perf");
        return {kMeasuredLink, "measured by nccl-tests", measured->latencyUs, measured->gigabytesPerSec};
    }
    std::vector<std::string> names;
    names.reserve(workload::kLinks.size());
    for (const workload::Link& link : workload::kLinks)
        names.emplace_back(link.name);
    const workload::Link* link = workload::findLink(name);
    if (!link)
        throw UsageError(option + ": " + text::describeUnknown(name, names));
    return *link;
}

std::optional<plan::LinkMeasurement> measuredLink(const std::string& path)
{
    if (path.empty())
        return std::nullopt;
    try {
        return plan::readNcclTests(study::readTextFile(path));
    } catch (const std::invalid_argument& error) {
        throw UsageError(path + ": " + error.what());
    }
}

std::vector<plan::LinkSpeed> linkSpeeds(const ScaleCommand& options, double speedOfOne,
                                        const std::vector<int>& counts, int perNode, double unitSeconds,
                                        const std::optional<plan::LinkMeasurement>& measured)
{
    if (options.network.empty())
        return {};
    if (!options.bytes || !options.batch)
        throw UsageError(
            "--network needs --bytes and --batch: what is exchanged in a step, and its images a GPU");
    const plan::Exchange exchange{requireLink("--node-link", options.nodeLink, measured),
                                  requireLink("--network", options.network, measured), perNode,
                                  requirePositive("--bytes", *options.bytes)};
    return plan::speedsOver(exchange, speedOfOne, requirePositive("--batch", *options.batch), counts,
                            unitSeconds);
}

ScaleReport scaleReport(const ScaleCommand& options)
{
    const auto [points, unitSeconds, perNode] = speedsFor(options);
    const std::vector<int> counts = countsFor(options, points);
    ScaleReport report{.worth = options.worth, .price = options.price, .unitSeconds = unitSeconds};
    report.forecast = plan::forecastScaling(points, counts, {.perNode = perNode, .seed = options.seed});
    if (!report.forecast.message.empty())
        throw WorkError(report.forecast.message);
    report.smallest = plan::distinctCounts(points).front();
    const plan::ScalingLaw& best = report.forecast.laws.front().law;
    report.lastWorthwhile =
        plan::lastWorthwhile(report.forecast.laws, options.worth, report.smallest, counts.back());
    report.measured = measuredLink(options.nccl);
    report.links = linkSpeeds(options, best.speedAt(report.smallest) / report.smallest, counts, perNode,
                              unitSeconds, report.measured);
    return report;
}

/// Of a million units of work.
std::optional<plan::Estimate> costOfMillion(const ScaleReport& report, const plan::ForecastRow& row)
{
    return report.price ? std::optional(plan::costOfMillion(*report.price, row, report.unitSeconds))
                        : std::nullopt;
}

Json scaleJson(const ScaleReport& report)
{
    Json json = {{"laws", listOf(report.forecast.laws, [](const plan::LawScore& score) {
                      return Json{{"law", plan::nameOf(score.law.kind)},
                                  {"held_out_error", score.heldOutError},
                                  {"weight", score.weight},
                                  {"residual_sd", score.sd}};
                  })}};
    json["confidence"] = plan::kForecastConfidence;
    json["baseline"] = report.smallest;
    json["speeds"] = listOf(report.forecast.rows, [&](const plan::ForecastRow& row) {
        const std::optional<plan::Estimate> cost = costOfMillion(report, row);
        return Json{{"count", row.count},
                    {"measured", row.isMeasured},
                    {"speed", estimateJson(row.speed)},
                    {"speed_up", row.speedUp},
                    {"efficiency", row.efficiency},
                    {"cost_per_million", cost ? Json(cost->value) : Json()},
                    {"cost_per_million_low", cost ? Json(cost->low) : Json()},
                    {"cost_per_million_high", cost ? Json(cost->high) : Json()}};
    });
    json["last_worthwhile"] = report.lastWorthwhile;
    json["assumptions"] = plan::listLawAssumptions(report.forecast.laws.front().law.kind);
    json["over_links"] = listOf(report.links, [](const plan::LinkSpeed& speed) {
        return Json{{"count", speed.count}, {"apart", speed.apart}, {"overlapped", speed.overlapped}};
    });
    json["measured_link"] = report.measured ? Json{{"ranks", report.measured->ranks},
                                                   {"sizes", report.measured->sizes},
                                                   {"latency_us", report.measured->latencyUs},
                                                   {"gigabytes_per_sec", report.measured->gigabytesPerSec}}
                                            : Json();
    return json;
}

void printLaws(const ScaleReport& report)
{
    std::cout << report::renderTerminal(plan::makeLawTable(report.forecast.laws)) << '\n';
}

void printSpeeds(const ScaleReport& report)
{
    const auto cost = [&report](const plan::ForecastRow& row) { return *costOfMillion(report, row); };
    const report::Table table = report.price ? plan::makeSpeedTable(report.forecast.rows, cost)
                                             : plan::makeSpeedTable(report.forecast.rows);
    std::cout << report::renderTerminal(table) << "\nSpeed-up and efficiency are over "
              << text::formatCount(report.smallest, "GPU") << ", the fewest that were measured. "
              << plan::describeWorth(report.worth, report.lastWorthwhile, report.smallest) << '\n';
    std::cout << "\nAssumptions:\n";
    for (const std::string& sentence : plan::listLawAssumptions(report.forecast.laws.front().law.kind))
        std::cout << "- " << sentence << '\n';
}

void printLinks(const ScaleReport& report)
{
    if (report.measured)
        std::cout << "\nnccl-tests: latency " << text::formatNumber(report.measured->latencyUs)
                  << " µs, bandwidth " << text::formatNumber(report.measured->gigabytesPerSec)
                  << " GB/s a GPU, " << text::formatCount(report.measured->ranks, "rank") << ".\n";
    if (report.links.empty())
        return;
    std::cout << '\n' << report::renderTerminal(plan::makeLinkTable(report.links));
}

void planScale(const ScaleCommand& options)
{
    const ScaleReport report = scaleReport(options);
    printAnswer(options.study.json, scaleJson(report), [&] {
        printLaws(report);
        printSpeeds(report);
        printLinks(report);
    });
}

Completion offerLinks()
{
    return candidatesOf(workload::kLinks, [](const workload::Link& link) {
        return Candidate{std::string(link.name), std::string(link.words)};
    });
}

void addLinkOptions(Command& command, ScaleCommand& options)
{
    command.option("--nccl-tests", options.nccl, Kind::file(), "FILE",
                   "What all_reduce_perf printed: its latency and bandwidth");
    command.option("--network", options.network, Kind::suggested(offerLinks), "LINK",
                   "Also: the speed over these links between nodes: ndr400, …, or measured by "
                   "--nccl-tests");
    command.option("--node-link", options.nodeLink, Kind::suggested(offerLinks), "LINK",
                   "Links in a node, with --network: nvlink4, pcie4, …, or measured");
    command.option("--bytes", options.bytes, Kind::number(), "N",
                   "Bytes that are exchanged in a step, with --network");
    command.option("--batch", options.batch, Kind::number(), "N",
                   "Images (or tokens) of a GPU in a step, with --network");
}

} // namespace

void addPlanScale(Command& plan)
{
    auto options = std::make_shared<ScaleCommand>();
    options->nodeLink = "nvlink4";
    Command& command = plan.addCommand("scale", "What more GPUs would give than those that were measured");
    command.option("study", options->study.path, Kind::studyFile(), "STUDY", "The study file (NAME.quadric)");
    command.flag("--json", options->study.json, "Print one JSON document instead of tables");
    command.option("--points", options->points, Kind::file(), "FILE",
                   "A table with the columns gpus and speed instead");
    command.option("--by", options->by, Kind::numericFactor(), "FACTOR",
                   "The factor that is the number of GPUs; default: the one bound to ranks");
    command.option("--at", options->at, Kind::settings(), "SETTINGS",
                   "The other factors: name=value,name=value; default: the center");
    command.option("--to", options->to, Kind::freeText(), "LIST",
                   "Counts: 64,128,512; default: three doublings");
    command.option("--per-node", options->perNode, Kind::wholeNumber(1, kMostGpus), "N",
                   "GPUs that share a node; 1: all links are alike; default: as the study says");
    command.option("--worth", options->worth, Kind::numberFrom(1.0, 2.0), "X",
                   "Doubling pays while it multiplies the speed by this");
    command.option("--price-per-gpu-hour", options->price, Kind::numberFrom(0.0), "PRICE",
                   "What an hour of one GPU costs");
    command.option("--seed", options->seed, Kind::number(), "N", "Seed of the interval");
    addLinkOptions(command, *options);
    addFitOptions(command, options->selection);
    command.whenCalled([options] { planScale(*options); });
}

} // namespace quadric::app
