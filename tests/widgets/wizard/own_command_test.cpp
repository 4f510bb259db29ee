// SPDX-License-Identifier: GPL-3.0-or-later

// The page on which a command is typed: preview, checks beside the fields, renames, recipes, files.

#include "tests/support/qt_tests.h"
#include "widgets/wizard/study_wizard.h"

#include "core/study/study.h"
#include "widgets/wizard/sheets/factor_table_model.h"
#include "widgets/wizard/sheets/response_table_model.h"

#include <QComboBox>
#include <QDir>
#include <QDragEnterEvent>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>

using namespace quadric;
using widgets::StudyWizard;
using widgets::WizardStep;

class OwnCommandTest : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QFile script(m_folder->filePath("train.sh"));
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write("echo throughput: 1\n");
        m_wizard = std::make_unique<StudyWizard>(run::thisMachine());
        m_wizard->startFrom(ownStudy());
        m_wizard->setDocument(m_folder->filePath("own.quadric").toStdString(), true);
        m_wizard->setStep(WizardStep::Measurement);
        m_wizard->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_wizard.get(), kPatienceMs));
        QVERIFY2(isFinishable(), qPrintable(m_wizard->problems().join("; ")));
    }

    void showsTheCommandAsItIsRun()
    {
        const study::Settings& first = m_wizard->study().runs.front().settings;
        typeCommand("sh train.sh --lr={lr} --optimizer \"the {optimizer}\" {batch}");
        const QString expected = QString("Run 1: sh train.sh --lr=%1 --optimizer 'the %2' %3")
                                     .arg(QString::fromStdString(study::toText(first.at("lr"))),
                                          QString::fromStdString(study::toText(first.at("optimizer"))),
                                          QString::fromStdString(study::toText(first.at("batch"))));
        QCOMPARE(note("commandPreview"), expected);
        QVERIFY(isFinishable());
    }

    void namesThePlaceholderThatWasMeant()
    {
        typeCommand("sh train.sh {lr} {batch} {optimiser}");
        QVERIFY2(note("commandProblem").contains("✗ {optimiser} is not a factor. Did you mean {optimizer}?"),
                 qPrintable(note("commandProblem")));
        QVERIFY(note("commandPreview").endsWith("{optimiser}"));
        QVERIFY(!isFinishable());
        QVERIFY(!find<QPushButton>("wizardNext")->isEnabled());
        QVERIFY(!find<QPushButton>("testCommand")->isEnabled());
        m_wizard->setStep(WizardStep::Factors);
        QVERIFY2(find<QPushButton>("wizardNext")->isEnabled(), "other pages are not to blame");
        m_wizard->setStep(WizardStep::Measurement);
        typeCommand("sh train.sh {lr} {batch} {optimizer}");
        QVERIFY(isFinishable());
        QVERIFY(find<QPushButton>("wizardNext")->isEnabled());
        find<QPlainTextEdit>("commandEnvironment")->setPlainText("MODE={lrr}");
        QVERIFY(note("environmentProblem").contains("Did you mean {lr}?"));
        QVERIFY(!isFinishable());
    }

    void looksForProgramScriptAndFolder()
    {
        typeCommand("no_such_program_xyzzy {lr} {batch} {optimizer}");
        QVERIFY(note("commandProblem").contains("is not a program on the PATH"));
        QVERIFY(!isFinishable());
        typeCommand("sh trian.sh {lr} {batch} {optimizer}");
        QVERIFY2(note("commandProblem").contains("Did you mean train.sh?"),
                 qPrintable(note("commandProblem")));
        QVERIFY(!isFinishable());
        typeCommand("sh train.sh {lr} {batch} {optimizer}");
        QVERIFY(isFinishable());
        QTest::keyClicks(find<QLineEdit>("commandFolder"), "nowhere");
        QVERIFY(note("folderProblem").contains("does not exist"));
        QVERIFY(!isFinishable());
        QVERIFY(QDir(m_folder->path()).mkdir("nowhere"));
        QVERIFY(QFile::copy(m_folder->filePath("train.sh"), m_folder->filePath("nowhere/train.sh")));
        QEvent back(QEvent::WindowActivate);
        QCoreApplication::sendEvent(m_wizard.get(), &back);
        QVERIFY2(note("folderProblem").isEmpty(), "the folder was made meanwhile");
    }

    void judgesPatternsWhileTheyAreTyped()
    {
        auto* pattern = find<QLineEdit>("pattern-val_acc");
        const auto problem = [pattern] {
            for (auto* label : pattern->parentWidget()->findChildren<QLabel*>("patternProblem"))
                if (label->isVisible())
                    return label->text();
            return QString();
        };
        pattern->selectAll();
        QTest::keyClick(pattern, Qt::Key_Delete);
        QVERIFY(problem().contains("There is no pattern"));
        QVERIFY(!isFinishable());
        QTest::keyClicks(pattern, "acc ([0-9.]+");
        QVERIFY(problem().contains("is not a regular expression"));
        QTest::keyClicks(pattern, ")");
        QCOMPARE(problem(), QString());
        QVERIFY(isFinishable());
        pattern->clear();
        QTest::keyClicks(pattern, "acc {numbr}");
        QVERIFY(problem().contains("Did you mean {number}?"));
    }

    void bringsBackWhatWasTypedForAnotherReading()
    {
        enum { Json = 1, Patterns = 2, File = 3 };
        choose("commandReading", File);
        QVERIFY(!isFinishable());
        QTest::keyClicks(find<QLineEdit>("commandResultFile"), "out_{run_id}.json");
        QVERIFY(isFinishable());
        choose("commandReading", Json);
        QCOMPARE(benchmark().parse, study::ParseSpec{.kind = study::ParseSpec::Kind::LastJson});
        choose("commandReading", Patterns);
        QCOMPARE(benchmark().parse, ownStudy().benchmark.parse);
        QVERIFY(find<QLineEdit>("pattern-val_acc")->isVisible());
        choose("commandReading", File);
        QCOMPARE(benchmark().parse.file, std::string("out_{run_id}.json"));
    }

    void keepsWhatWasTypedBesideARecipe()
    {
        const study::Benchmark before = benchmark();
        auto* undo = find<QPushButton>("undoRecipe");
        QVERIFY(!undo->isVisible());
        for (const char* name : {"torchrun", "nccl-tests", "Slurm script"}) {
            choose("commandRecipe", find<QComboBox>("commandRecipe")->findText(name));
            QCOMPARE(find<QComboBox>("commandRecipe")->currentText(), QString(name));
            QVERIFY(undo->isVisible());
        }
        QCOMPARE(find<QLineEdit>("command")->text(),
                 QString("srun --ntasks=1 --gpus=1 --gpu-bind=none sh train.sh {lr} {batch} {optimizer}"));
        QCOMPARE(benchmark().parse, before.parse);
        QTest::mouseClick(undo, Qt::LeftButton);
        QCOMPARE(benchmark(), before);
        QVERIFY(!undo->isVisible());
        choose("commandRecipe", 1);
        QTest::keyClick(find<QLineEdit>("command"), Qt::Key_End);
        QTest::keyClicks(find<QLineEdit>("command"), " --more");
        QVERIFY2(!undo->isVisible(), "it would take back what was typed since");
        QCOMPARE(benchmark().argv.back(), std::string("--more"));
        choose("commandRecipe", 1);
        QVERIFY(undo->isVisible());
        m_wizard->setParse(
            {.kind = study::ParseSpec::Kind::Regex, .patterns = {{"throughput", "picked {number}"}}});
        QVERIFY2(!undo->isVisible(), "nor a pattern that was picked meanwhile");
        choose("commandRecipe", find<QComboBox>("commandRecipe")->findText("doehelper-style script"));
        QCOMPARE(benchmark().parse.file, std::string("result_{run_id}.json"));
        QVERIFY(find<QLineEdit>("commandResultFile")->isVisible());
        find<QPlainTextEdit>("commandEnvironment")->setPlainText("NCCL_ALGO={batch}\nnonsense\nA=b=c");
        QCOMPARE(benchmark().env.size(), size_t(2));
        QCOMPARE(benchmark().env.at("A"), std::string("b=c"));
    }

    /// A Python that is played: what it says stands below the template that needs it.
    void tellsWhichTorchThereIs()
    {
        QTemporaryDir folder;
        QFile python(folder.filePath("python3"));
        QVERIFY(python.open(QIODevice::WriteOnly));
        python.write(
            "#!/bin/sh\necho '{\"python\": \"3.11\", \"torch\": \"9.9\", \"cuda\": \"\", \"gpus\": 0}'\n");
        python.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        python.close();
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", folder.path().toLocal8Bit() + ':' + path);
        QVERIFY(note("foundTorch").isEmpty());
        choose("commandRecipe", find<QComboBox>("commandRecipe")->findText("quadric-torch"));
        QTRY_VERIFY2(note("foundTorch").contains("PyTorch 9.9 without CUDA"), qPrintable(note("foundTorch")));
        choose("commandRecipe", find<QComboBox>("commandRecipe")->findText("nccl-tests"));
        QVERIFY(note("foundTorch").isEmpty());
        qputenv("PATH", path);
    }

    void addsFactorsThatTheCommandLeavesOut()
    {
        typeCommand("sh train.sh {batch}");
        QVERIFY(note("commandProblem").contains("does not mention lr and optimizer"));
        auto* add = find<QPushButton>("addUnmentioned");
        QVERIFY(add->isVisible());
        QTest::mouseClick(add, Qt::LeftButton);
        QCOMPARE(find<QLineEdit>("command")->text(),
                 QString("sh train.sh {batch} --lr {lr} --optimizer {optimizer}"));
        QVERIFY(!add->isVisible());
        QTest::mouseClick(find<QPushButton>("undoRecipe"), Qt::LeftButton);
        QCOMPARE(find<QLineEdit>("command")->text(), QString("sh train.sh {batch}"));
    }

    void carriesRenamesThrough()
    {
        find<QPlainTextEdit>("commandEnvironment")->setPlainText("RATE={lr}");
        const std::vector<study::Run> runs = m_wizard->study().runs;
        m_wizard->setStep(WizardStep::Factors);
        typeInto("factorTable", 0, widgets::FactorTableModel::Name, "rate");
        QCOMPARE(benchmark().argv[2], std::string("{rate}"));
        QCOMPARE(benchmark().env.at("RATE"), std::string("{rate}"));
        QCOMPARE(m_wizard->study().runs.size(), runs.size());
        QCOMPARE(m_wizard->study().runs[3].settings.at("rate"), runs[3].settings.at("lr"));
        m_wizard->setStep(WizardStep::Responses);
        typeInto("responseTable", 1, widgets::ResponseTableModel::Name, "accuracy");
        QCOMPARE(benchmark().parse.patterns.at("accuracy"), std::string("acc {number}"));
        QCOMPARE(benchmark().parse.patterns.size(), size_t(2));
        m_wizard->setStep(WizardStep::Measurement);
        QCOMPARE(find<QLineEdit>("pattern-accuracy")->text(), QString("acc {number}"));
        QVERIFY2(isFinishable(), qPrintable(m_wizard->problems().join("; ")));
    }

    void takesAFileThatIsDropped()
    {
        QTemporaryDir elsewhere;
        QFile script(elsewhere.filePath("bench.sh"));
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.close();
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(elsewhere.filePath("bench.sh"))});
        QWidget* page = find<QLineEdit>("command");
        while (page && !page->acceptDrops())
            page = page->parentWidget();
        QVERIFY(page);
        QDragEnterEvent enter({5, 5}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(page, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop({5, 5}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(page, &drop);
        QCOMPARE(find<QLineEdit>("command")->text(), QString("sh bench.sh {lr} {batch} {optimizer}"));
        QCOMPARE(find<QLineEdit>("commandFolder")->text(), elsewhere.path());
        QVERIFY2(isFinishable(), qPrintable(m_wizard->problems().join("; ")));
        QTest::mouseClick(find<QPushButton>("undoRecipe"), Qt::LeftButton);
        QCOMPARE(benchmark(), ownStudy().benchmark);
    }

    /// What was typed stays when the GPUs of this machine become known.
    void startsFromWhatAScriptSays()
    {
        QVERIFY(note("commandHelp").startsWith("Write {factor}"));
        QFile script(m_folder->filePath("train.py"));
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write("import quadric_worker as quadric, torch.distributed\n"
                     "batch = quadric.setting(\"micro_batch\", 4)\n"
                     "for step in quadric.steps(loader, items_per_rank=batch, unit=\"images\"): pass\n");
        script.close();
        QVERIFY(QFile(m_folder->filePath("quadric_worker.py")).open(QIODevice::WriteOnly));
        m_wizard = std::make_unique<StudyWizard>(run::thisMachine());
        m_wizard->startWithScript(script.fileName());
        run::TrainerDevices devices;
        devices.gpus.resize(4);
        m_wizard->setDevices(devices);
        m_wizard->setDocument(m_folder->filePath("own.quadric").toStdString(), true);
        m_wizard->setStep(WizardStep::Measurement);
        m_wizard->show();
        const study::Study proposed = m_wizard->study();
        QCOMPARE(proposed.factors.size(), std::size_t(2));
        QCOMPARE(proposed.factors[0].name, std::string("gpus"));
        QCOMPARE(proposed.factors[0].high, 4.0);
        QCOMPARE(proposed.factors[1].name, std::string("micro_batch"));
        QCOMPARE(proposed.responses[0].name, std::string("images_per_sec"));
        QVERIFY(note("commandHelp").contains("quadric.setting("));
        QTRY_VERIFY2_WITH_TIMEOUT(isFinishable(), qPrintable(m_wizard->problems().join("; ")),
                                  kPatienceMs); // searched
        m_wizard->setStep(WizardStep::Factors);
        typeInto("factorTable", 0, widgets::FactorTableModel::High, "3");
        devices.gpus.resize(8);
        m_wizard->setDevices(devices);
        QCOMPARE(m_wizard->study().factors[0].high, 3.0);
    }

    void letsAStudyFromElsewhereBeEdited()
    {
        study::Study study = m_wizard->study();
        study.benchmark.argv[1] = "on_another_machine.sh";
        m_wizard = std::make_unique<StudyWizard>(run::thisMachine());
        m_wizard->editStudy(study);
        m_wizard->setDocument(m_folder->filePath("own.quadric").toStdString(), false);
        m_wizard->setStep(WizardStep::Measurement);
        m_wizard->show();
        QVERIFY(note("commandProblem").contains("\"on_another_machine.sh\" is not in"));
        QVERIFY2(isFinishable(), "the rest of the study can be changed");
        typeCommand("sh another.sh {lr} {batch} {optimizer}");
        QVERIFY(!isFinishable());
    }

private:
    template <typename Widget> Widget* find(const char* name)
    {
        auto* widget = m_wizard->findChild<Widget*>(QLatin1String(name));
        if (!widget)
            qFatal("there is no %s", name);
        return widget;
    }
    void typeCommand(const QString& text)
    {
        auto* command = find<QLineEdit>("command");
        command->selectAll();
        QTest::keyClick(command, Qt::Key_Delete);
        QTest::keyClicks(command, text);
    }
    void choose(const char* box, int index)
    {
        auto* combo = find<QComboBox>(box);
        combo->setCurrentIndex(index);
        emit combo->activated(index);
    }
    void typeInto(const char* table, int row, int column, const QString& text)
    {
        auto* view = find<QTableView>(table);
        view->setCurrentIndex(view->model()->index(row, column));
        view->edit(view->currentIndex());
        auto* editor = view->findChild<QLineEdit*>();
        QVERIFY(editor);
        editor->selectAll();
        QTest::keyClicks(editor, text);
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_VERIFY(!view->findChild<QLineEdit*>());
    }
    QString note(const char* name)
    {
        return find<QLabel>(name)->isVisible() ? find<QLabel>(name)->text() : QString();
    }
    bool isFinishable()
    {
        return m_wizard->problems().isEmpty() && find<QPushButton>("wizardFinish")->isEnabled();
    }
    const study::Benchmark& benchmark() { return m_wizard->study().benchmark; }

    /// Four factors of four kinds and two responses, measured by train.py, which is there.
    static study::Study ownStudy()
    {
        study::Study study;
        study.name = "own";
        study.factors = {
            {.name = "lr", .low = 0.001, .high = 0.1, .scale = study::Scale::Log2},
            {.name = "batch", .type = study::FactorType::Integer, .low = 8, .high = 64},
            {.name = "optimizer", .type = study::FactorType::Categorical, .categories = {"adam", "sgd"}}};
        study.responses = {{.name = "throughput"}, {.name = "val_acc"}};
        study.design = {.type = "full-factorial"};
        study.benchmark.workload = "command";
        study.benchmark.argv = {"sh", "train.sh", "{lr}", "{batch}", "{optimizer}"};
        study.benchmark.parse = {
            .kind = study::ParseSpec::Kind::Regex,
            .patterns = {{"throughput", "throughput: {number}"}, {"val_acc", "acc {number}"}}};
        return study;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<StudyWizard> m_wizard;
};

QUADRIC_QT_TEST(OwnCommandTest)
#include "own_command_test.moc"
