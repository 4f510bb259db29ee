// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/commands.h"
#include "app/cli/output/study_output.h"
#include "core/run/follow/control_client.h"
#include "core/study/files/journal.h"
#include "core/text/find_nearest.h"

#include <QCoreApplication>

#include <iostream>
#include <memory>

namespace quadric::app {

namespace {

struct ControlOptions {
    StudyOption study;
    std::string request;
};

std::vector<std::string> actionNames()
{
    std::vector<std::string> names;
    for (const run::ControlAction action : run::controlActions())
        names.emplace_back(nameOf(action));
    return names;
}

run::ControlRequest requestOf(const std::string& words)
{
    const auto request = run::controlRequestFrom(words);
    if (!request)
        throw UsageError("control: \"" + words +
                         "\", expected pause, resume, stop, status, or cancel, skip, retry or first with "
                         "the number of a run: cancel:4." +
                         text::suggestNearest(words.substr(0, words.find(':')), actionNames()));
    return *request;
}

void execute(CommandLine& line, const ControlOptions& options)
{
    const run::ControlRequest request = requestOf(options.request);
    readStudy(options.study.path);
    const auto owner = study::lockOwner(options.study.path);
    if (!owner)
        throw WorkError(options.study.path + ": no runner executes this study; quadric run starts one");
    QCoreApplication application(line.argc, line.argv);
    const run::ControlReply reply = run::ask(options.study.path, request);
    if (options.study.json)
        printJson(Json::parse(run::writeReply(reply).toStdString()));
    else if (reply.isDone)
        std::cout << reply.message.toStdString() << '\n';
    if (!reply.isDone)
        throw WorkError(reply.message.toStdString());
}

} // namespace

void addControl(CommandLine& line)
{
    auto options = std::make_shared<ControlOptions>();
    CLI::App* command =
        line.app.add_subcommand("control", "Control the runner of a study: pause, stop, cancel a run");
    addStudyOption(*command, options->study);
    command
        ->add_option("request", options->request,
                     "pause, resume, stop, status; cancel:ID, skip:ID, retry:ID, first:ID for one run")
        ->type_name("REQUEST")
        ->required();
    command->callback([&line, options] { execute(line, *options); });
}

} // namespace quadric::app
