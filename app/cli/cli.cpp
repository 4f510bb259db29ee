// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cli.h"

#include "app/cli/base/commands.h"
#include "core/run/recipe/approval.h"
#include "core/text/typed_text.h"
#include "core/text/visible_text.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string_view>

namespace quadric::app {

namespace {

struct NamedCommand {
    std::string_view name;
    void (*add)(CommandLine&);
};

constexpr auto kCommands = std::to_array<NamedCommand>(
    {{"new", addNew},           {"design", addDesign},   {"evaluate", addEvaluate},
     {"run", addRun},           {"status", addStatus},   {"info", addInfo},
     {"analyze", addAnalyze},   {"predict", addPredict}, {"optimize", addOptimize},
     {"next", addNext},         {"plot", addPlot},       {"report", addReport},
     {"import", addImport},     {"export", addExport},   {"audit", addAudit},
     {"compare", addCompare},   {"control", addControl}, {"plan", addPlan},
     {"workload", addWorkload}, {"derive", addDerive},   {"thumbnail", addThumbnail}});

/// On one line, so that nothing from a file can look like a message of its own.
int complain(const std::exception& error, int status)
{
    std::cerr << "quadric: " << text::makeVisible(error.what()) << '\n';
    return status;
}

/// What is asked has several lines of our own; what stands in them is made visible where they are written.
int ask(const run::ApprovalError& question)
{
    std::cerr << "quadric: " << question.what() << '\n';
    return kWrongUse;
}

/// " Did you mean analyze?"; empty where nothing is near.
std::string suggestFirstWord(const std::string& word)
{
    std::vector<std::string> known = {"--help", "--version"};
    for (const NamedCommand& command : kCommands)
        known.emplace_back(command.name);
    return text::suggestNearest(word, known);
}

int execute(CommandLine& line)
{
    try {
        line.program.execute(line.argc, line.argv);
        return line.exitStatus;
    } catch (const run::ApprovalError& question) {
        return ask(question);
    } catch (const WorkError& error) {
        return complain(error, kWorkFailed);
    } catch (const std::bad_alloc&) {
        std::cerr << "quadric: there is not enough memory for this\n";
        return kWorkFailed;
    } catch (const std::exception& error) {
        return complain(error, kWrongUse);
    }
}

} // namespace

bool isCommandLine(int argc, char** argv)
{
    if (argc < 2)
        return false;
    const std::string_view first = argv[1];
    constexpr std::array<std::string_view, 3> options = {"--help", "-h", "--version"};
    return std::ranges::find(options, first) != options.end() || isAskedByShell(argc, argv) ||
           std::ranges::any_of(kCommands,
                               [first](const NamedCommand& command) { return command.name == first; });
}

std::string whyNoWindow(int argc, char** argv)
{
    const std::string first = argc > 1 ? argv[1] : "";
    if (!first.empty() && !std::filesystem::exists(first)) {
        const std::string suggestion = suggestFirstWord(first);
        if (!first.starts_with('-'))
            return "\"" + first + "\" is neither a command nor a file." + suggestion +
                   " quadric --help lists the commands.";
        if (!suggestion.empty())
            return "there is no option " + first + "." + suggestion;
    }
    constexpr std::array displays = {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"};
    const bool hasDisplay = std::ranges::any_of(displays, [](const char* name) {
        const char* value = std::getenv(name);
        return value && *value != '\0';
    });
    return hasDisplay ? ""
                      : "there is no display for a window; quadric --help lists the commands that need none";
}

int runCommandLine(int argc, char** argv)
{
    Command program("quadric",
                    "Quadric: design experiments, run them, and find the best settings.\n"
                    "`quadric [STUDY]` opens the window; the commands below work without a display.",
                    "quadric " QUADRIC_VERSION);
    program.requireCommand();
    CommandLine line{program, argc, argv};
    for (const NamedCommand& command : kCommands)
        command.add(line);
    return program.answersShell(argc, argv) ? kDone : execute(line);
}

} // namespace quadric::app
