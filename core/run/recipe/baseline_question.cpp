// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/recipe/baseline_question.h"

#include "core/run/launch/launch.h"
#include "core/run/recipe/recipe.h"
#include "core/study/document/document.h"

#include <QProcess>

#include <nlohmann/json.hpp>

#include <sstream>

namespace quadric::run {

namespace {

using Json = nlohmann::json;

constexpr int kQuestionPatienceMs = 10000;

Json answerFrom(const std::string& line)
{
    Json answer = Json::parse(line, nullptr, false);
    if (!answer.is_object())
        throw NoAnswer("its answer is no JSON object: " + line.substr(0, 100));
    return answer;
}

std::optional<BaselineNeed> needFrom(const std::string& line)
{
    const Json answer = answerFrom(line);
    if (!answer.contains("baseline"))
        return std::nullopt;
    try {
        return BaselineNeed{study::parseSettings(answer["baseline"].dump(), "the baseline"),
                            answer.value("conditions", Json::object()).dump()};
    } catch (const study::DocumentError& error) {
        throw NoAnswer(error.what());
    }
}

QByteArray questions(const study::Study& study, const std::vector<study::Run>& runs)
{
    std::string lines;
    for (const study::Run& run : runs)
        lines += study::writeSettings(workerSettings(study, run)) + '\n';
    return QByteArray::fromStdString(lines);
}

void prepare(QProcess& trainer, const QString& devices)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    if (!devices.isEmpty())
        environment.insert(QStringLiteral("CUDA_VISIBLE_DEVICES"), devices);
    trainer.setProcessEnvironment(environment);
    trainer.setStandardErrorFile(QProcess::nullDevice());
    trainer.setProgram(trainerProgram());
    trainer.setArguments({QStringLiteral("--baselines")});
}

} // namespace

bool asksForBaselines(const study::Study& study)
{
    return study.benchmark.workload == "builtin" && study::findResponse(study, kScalingEfficiency) != nullptr;
}

std::map<int, BaselineNeed> readBaselineNeeds(const std::vector<int>& runs, const std::string& answers)
{
    std::map<int, BaselineNeed> needs;
    std::istringstream lines(answers);
    std::string line;
    for (const int id : runs) {
        if (!std::getline(lines, line))
            throw NoAnswer("it ended before its answer for run " + std::to_string(id));
        if (const auto need = needFrom(line))
            needs.emplace(id, *need);
    }
    return needs;
}

std::map<int, BaselineNeed> askForBaselines(const ApprovedStudy& approved,
                                            const std::vector<study::Run>& runs, const QString& devices)
{
    QProcess trainer;
    prepare(trainer, devices);
    trainer.start();
    trainer.write(questions(approved.study(), runs));
    trainer.closeWriteChannel();
    if (!trainer.waitForFinished(kQuestionPatienceMs)) {
        const bool isSilent = trainer.state() != QProcess::NotRunning;
        trainer.kill();
        trainer.waitForFinished();
        throw NoAnswer(isSilent
                           ? "it did not answer within " + std::to_string(kQuestionPatienceMs / 1000) + " s"
                           : trainer.errorString().toStdString());
    }
    if (trainer.exitStatus() != QProcess::NormalExit || trainer.exitCode() != 0)
        throw NoAnswer("it ended with exit status " + std::to_string(trainer.exitCode()));
    std::vector<int> ids;
    for (const study::Run& run : runs)
        ids.push_back(run.id);
    return readBaselineNeeds(ids, trainer.readAllStandardOutput().toStdString());
}

} // namespace quadric::run
