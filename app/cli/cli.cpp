// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cli.h"

#include "app/cli/base/commands.h"
#include "app/cli/completion_values.h"
#include "app/cli/parser_complaint.h"
#include "app/shell/manual.h"
#include "core/run/recipe/approval.h"
#include "core/text/find_nearest.h"
#include "core/text/visible_text.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string_view>

namespace quadric::app {

namespace {

struct Command {
    std::string_view name;
    void (*add)(CommandLine&);
};

constexpr std::array kCommands = {
    Command{"new", addNew},         Command{"design", addDesign},       Command{"evaluate", addEvaluate},
    Command{"run", addRun},         Command{"status", addStatus},       Command{"info", addInfo},
    Command{"analyze", addAnalyze}, Command{"predict", addPredict},     Command{"optimize", addOptimize},
    Command{"plot", addPlot},       Command{"report", addReport},       Command{"import", addImport},
    Command{"export", addExport},   Command{"audit", addAudit},         Command{"compare", addCompare},
    Command{"control", addControl}, Command{"plan", addPlan},           Command{"workload", addWorkload},
    Command{"derive", addDerive},   Command{"thumbnail", addThumbnail},
};

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

/// Help and version are not errors; everything else that the parser finds is wrong use.
int answer(const CLI::App& app, const CLI::ParseError& error)
{
    if (error.get_exit_code() == 0)
        return app.exit(error);
    std::cerr << "quadric: " << text::makeVisible(makeComplaint(app, error)) << '\n';
    return kWrongUse;
}

/// " Did you mean analyze?"; empty where nothing is near.
std::string suggestFirstWord(const std::string& word)
{
    std::vector<std::string> known = {"--help", "--version"};
    for (const Command& command : kCommands)
        known.emplace_back(command.name);
    return text::suggestNearest(word, known);
}

int parse(CLI::App& app, CommandLine& line)
{
    try {
        app.parse(line.argc, line.argv);
        return line.exitStatus;
    } catch (const CLI::ParseError& error) {
        return answer(app, error);
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
    return std::ranges::find(options, first) != options.end() || asksForCompletion(argc, argv) ||
           asksForManual(argc, argv) ||
           std::ranges::any_of(kCommands, [first](const Command& command) { return command.name == first; });
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

void addCommands(CommandLine& line)
{
    for (const Command& command : kCommands)
        command.add(line);
}

int runCommandLine(int argc, char** argv)
{
    CLI::App app("Quadric: design experiments, run them, and find the best settings.\n"
                 "`quadric [STUDY]` opens the window; the commands below work without a display.",
                 "quadric");
    app.set_version_flag("--version", "quadric " QUADRIC_VERSION);
    app.require_subcommand(1);
    app.get_formatter()->column_width(34);
    CommandLine line{app, argc, argv};
    addCommands(line);
    if (asksForCompletion(argc, argv)) {
        printCompletion(app, argc, argv, completionValues);
        return kDone;
    }
    if (asksForManual(argc, argv)) {
        std::cout << manualOf(app);
        return kDone;
    }
    return parse(app, line);
}

} // namespace quadric::app
