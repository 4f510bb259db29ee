// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/runner/started_record.h"

#include "core/run/words/run_log.h"

#include <QDateTime>
#include <QSysInfo>

namespace quadric::run {

namespace {

std::vector<std::string> commandOf(const Launch& launch)
{
    std::vector<std::string> argv = {launch.program.toStdString()};
    for (const QString& argument : launch.arguments)
        argv.push_back(argument.toStdString());
    return argv;
}

} // namespace

study::Run startedRecord(study::Run run, const Launch& launch, const Placement& placement,
                         const std::filesystem::path& document)
{
    const std::filesystem::path log = logPath(document, run.id);
    run.status = study::RunStatus::Running;
    run.provenance.command = commandOf(launch);
    run.provenance.log = (log.parent_path().filename() / log.filename()).string();
    run.provenance.host = QSysInfo::machineHostName().toStdString();
    run.provenance.started = QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString();
    note(placement, run.provenance);
    return run;
}

} // namespace quadric::run
