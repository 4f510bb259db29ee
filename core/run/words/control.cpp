// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/words/control.h"

#include "core/machine/json_text.h"
#include "core/run/words/run_files.h"
#include "core/study/files/file.h"

#include <QDir>
#include <QFile>
#include <QStandardPaths>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace quadric::run {

namespace {

using Json = nlohmann::json;

/// The address of a socket has room for 107 bytes, of which Qt takes some for a name that it listens on
/// first.
constexpr qsizetype kLongestSocket = 96;

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

/// The folder itself belongs to the user, and nobody else may enter it. A link is none.
bool isPrivate(const QByteArray& folder)
{
    constexpr mode_t kOthers = 077;
    struct stat status = {};
    return ::lstat(folder.constData(), &status) == 0 && S_ISDIR(status.st_mode) &&
           status.st_uid == ::geteuid() && (status.st_mode & kOthers) == 0;
}

/// Closes a folder of the user's own to others.
void makePrivate(const QByteArray& folder)
{
    constexpr mode_t kOnlyOwner = 0700;
    const study::FileHandle open(::open(folder.constData(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!open.isOpen())
        return;
    [[maybe_unused]] const int ignored = ::fchmod(open.get(), kOnlyOwner); // isPrivate() is asked afterwards
}

/// Empty where there is none.
QString privateFolder()
{
    const QString session = QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation);
    if (!session.isEmpty() && QDir().mkpath(session) && isPrivate(QFile::encodeName(session)))
        return session;
    const QString state = QString::fromStdString(stateFolder().string());
    if (!QDir().mkpath(state))
        return {};
    if (!isPrivate(QFile::encodeName(state)))
        makePrivate(QFile::encodeName(state));
    return isPrivate(QFile::encodeName(state)) ? state : QString();
}

Json objectIn(const QByteArray& line)
{
    Json json = Json::parse(line.begin(), line.end(), nullptr, false);
    return json.is_object() ? std::move(json)
                            : Json::object(); // a copy of one nested deeply needs much stack
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

std::optional<ControlRequest> parseControlRequest(std::string_view words)
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
    const QString folder = privateFolder();
    const QString path = folder + QLatin1Char('/') + studyKey(document) + QStringLiteral(".socket");
    return folder.isEmpty() || QFile::encodeName(path).size() > kLongestSocket ? QString() : path;
}

std::string whyNoControl(const std::filesystem::path& document)
{
    if (!controlSocket(document).isEmpty())
        return {};
    return "this study's runner cannot be controlled while it works: neither $XDG_RUNTIME_DIR (" +
           QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation).toStdString() + ") nor " +
           stateFolder().string() +
           " is a folder of yours alone (mode 0700, no link) with a path short enough for a socket. SIGTERM "
           "stops it";
}

} // namespace quadric::run
