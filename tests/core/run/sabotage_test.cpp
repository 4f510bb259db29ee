// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever is done to the files of a study while it is measured: no result that was told as done is lost, and
// a runner ends with "Finished" only where everything is in the study.
#include "core/run/words/run_files.h"
#include "core/study/derived.h"
#include "core/study/document/document.h"
#include "core/study/files/file.h"
#include "core/study/run_records.h"
#include "study_fixture.h"
#include "tests/support/qt_tests.h"
#include "tests/support/test_paths.h"

#include <QProcess>
#include <QRandomGenerator>
#include <QTest>

#include <csignal>
#include <fstream>
#include <sys/wait.h>

using namespace quadric;
using test::StudyFixture;

namespace {

void write(const std::filesystem::path& path, const std::string& text, bool isAppended = false)
{
    std::ofstream(path, isAppended ? std::ios::app : std::ios::trunc) << text;
}

/// A study in a folder of its own, and its runner.
class Lab {
public:
    explicit Lab(int runs, const std::string& id = "the study")
        : m_root(std::filesystem::canonical(m_scratch.path().toStdString()))
    {
        qputenv("XDG_STATE_HOME", (m_root / "state").c_str());
        std::filesystem::create_directories(folder());
        StudyFixture fixture(std::vector<std::string>(static_cast<std::size_t>(runs), "work"));
        first = fixture.study();
        first.id = id;
        first.fixed["milliseconds"] = 60.0;
        first.benchmark.retry = {.disturbed = 0};
        study::saveStudy(first, document());
    }
    ~Lab() { kill(); }

    study::Study first; ///< as it was made

    std::filesystem::path root() const { return m_root; }
    std::filesystem::path folder() const { return m_root / "lab"; }
    std::filesystem::path document() const { return folder() / "study.quadric"; }
    /// However much is written into it meanwhile.
    void removeFolder() const
    {
        std::error_code busy;
        do
            std::filesystem::remove_all(folder(), busy);
        while (busy);
    }
    std::filesystem::path journal() const { return folder() / "study.quadric-journal"; }
    std::filesystem::path recovered() const { return folder() / "study (recovered).quadric"; }

    void start()
    {
        m_words.clear();
        m_runner = std::make_unique<QProcess>();
        m_runner->setProcessChannelMode(QProcess::MergedChannels);
        m_runner->start(
            QString::fromUtf8(builtPath("bin/runner_process")),
            {QStringLiteral("run"), QString::fromStdString(document().string()), QStringLiteral("--events")});
    }
    bool isAlive() const { return m_runner && m_runner->state() != QProcess::NotRunning; }
    void kill()
    {
        if (m_runner)
            m_runner->kill();
        waitForEnd();
    }
    /// Nothing happens any more until goOn(), so that nothing is done to, or read of, files that are
    /// changing.
    void halt()
    {
        if (!isAlive())
            return;
        const auto pid = static_cast<pid_t>(m_runner->processId());
        ::kill(pid, SIGSTOP);
        siginfo_t state = {};
        ::waitid(P_PID, static_cast<id_t>(pid), &state, WSTOPPED | WEXITED | WNOWAIT);
        listen();
    }
    void goOn()
    {
        if (isAlive())
            ::kill(static_cast<pid_t>(m_runner->processId()), SIGCONT);
    }
    /// A run has begun and not ended: the runner has it all in memory. To be asked while it is halted.
    bool isMeasuring() const
    {
        const QString text = QLatin1Char('\n') + m_words;
        return text.count(QStringLiteral("\nstarted ")) > text.count(QStringLiteral("\ndone "));
    }
    void waitForEnd()
    {
        if (m_runner)
            m_runner->waitForFinished(kPatienceMs);
        listen();
    }
    /// What an owner does who finds the study gone or replaced, and no runner at work.
    void putRight() const
    {
        if (isAlive())
            return;
        try {
            if (study::loadWithoutJournal(document()).study.id == first.id)
                return;
        } catch (const study::DocumentError&) {
        }
        study::saveStudy(first, document());
    }
    int status() const { return m_runner->exitCode(); }
    QString words() const { return m_words; }

    void listen()
    {
        if (!m_runner)
            return;
        while (m_runner->waitForReadyRead(0)) {
        }
        m_words += QString::fromUtf8(m_runner->readAllStandardOutput());
        for (const QString& line : m_words.split(QLatin1Char('\n'))) {
            if (line.startsWith(QStringLiteral("done ")))
                m_told.insert(line.mid(5).toInt());
        }
    }
    /// Waits until that many lines begin so, or the runner has ended.
    void waitFor(const QString& beginning, qsizetype lines)
    {
        const auto isSaid = [&] {
            listen();
            const QString text = QLatin1Char('\n') + m_words;
            return text.count(QLatin1Char('\n') + beginning) >= lines || !isAlive();
        };
        QVERIFY2(QTest::qWaitFor(isSaid, kPatienceMs), qPrintable(m_words));
    }
    /// A record is written after this moment: the first one that is told may have been on its way.
    void waitForRecord()
    {
        listen();
        const QString before = QLatin1Char('\n') + m_words;
        waitFor(QStringLiteral("started "), before.count(QStringLiteral("\nstarted ")) + 2);
    }

    const std::set<int>& told() const { return m_told; }

    /// The runs with the right result in a document, with its journal.
    static std::set<int> measuredIn(const std::filesystem::path& path)
    {
        std::set<int> found;
        try {
            for (const study::Run& run : study::loadStudy(path).study.runs)
                take(run, found);
        } catch (const study::DocumentError&) {
            return {};
        }
        return found;
    }

    /// In all studies and journals that are anywhere, whatever became of the folder.
    std::set<int> measuredAnywhere() const
    {
        std::set<int> found;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(m_root)) {
            std::string name = entry.path().string();
            if (name.ends_with(".quadric"))
                found.merge(measuredIn(entry.path()));
            if (!name.ends_with("-journal"))
                continue;
            name.resize(name.size() - 8);
            for (const study::Run& run : study::readJournal(name).runs)
                take(run, found);
        }
        return found;
    }

private:
    static void take(const study::Run& run, std::set<int>& found)
    {
        const auto speed = run.results.find("speed");
        if (run.status == study::RunStatus::Done && speed != run.results.end() &&
            speed->second == test::trueSpeed(run))
            found.insert(run.id);
    }

    QTemporaryDir m_scratch;
    std::filesystem::path m_root;
    std::unique_ptr<QProcess> m_runner;
    QString m_words;
    std::set<int> m_told;
};

using Act = void (*)(Lab&);

/// A document of the same name whose run 1 somebody else has measured.
study::Study otherStudy(const Lab& lab)
{
    study::Study other = lab.first;
    other.id = "another study";
    other.name = "another";
    other.runs[0].status = study::RunStatus::Done;
    other.runs[0].results = {{"speed", 42.0}};
    return other;
}

void editDocument(Lab& lab, void (*edit)(study::Study&))
{
    study::Study study = lab.first;
    edit(study);
    study::saveStudy(study, lab.document());
}

struct Sabotage {
    const char* name;
    Act act;
    int status;        ///< of the runner
    const char* place; ///< where all results are then, seen from the root
    const char* words; ///< in its last words
};

constexpr const char* kStudy = "lab/study.quadric";
constexpr const char* kRecovered = "lab/study (recovered).quadric";

const Sabotage kSabotages[] = {
    {"journal removed", [](Lab& lab) { std::filesystem::remove(lab.journal()); }, 0, kStudy,
     "study.quadric-journal was "},
    {"journal emptied", [](Lab& lab) { std::filesystem::resize_file(lab.journal(), 0); }, 0, kStudy,
     "study.quadric-journal was "},
    {"journal cut", [](Lab& lab) { std::filesystem::resize_file(lab.journal(), 100); }, 0, kStudy,
     "study.quadric-journal.damaged"},
    {"journal moved and an empty one put there",
     [](Lab& lab) {
         std::filesystem::rename(lab.journal(), lab.root() / "away");
         write(lab.journal(), "");
     },
     0, kStudy, "study.quadric-journal was "},
    {"another journal put there",
     [](Lab& lab) {
         std::filesystem::rename(lab.journal(), lab.root() / "away");
         write(lab.journal(), "{\"journal_of\": \"somebody\", \"name\": \"x\"}\n");
     },
     0, kStudy, "study.quadric-journal.damaged"},
    {"garbage written into the journal",
     [](Lab& lab) { write(lab.journal(), "no record, and without a line end", true); }, 0, kStudy,
     "study.quadric-journal.damaged"},
    {"document removed", [](Lab& lab) { std::filesystem::remove(lab.document()); }, 1, kRecovered,
     "study (recovered).quadric"},
    {"document moved", [](Lab& lab) { std::filesystem::rename(lab.document(), lab.folder() / "t.quadric"); },
     1, kRecovered, "study (recovered).quadric"},
    {"document and journal removed",
     [](Lab& lab) {
         std::filesystem::remove(lab.document());
         std::filesystem::remove(lab.journal());
     },
     1, kRecovered, "study (recovered).quadric"},
    {"document broken", [](Lab& lab) { write(lab.document(), "{\"quadric\": 1, "); }, 1, kRecovered,
     "study (recovered).quadric"},
    {"document emptied", [](Lab& lab) { write(lab.document(), ""); }, 1, kRecovered,
     "study (recovered).quadric"},
    {"another study put there", [](Lab& lab) { study::saveStudy(otherStudy(lab), lab.document()); }, 1,
     kRecovered, "study (recovered).quadric"},
    {"run 1 measured by somebody else",
     [](Lab& lab) {
         editDocument(lab, [](study::Study& study) {
             study.runs[0].status = study::RunStatus::Done;
             study.runs[0].results = {{"speed", 42.0}};
         });
     },
     1, kRecovered, "study (recovered).quadric"},
    {"settings of run 1 edited",
     [](Lab& lab) { editDocument(lab, [](study::Study& study) { study.runs[0].settings["a"] = 99.0; }); }, 1,
     kRecovered, "study (recovered).quadric"},
    {"document edited",
     [](Lab& lab) {
         editDocument(lab, [](study::Study& study) {
             study.description = "edited";
             study.fixed["note"] = 1.0;
         });
     },
     0, kStudy, "Finished: 4 runs done"},
    {"an older version put there",
     [](Lab& lab) { editDocument(lab, [](study::Study& study) { study.runs.resize(2); }); }, 0, kStudy,
     "Finished: 4 runs done"},
    {"document saved by a window",
     [](Lab& lab) {
         study::Study study = study::loadStudy(lab.document()).study;
         study.description = "edited";
         study::saveStudy(study, lab.document());
     },
     0, kStudy, "Finished: 4 runs done"},
    {"a link put there",
     [](Lab& lab) {
         std::filesystem::create_directory(lab.root() / "cache");
         std::filesystem::rename(lab.document(), lab.root() / "cache/3f9ab2c");
         std::filesystem::create_symlink("../cache/3f9ab2c", lab.document());
     },
     1, kRecovered, "study (recovered).quadric"},
    {"folder removed", [](Lab& lab) { lab.removeFolder(); }, 1, nullptr, "study (recovered).quadric"},
    {"folder moved", [](Lab& lab) { std::filesystem::rename(lab.folder(), lab.root() / "new"); }, 1,
     "new/study.quadric", "new/study.quadric"},
};

} // namespace

namespace {

/// One of the things that can happen to a study that is measured; some only while it is.
void doSomething(Lab& lab, QRandomGenerator& random)
{
    switch (random.bounded(9)) {
    case 0:
        std::filesystem::remove(lab.journal());
        break;
    case 1:
        write(lab.journal(), "");
        break;
    case 2:
        write(lab.journal(), "{\"id\": 1, garbage", true);
        break;
    case 3:
        std::filesystem::remove(lab.journal());
        write(lab.journal(), "something else\n");
        break;
    case 4:
        study::saveStudy(lab.first, lab.document());
        break;
    case 5:
        editDocument(lab, [](study::Study& study) { study.description += "edited"; });
        break;
    case 6:
        std::filesystem::remove(lab.document());
        break;
    case 7:
        study::saveStudy(otherStudy(lab), lab.document());
        break;
    default:
        break;
    }
}

} // namespace

class SabotageTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("QUADRIC_TRAINER", builtPath("bin/fake_worker")); }

    void nothingIsLost_data()
    {
        QTest::addColumn<int>("index");
        for (int i = 0; i < static_cast<int>(std::size(kSabotages)); ++i)
            QTest::newRow(kSabotages[i].name) << i;
    }

    void nothingIsLost()
    {
        QFETCH(const int, index);
        const Sabotage& sabotage = kSabotages[index];
        Lab lab(4);
        lab.start();
        lab.waitFor(QStringLiteral("done "), 2);
        sabotage.act(lab);
        lab.waitForEnd();
        QVERIFY2(!lab.isAlive(), qPrintable(lab.words()));
        QVERIFY2(lab.words().contains(QLatin1String(sabotage.words)), qPrintable(lab.words()));
        QVERIFY2(lab.status() == sabotage.status, qPrintable(lab.words()));
        QCOMPARE(lab.words().contains(QStringLiteral("Finished")), sabotage.status == 0);
        QVERIFY(lab.told().size() >= 2);
        const auto place = sabotage.place ? lab.root() / sabotage.place
                                          : study::recoveredPath(run::recoveredElsewhere(lab.document()));
        for (const int id : lab.told())
            QVERIFY2(Lab::measuredIn(place).contains(id), qPrintable(lab.words()));
        // Nothing stays that would stand in the way: another runner can tell whether all is measured.
        if (sabotage.status == 0)
            QVERIFY(!std::filesystem::exists(place.string() + "-journal"));
    }

    void theOtherStudyStaysAsItIs()
    {
        Lab lab(3);
        lab.start();
        lab.waitFor(QStringLiteral("done "), 1);
        const study::Study other = otherStudy(lab);
        study::saveStudy(other, lab.document());
        lab.waitForEnd();
        QVERIFY(study::loadWithoutJournal(lab.document()).study == other);
        QCOMPARE(Lab::measuredIn(lab.recovered()).size(), std::size_t{3});
    }

    void whatIsEditedStays()
    {
        Lab lab(3);
        lab.start();
        lab.waitFor(QStringLiteral("done "), 1);
        study::Study edited = lab.first;
        edited.description = "edited meanwhile";
        edited.runs.push_back(edited.runs[0]);
        edited.runs.back().id = edited.runs.back().order = 61;
        edited.runs.back().status = study::RunStatus::Done;
        edited.runs.back().results = {{"speed", 6.0}};
        study::saveStudy(edited, lab.document());
        lab.waitForEnd();
        QCOMPARE(lab.status(), 0);
        const study::Study now = study::loadWithoutJournal(lab.document()).study;
        QCOMPARE(now.description, edited.description);
        QVERIFY(*study::findRun(now, 61) == edited.runs.back());
        QCOMPARE(Lab::measuredIn(lab.document()).size(), std::size_t{3});
    }

    /// `git clean` beside a living runner, say.
    void aSecondRunnerDoesNotStartWhereTheJournalIsRemoved()
    {
        Lab lab(6);
        lab.start();
        lab.waitFor(QStringLiteral("done "), 1);
        lab.halt();
        std::filesystem::remove(lab.journal());
        QProcess second;
        second.setProcessChannelMode(QProcess::MergedChannels);
        second.start(QString::fromUtf8(builtPath("bin/runner_process")),
                     {QStringLiteral("run"), QString::fromStdString(lab.document().string())});
        QVERIFY(second.waitForFinished(kPatienceMs));
        const QString words = QString::fromUtf8(second.readAll());
        QVERIFY2(second.exitCode() == 2 && words.contains(QStringLiteral("is being run by")),
                 qPrintable(words));
        lab.goOn();
        lab.waitForEnd();
        QCOMPARE(lab.status(), 0);
        QCOMPARE(Lab::measuredIn(lab.document()).size(), std::size_t{6});
    }

    /// A link that has taken the document's place leads nothing to another folder.
    void nothingIsWrittenBehindALink()
    {
        Lab lab(4);
        lab.start();
        lab.waitFor(QStringLiteral("done "), 1);
        const std::filesystem::path other = lab.root() / "other" / "x.sh";
        std::filesystem::create_directory(other.parent_path());
        write(other, "somebody's file\n");
        std::filesystem::remove(lab.document());
        std::filesystem::create_symlink(other, lab.document());
        lab.waitForEnd();
        QCOMPARE(lab.status(), 1);
        QCOMPARE(Lab::measuredIn(lab.recovered()).size(), std::size_t{4});
        QCOMPARE(std::distance(std::filesystem::directory_iterator(other.parent_path()), {}), 1);
        QCOMPARE(std::filesystem::file_size(other), std::uintmax_t{16});
    }

    /// What is computed from results is so for those that come later.
    void whatIsDerivedMeanwhileIsSoForAllRuns()
    {
        Lab lab(4);
        lab.start();
        lab.waitFor(QStringLiteral("done "), 2);
        study::editStudy(lab.document(), [](study::Study study) {
            study::setDerived(study, "half", "speed / 2");
            study.responses.push_back({.name = "half"});
            for (study::Run& run : study.runs)
                run = study::withComputedResults(study, std::move(run));
            return study;
        });
        lab.waitForEnd();
        QCOMPARE(lab.status(), 0);
        for (const study::Run& run : study::loadWithoutJournal(lab.document()).study.runs)
            QCOMPARE(run.results.at("half"), test::trueSpeed(run) / 2.0);
    }

    void aStudyWithoutIdIsKnownByWhatItMeasures()
    {
        for (const bool isOther : {false, true}) {
            Lab lab(3, {});
            lab.start();
            lab.waitFor(QStringLiteral("done "), 1);
            study::Study changed = lab.first;
            changed.description = "edited";
            if (isOther)
                changed.benchmark.env["OTHER"] = "1";
            study::saveStudy(changed, lab.document());
            lab.waitForEnd();
            QCOMPARE(lab.status(), isOther ? 1 : 0);
            QCOMPARE(Lab::measuredIn(isOther ? lab.recovered() : lab.document()).size(), std::size_t{3});
        }
    }

    void theNextRunnerRefusesAForeignJournal()
    {
        Lab lab(4);
        lab.start();
        lab.waitFor(QStringLiteral("done "), 2);
        lab.kill();
        const study::Study other = otherStudy(lab);
        study::saveStudy(other, lab.document());
        QVERIFY(study::loadStudy(lab.document()).study == other);
        lab.start();
        lab.waitForEnd();
        QCOMPARE(lab.status(), 2);
        QVERIFY2(lab.words().contains(QStringLiteral("study.quadric-journal")), qPrintable(lab.words()));
        QVERIFY2(lab.words().contains(QStringLiteral("\"fixture\"")), qPrintable(lab.words()));
        QVERIFY(study::loadWithoutJournal(lab.document()).study == other);
        std::filesystem::remove(lab.document()); // the study comes back
        study::saveStudy(lab.first, lab.document());
        lab.start();
        lab.waitForEnd();
        QCOMPARE(lab.status(), 0);
        QCOMPARE(Lab::measuredIn(lab.document()).size(), std::size_t{4});
    }

    /// Who is killed just after the journal was removed can save nothing; before the kill there is a record.
    void inAnyOrderWithKills()
    {
        QRandomGenerator random(20261122);
        for (int round = 0; round < 8; ++round) {
            Lab lab(10);
            lab.first.fixed["milliseconds"] = 20.0;
            study::saveStudy(lab.first, lab.document());
            for (int i = 0; i < 6; ++i) {
                if (!lab.isAlive())
                    lab.start();
                lab.waitFor(QStringLiteral("started "), 1);
                QTest::qSleep(static_cast<int>(random.bounded(60)));
                lab.halt();
                if (lab.isMeasuring())
                    doSomething(lab, random);
                lab.goOn();
                lab.waitForRecord();
                if (random.bounded(3) == 0)
                    lab.kill();
                lab.halt();
                const std::set<int> found = lab.measuredAnywhere();
                for (const int id : lab.told())
                    QVERIFY2(found.contains(id), qPrintable(QStringLiteral("round %1, step %2, run %3\n%4")
                                                                .arg(round)
                                                                .arg(i)
                                                                .arg(id)
                                                                .arg(lab.words())));
                lab.goOn();
                lab.putRight();
            }
        }
    }
};

QUADRIC_QT_TEST(SabotageTest)
#include "sabotage_test.moc"
