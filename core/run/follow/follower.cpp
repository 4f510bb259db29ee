// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/follow/follower.h"

#include "core/run/words/events.h"
#include "core/study/document/document.h"
#include "core/study/files/file.h"
#include "core/study/run_records.h"

#include <QEventLoop>
#include <QFile>
#include <QFileSystemWatcher>
#include <QLocalSocket>
#include <QTimer>

#include <nlohmann/json.hpp>

#include <utility>

namespace quadric::run {

namespace {

constexpr int kAnswerPatienceMs = 5000;

/// One request on a connection of its own; deletes itself after its answer.
class Conversation : public QObject {
public:
    Conversation(QObject* owner, const std::filesystem::path& document, const ControlRequest& request,
                 std::function<void(const ControlReply&)> done)
        : QObject(owner)
        , m_done(std::move(done))
    {
        connect(&m_socket, &QLocalSocket::connected, this,
                [this, request] { m_socket.write(writeRequest(request) + '\n'); });
        connect(&m_socket, &QLocalSocket::readyRead, this, &Conversation::read);
        connect(&m_socket, &QLocalSocket::errorOccurred, this, [this, document] {
            const std::string why = whyNoControl(document);
            finish({false,
                    why.empty() ? QStringLiteral("No runner of this study answers on this computer.")
                                : QStringLiteral("No answer: ") + QString::fromStdString(why),
                    {}});
        });
        QTimer::singleShot(kAnswerPatienceMs, this, [this] {
            finish({false, QStringLiteral("The runner does not answer."), {}});
        });
        m_socket.connectToServer(controlSocket(document));
    }
    ~Conversation() override { m_isFinished = true; } // nobody hears of an end of the socket any more

private:
    void read()
    {
        if (!m_socket.canReadLine())
            return;
        const auto reply = readReply(m_socket.readLine());
        finish(reply.value_or(
            ControlReply{false, QStringLiteral("The runner's answer is not understood."), {}}));
    }

    void finish(const ControlReply& reply)
    {
        if (m_isFinished)
            return;
        m_isFinished = true;
        m_done(reply);
        deleteLater();
    }

    std::function<void(const ControlReply&)> m_done;
    QLocalSocket m_socket;
    bool m_isFinished = false;
};

using Json = nlohmann::json;

constexpr int kPollMs = 500;
constexpr int kAskMs = 2000; ///< for what a runner cannot write down
constexpr int kReadAttempts = 5;

/// What the files of a study looked like when they were read.
struct FilesSeen {
    study::FileIdentity document, journal;
    bool operator==(const FilesSeen&) const = default;
};

FilesSeen identifyFiles(const std::filesystem::path& document)
{
    return {study::identityOf(document), study::identityOf(study::journalPath(document))};
}

} // namespace

void ask(QObject* owner, const std::filesystem::path& document, const ControlRequest& request,
         std::function<void(const ControlReply&)> done)
{
    // Queued: the answer never comes before this has returned.
    QMetaObject::invokeMethod(
        owner, [=] { new Conversation(owner, document, request, done); }, Qt::QueuedConnection);
}

ControlReply ask(const std::filesystem::path& document, const ControlRequest& request)
{
    QEventLoop loop;
    ControlReply answer;
    ask(&loop, document, request, [&](const ControlReply& reply) {
        answer = reply;
        loop.quit();
    });
    loop.exec();
    return answer;
}

struct Follower::State {
    Follower& follower;
    std::filesystem::path document;
    FileTail events;
    QTimer poll, asking;
    std::string answered; ///< problem that the living runner has told when it was asked last
    QFileSystemWatcher watcher;
    FilesSeen seen;
    std::map<int, study::Run> known;
    bool isAlive = false;
    RunnerNews news;
    std::string problem;    ///< as it was told last
    QString farewell;       ///< message of the runner's last event
    QString reason;         ///< of the same
    bool hasSpoken = false; ///< an event has come since the lock was taken: it is a runner that has it

    State(Follower& owner, std::filesystem::path path)
        : follower(owner)
        , document(std::move(path))
        , events(openEventTail(document))
    {
    }

    void begin()
    {
        isAlive = study::lockOwner(document).has_value();
        const FilesSeen files = identifyFiles(document);
        try {
            const study::JournalContents journal = study::readJournal(document);
            for (const study::Run& run : study::allRuns(study::loadStudy(document).study))
                known[run.id] = run;
            // What the journal tells is news to whoever has read only the document.
            for (const study::Run& run : journal.runs)
                known.erase(run.id);
            if (journal.runs.empty())
                seen = files;
        } catch (const study::DocumentError&) {
            seen = {}; // half a file of a writer, or none yet: the poll comes back to it
        }
        if (isAlive)
            emit follower.runnerStarted();
        else
            events.skipToEnd();
        update();
    }

    void update()
    {
        const bool hasOwner = study::lockOwner(document).has_value();
        if (hasOwner && !isAlive)
            runnerAppeared();
        const bool hasVanished = !hasOwner && isAlive; // not one that appears in the events read now
        readRuns();
        readEvents();
        if (hasVanished)
            runnerVanished();
        tellProblem();
        watchFiles();
    }

    void watchFiles()
    {
        const QStringList watched = watcher.files() + watcher.directories();
        const QString journal = QString::fromStdString(study::journalPath(document).string());
        const QString folder =
            QString::fromStdString(std::filesystem::absolute(document).parent_path().string());
        for (const QString& path : {folder, journal, QString::fromStdString(eventsPath(document).string())}) {
            if (!watched.contains(path) && QFile::exists(path))
                watcher.addPath(path);
        }
    }

    void readRuns()
    {
        for (int attempt = 0; attempt < kReadAttempts; ++attempt) {
            const FilesSeen before = identifyFiles(document);
            if (before == seen)
                return;
            try {
                const study::LoadedStudy loaded = study::loadStudy(document);
                // Document and journal must belong together: the journal may be folded between the two reads.
                if (identifyFiles(document) != before)
                    continue;
                seen = before;
                takeRuns(loaded.study);
                return;
            } catch (const study::DocumentError&) {
                return;
            }
        }
    }

    void takeRuns(const study::Study& study)
    {
        for (study::Run run : study::allRuns(study)) {
            if (run.status == study::RunStatus::Running && !isAlive)
                run.status = study::RunStatus::Pending;
            const auto found = known.find(run.id);
            if (found != known.end() && found->second == run)
                continue;
            known[run.id] = run;
            emit follower.runChanged(run);
        }
    }

    void readEvents()
    {
        const RunnerNews before = news;
        for (const QByteArray& line : events.readLines().text.split('\n')) {
            if (line.isEmpty())
                continue;
            news.take({line.constData(), static_cast<std::size_t>(line.size())});
            handle(line);
            hasSpoken = true;
        }
        if (news != before)
            emit follower.newsChanged(news);
    }

    void handle(const QByteArray& line)
    {
        const Json json = Json::parse(line.begin(), line.end(), nullptr, false);
        if (!json.is_object() || !json.contains("event") || !json["event"].is_string())
            return;
        try {
            emitNews(json["event"].get<std::string>(), json);
        } catch (const Json::exception&) {
            return; // news with other fields than ours: of another version
        }
    }

    void emitNews(const std::string& event, const Json& json)
    {
        if (event == "progress")
            emit follower.progress(json.at("run_id").get<int>(), json.at("done").get<double>(),
                                   QString::fromStdString(json.at("phase").get<std::string>()));
        else if (event == "sample")
            emit follower.sample(json.at("run_id").get<int>(), json.at("step_ms").get<double>());
        else if (event == "log")
            emit follower.logLine(json.at("run_id").get<int>(),
                                  QString::fromStdString(json.at("line").get<std::string>()));
        else if (event == "started" && !isAlive)
            runnerAppeared();
        else if (event == "ended") {
            farewell = QString::fromStdString(json.at("message").get<std::string>());
            reason = QString::fromStdString(json.at("reason").get<std::string>());
        } else if (event != "remaining") // that is in news()
            readRuns(); // a run has started or ended: its record is in the journal before its event
    }

    void tellProblem()
    {
        const std::string now = describeStudyProblem(document, news, isAlive, answered);
        if (std::exchange(problem, now) != now)
            emit follower.problemChanged(QString::fromStdString(now));
    }

    void ask()
    {
        if (!isAlive)
            return;
        run::ask(&follower, document, {ControlAction::Status, 0}, [this](const ControlReply& reply) {
            answered = reply.problem.toStdString();
            tellProblem();
        });
    }

    void runnerAppeared()
    {
        isAlive = true;
        answered.clear();
        farewell.clear();
        reason.clear();
        hasSpoken = false;
        emit follower.runnerStarted();
    }

    void runnerVanished()
    {
        isAlive = false;
        seen = {};
        news = {};
        emit follower.newsChanged(news);
        readRuns(); // what was running is pending again
        if (farewell.isEmpty() && hasSpoken) {
            farewell = QStringLiteral("The runner stopped unexpectedly (killed). Finished runs are saved.");
            reason = QStringLiteral("died");
        }
        emit follower.runnerEnded(farewell, reason);
    }
};

Follower::Follower(std::filesystem::path document, QObject* parent)
    : QObject(parent)
    , m_state(std::make_unique<State>(*this, std::move(document)))
{
    connect(&m_state->poll, &QTimer::timeout, this, [this] { m_state->update(); });
    connect(&m_state->asking, &QTimer::timeout, this, [this] { m_state->ask(); });
    connect(&m_state->watcher, &QFileSystemWatcher::fileChanged, this, [this] { m_state->update(); });
    connect(&m_state->watcher, &QFileSystemWatcher::directoryChanged, this, [this] { m_state->update(); });
}

Follower::~Follower() = default;

void Follower::start()
{
    m_state->begin();
    m_state->poll.start(kPollMs);
    m_state->asking.start(kAskMs);
}

const RunnerNews& Follower::news() const
{
    return m_state->news;
}

bool Follower::isRunnerAlive() const
{
    return m_state->isAlive;
}

} // namespace quadric::run
