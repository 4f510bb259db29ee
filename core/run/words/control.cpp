// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/words/control.h"

#include "core/machine/json_text.h"
#include "core/run/words/study_key.h"

#include <QDir>
#include <QStandardPaths>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>

namespace quadric::run {

namespace {

using Json = nlohmann::json;

struct ActionName {
    ControlAction action;
    std::string_view name;
    bool isAboutARun;
};

constexpr auto kActions = std::to_array<ActionName>({
    {ControlAction::Pause, "pause", false},
    {ControlAction::Resume, "resume", false},
    {ControlAction::Stop, "stop", false},
    {ControlAction::Cancel, "cancel", true},
    {ControlAction::Skip, "skip", true},
    {ControlAction::Retry, "retry", true},
    {ControlAction::First, "first", true},
    {ControlAction::Status, "status", false},
});

const ActionName& entryOf(ControlAction action)
{
    return *std::ranges::find(kActions, action, &ActionName::action);
}

std::optional<ControlRequest> requestOf(std::string_view name, std::optional<int> run)
{
    const auto found = std::ranges::find(kActions, name, &ActionName::name);
    if (found == kActions.end() || found->isAboutARun != run.has_value())
        return std::nullopt;
    return ControlRequest{found->action, run.value_or(0)};
}

QByteArray lineOf(const Json& json)
{
    return QByteArray::fromStdString(machine::textOf(json));
}

Json objectIn(const QByteArray& line)
{
    const Json json = Json::parse(line.begin(), line.end(), nullptr, false);
    return json.is_object() ? json : Json::object();
}

} // namespace

std::vector<ControlAction> controlActions()
{
    std::vector<ControlAction> actions;
    for (const ActionName& item : kActions)
        actions.push_back(item.action);
    return actions;
}

std::string_view nameOf(ControlAction action)
{
    return entryOf(action).name;
}

bool isAboutARun(ControlAction action)
{
    return entryOf(action).isAboutARun;
}

std::optional<ControlRequest> controlRequestFrom(std::string_view words)
{
    const std::size_t colon = words.find(':');
    if (colon == words.npos)
        return requestOf(words, std::nullopt);
    int run = 0;
    const std::string_view number = words.substr(colon + 1);
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), run);
    if (error != std::errc() || end != number.data() + number.size())
        return std::nullopt;
    return requestOf(words.substr(0, colon), run);
}

QByteArray writeRequest(const ControlRequest& request)
{
    Json json = {{"do", nameOf(request.action)}};
    if (isAboutARun(request.action))
        json["run"] = request.run;
    return lineOf(json);
}

std::optional<ControlRequest> readRequest(const QByteArray& line)
{
    const Json json = objectIn(line);
    const auto name = json.find("do");
    const auto run = json.find("run");
    if (name == json.end() || !name->is_string())
        return std::nullopt;
    const bool hasRun = run != json.end() && run->is_number_integer();
    return requestOf(name->get<std::string>(), hasRun ? std::optional(run->get<int>()) : std::nullopt);
}

QByteArray writeReply(const ControlReply& reply)
{
    Json json = {{"done", reply.isDone}, {"message", reply.message.toStdString()}};
    if (!reply.problem.isEmpty())
        json["problem"] = reply.problem.toStdString();
    return lineOf(json);
}

std::optional<ControlReply> readReply(const QByteArray& line)
{
    const Json json = objectIn(line);
    const auto done = json.find("done");
    const auto message = json.find("message");
    if (done == json.end() || !done->is_boolean() || message == json.end() || !message->is_string())
        return std::nullopt;
    const auto problem = json.find("problem");
    const bool hasProblem = problem != json.end() && problem->is_string();
    return ControlReply{done->get<bool>(), QString::fromStdString(message->get<std::string>()),
                        hasProblem ? QString::fromStdString(problem->get<std::string>()) : QString()};
}

QString controlSocket(const std::filesystem::path& document)
{
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation);
    if (folder.isEmpty() || !QDir().mkpath(folder))
        return {};
    return folder + QLatin1Char('/') + studyKey(document) + QStringLiteral(".socket");
}

} // namespace quadric::run
