// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/started_record.h"

#include "core/run/run_log.h"
#include "core/run/telemetry/json_text.h"

#include <QDateTime>
#include <QSysInfo>

#include <nlohmann/json.hpp>

namespace quadric::run {

namespace {

std::string commandText(const Launch& launch)
{
    nlohmann::json argv = {launch.program.toStdString()};
    for (const QString& argument : launch.arguments)
        argv.push_back(argument.toStdString());
    return telemetry::textOf(argv);
}

} // namespace

study::Run startedRecord(study::Run run, const Launch& launch, const Placement& placement,
                         const std::filesystem::path& document)
{
    const std::filesystem::path log = logPath(document, run.id);
    run.status = study::RunStatus::Running;
    run.provenance.details["command"] = commandText(launch);
    run.provenance.details["log"] =
        telemetry::textOf((log.parent_path().filename() / log.filename()).string());
    run.provenance.details["host"] = telemetry::textOf(QSysInfo::machineHostName().toStdString());
    run.provenance.details["started"] =
        telemetry::textOf(QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString());
    run.provenance.details.merge(provenanceOf(placement));
    return run;
}

} // namespace quadric::run
