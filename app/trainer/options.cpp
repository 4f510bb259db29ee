// SPDX-License-Identifier: GPL-3.0-or-later
#include "options.h"

#include "app/shell/completion.h"
#include "app/shell/manual.h"
#include "core/text/visible_text.h"
#include "core/trainer/base/failure.h"
#include "core/trainer/measure/stage_rule.h"
#include "core/trainer/workload/knobs.h"
#include "core/workload/knob_table.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <sstream>

namespace quadric::app {

namespace {

std::string optionName(const workload::Knob& knob)
{
    std::string name = "--" + std::string(knob.name);
    std::ranges::replace(name, '_', '-');
    return name;
}

/// "Images that each rank computes at once. 1 to 65536 images; default 16"
std::string helpWords(const workload::Knob& knob)
{
    return std::string(knob.help) + ". " + workload::rangeWords(knob) + "; default " +
           std::string(knob.usual);
}

struct RankOptions {
    int rank = -1;
    std::int64_t started = 0;
    std::string rendezvous;
};

/// How the launcher starts the ranks; not for people.
void addRankOptions(CLI::App& app, RankOptions& rank)
{
    app.add_option("--rank", rank.rank)->group("");
    app.add_option("--started", rank.started)->group("");
    app.add_option("--rendezvous", rank.rendezvous)->group("");
}

std::optional<trainer::RankPlace> makeRankPlace(const RankOptions& rank)
{
    if (rank.rank < 0)
        return std::nullopt;
    using Clock = std::chrono::steady_clock;
    return trainer::RankPlace{rank.rank, rank.rendezvous, Clock::time_point(Clock::duration(rank.started))};
}

std::string joinArguments(int argc, char** argv)
{
    std::string text;
    for (int i = 0; i < argc; ++i)
        text += (i == 0 ? "" : " ") + std::string(argv[i]);
    return text;
}

/// What the value of a setting can be, where that is one of a few words: "weak, strong".
Completion valuesOf(const TypedValue& value)
{
    if (!value.option)
        return {};
    std::string name = value.option->get_lnames().front();
    if (name == "format")
        return {{{"auto"}, {"json"}, {"table"}}};
    std::ranges::replace(name, '-', '_');
    const workload::Knob* knob = workload::findKnob(name);
    if (!knob)
        return {};
    return candidatesOf(workload::choicesOf(*knob),
                        [](std::string_view word) { return Candidate{std::string(word)}; });
}

/// What shells and the build ask for; false: something else is asked for.
bool answersShell(const CLI::App& app, int argc, char** argv)
{
    if (isCompletionRequest(argc, argv))
        printCompletion(app, argc, argv, valuesOf);
    else if (isManualRequest(argc, argv))
        std::cout << formatManual(app);
    else
        return false;
    return true;
}

void finish(Options& options, const CLI::App& app, const CLI::ParseError& error)
{
    std::ostringstream out, errors;
    const int status = app.exit(error, out, errors);
    options.exitStatus = status == 0 ? 0 : 2;
    options.message = out.str() + errors.str();
}

} // namespace

Options readCommandLine(int argc, char** argv)
{
    Options options;
    options.commandLine = joinArguments(argc, argv);
    CLI::App app("Measures a data-parallel training step of a residual network on this machine.",
                 "quadric-trainer");
    app.set_version_flag("--version", "quadric-trainer " QUADRIC_VERSION);
    app.footer(
        "Settings can also be given as a JSON object in the environment variable QUADRIC_SETTINGS, with\n"
        "underscores in their names; the command line goes first.");
    const std::map<std::string, OutputFormat> formats = {
        {"auto", OutputFormat::Automatic}, {"json", OutputFormat::Json}, {"table", OutputFormat::Table}};
    app.add_option("--format", options.format,
                   "output: json (worker protocol), table, or auto (a table on a terminal)")
        ->transform(CLI::CheckedTransformer(formats, CLI::ignore_case).description(""))
        ->type_name("FORMAT");
    app.add_option("--baseline-device", options.baselineDevice,
                   "name of the device that baseline_rate was measured on, as `hello` reports it; on another "
                   "one the rate is not used, and the run measures it again")
        ->type_name("NAME");
    app.add_flag("--devices", options.listsDevices, "say what this machine can measure, and end");
    RankOptions rank;
    addRankOptions(app, rank);
    for (const workload::Knob& knob : workload::kKnobs) {
        const auto keep = [&options, &knob](const std::string& text) {
            options.settings.emplace_back(knob.name, text);
        };
        app.add_option_function<std::string>(optionName(knob), keep, helpWords(knob))->type_name("VALUE");
    }
    if (answersShell(app, argc, argv)) {
        options.exitStatus = 0;
        return options;
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        finish(options, app, error);
    }
    options.place = makeRankPlace(rank);
    return options;
}

trainer::Workload readWorkload(const Options& options)
{
    trainer::Workload workload;
    if (const char* settings = std::getenv("QUADRIC_SETTINGS")) {
        for (const std::string& name : trainer::applySettings(workload, settings))
            std::cerr << "quadric-trainer: unknown setting \"" << text::makeVisible(name.substr(0, 80))
                      << "\" is not used\n";
    }
    if (const char* bar = std::getenv("QUADRIC_SHORT_LOOK"))
        workload.shortLook = trainer::readShortLook(bar);
    for (const auto& [name, value] : options.settings)
        trainer::setKnob(workload, *trainer::findKnob(name), value);
    return trainer::resolved(std::move(workload));
}

} // namespace quadric::app
