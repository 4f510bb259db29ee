// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run/run_trial.h"

#include "app/cli/output/study_output.h"
#include "core/report/table_text.h"
#include "core/report/tables/study_tables.h"
#include "core/run/recipe/approval.h"
#include "core/run/worker/termination.h"
#include "core/run/worker/trial.h"
#include "core/study/document/document.h"
#include "core/text/visible_text.h"

#include <QCoreApplication>

#include <clocale>
#include <iostream>
#include <memory>

namespace quadric::app {

namespace {

void print(const study::Study& study, const run::Trial& trial, const run::TrialReport& report, bool asJson)
{
    if (asJson) {
        printJson({{"run", Json::parse(study::writeRun(report.run))}, {"output", report.output}});
        return;
    }
    std::cout << settingsText(study, trial.settings()) << '\n';
    if (report.run.failure)
        std::cout << failureText(*report.run.failure) << '\n';
    else
        std::cout << "read: " << resultsText(study, report.run) << '\n';
    std::cout << "\nThe program printed:\n" << (report.output.empty() ? "nothing\n" : report.output);
}

} // namespace

std::string resultsText(const study::Study& study, const study::Run& run)
{
    std::string text;
    for (const study::Response& response : study.responses) {
        if (!run.results.contains(response.name))
            continue;
        const double uncertainty = report::commonUncertainty(study, response.name);
        text += (text.empty() ? "" : ", ") + response.name + " " +
                formatCell(report::makeResultCell(run, response.name, uncertainty)) +
                (response.unit.empty() ? "" : " " + response.unit);
    }
    return text::makeVisible(text);
}

void approveAndShow(const std::string& path)
{
    const run::ApprovalRequest request(readStudy(path), path);
    if (request.isApproved())
        return;
    std::cerr << "quadric: approved. " << request.question().toStdString();
    request.approve();
}

int executeTrial(CommandLine& line, const TrialOptions& options)
{
    QCoreApplication application(line.argc, line.argv);
    std::setlocale(LC_NUMERIC, "C");
    const study::Study study = readStudy(options.path);
    if (options.approve)
        approveAndShow(options.path);
    auto termination = std::make_unique<run::Termination>();
    run::Trial trial(study, options.run, options.path);
    run::TrialReport result;
    QObject::connect(termination.get(), &run::Termination::requested, &trial, &run::Trial::stop);
    QObject::connect(&trial, &run::Trial::ended, &application, [&result](const run::TrialReport& report) {
        result = report;
        QCoreApplication::quit();
    });
    trial.start();
    QCoreApplication::exec();
    termination.reset(); // from here on a signal ends a program that nobody reads
    print(study, trial, result, options.json);
    return result.run.status == study::RunStatus::Done ? kDone : kWorkFailed;
}

} // namespace quadric::app
