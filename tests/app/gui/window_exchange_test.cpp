// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/exchange_actions.h"
#include "app/gui/main_window.h"
#include "app/gui/session/study_session.h"
#include "core/study/document/document.h"
#include "tests/support/qt_tests.h"
#include "widgets/wizard/study_wizard.h"

#include "test_surroundings.h"
#include "tests/support/test_paths.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolTip>
#include <QUrl>

using namespace quadric;

/// A text that would be a picture and a heading where markup is followed.
static const char* const kEvil = "<h1>EVIL</h1><img src=\"file:///etc/passwd\"><a href=\"x\">y</a>";

class WindowExchangeTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { test::startAfresh(m_folder); }

    void takesATableThatIsDropped()
    {
        const QString path =
            written("speeds.csv", "GPUs (count);batch;speed (img/s);note\n8;32;100,5;first\n16;32;190,25;\n"
                                  "8;64;110;\n16;64;205,5;\n12;48;150;\n12;48;150;\n");
        test::ShownWindow window(m_folder);
        drop(window, path);
        auto* dialog = window.findChild<QDialog*>("importDialog");
        QVERIFY(dialog && dialog->isVisible());
        auto* button = dialog->findChild<QPushButton*>("import");
        QTRY_VERIFY(button->isEnabled());
        QTest::mouseClick(button, Qt::LeftButton);
        const auto context = window.session().editor().context();
        QVERIFY(context);
        QCOMPARE(context->study.name, std::string("speeds"));
        QCOMPARE(context->study.design.type, std::string("full-factorial"));
        QCOMPARE(context->study.runs.size(), size_t(6));
        QCOMPARE(study::loadStudy(context->path).study, context->study);
    }

    void opensAStudyThatIsDropped()
    {
        test::ShownWindow window(m_folder);
        drop(window, QString::fromUtf8(sourcePath("resources/examples/resnet50-scaling.quadric")));
        QVERIFY(window.session().editor().isOpen());
        QMimeData other;
        other.setUrls({QUrl::fromLocalFile(m_folder.filePath("program.exe"))});
        QDragEnterEvent enter({10, 10}, Qt::CopyAction, &other, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &enter);
        QVERIFY2(enter.dropAction() == Qt::IgnoreAction, "a file of an unknown kind was taken");
    }

    /// As `quadric train.py` does.
    void startsTheWizardWithAScript()
    {
        test::ShownWindow window(m_folder);
        window.openFile(written("train.py", "print(1)\n"));
        auto* wizard = window.findChild<widgets::StudyWizard*>();
        QVERIFY(wizard && wizard->isVisible());
        QCOMPARE(wizard->study().name, std::string("train"));
        QCOMPARE(wizard->study().benchmark.argv, (std::vector<std::string>{"python3", "train.py"}));
        const QString json = m_folder.filePath("study.json");
        QVERIFY(
            QFile::copy(QString::fromUtf8(sourcePath("resources/examples/resnet50-scaling.quadric")), json));
        window.openFile(json);
        QVERIFY2(window.session().editor().isOpen(), "JSON may be a study");
    }

    void exportsOverNoStudy()
    {
        test::ShownWindow window(m_folder);
        window.openStudy(copyOfExample(QStringLiteral("shown.quadric")));
        const QString other = copyOfExample(QStringLiteral("other.csv"));
        auto* exchange = window.findChild<app::Exchange*>();
        QSignalSpy failed(exchange, &app::Exchange::failed), done(exchange, &app::Exchange::done);
        exchange->exportTo(other, QString());
        QCOMPARE(failed.count(), 1);
        QVERIFY(failed.front().back().toString().contains("other.csv: a study"));
        QVERIFY(!study::loadStudy(other.toStdString()).study.runs.empty());
        exchange->exportTo(m_folder.filePath("runs.csv"), QString());
        QCOMPARE(done.count(), 1);
    }

    void saysWhyAFileCannotBeImported()
    {
        test::ShownWindow window(m_folder);
        auto* exchange = window.findChild<app::Exchange*>();
        exchange->importFile(m_folder.filePath("gone.csv"));
        auto* box = window.findChild<QMessageBox*>("complaint");
        QVERIFY(box && box->informativeText().contains("gone.csv"));
        exchange->importFile(written("deep.json", QByteArray(200000, '[')));
        auto* dialog = window.findChild<QDialog*>("importDialog");
        QTRY_VERIFY(!dialog->findChild<QLabel*>("importSentence")->text().isEmpty());
        QVERIFY(!dialog->findChild<QPushButton*>("import")->isEnabled());
    }

    void showsTheAuditOfThePublishedPage()
    {
        test::ShownWindow window(m_folder);
        QTest::mouseClick(window.findChild<QWidget*>("example2"), Qt::LeftButton);
        auto* dialog = window.findChild<QDialog*>("auditDialog");
        QVERIFY(dialog && dialog->isVisible());
        QVERIFY(dialog->findChild<QLabel*>("auditSource")->text().contains("published page"));
        QCOMPARE(dialog->findChild<QTableView*>("auditTable")->model()->rowCount(), 12);
        dialog->close();
        const QString path = QString::fromStdString(window.session().editor().context()->path.string());
        QVERIFY(QFile::exists(path.chopped(8) + QStringLiteral("-claims.json")));
    }

    void copiesRunsAndTables()
    {
        test::ShownWindow window(m_folder);
        window.openStudy(QString::fromUtf8(sourcePath("resources/examples/resnet50-scaling.quadric")));
        trigger(window, "Copy runs for a &spreadsheet");
        const QStringList lines =
            QGuiApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 16);
        QVERIFY(lines[0].startsWith("order\trun\t"));
        trigger(window, "Copy runs and models as &Markdown");
        const QString text = QGuiApplication::clipboard()->text();
        for (const char* words : {"| R² | 0.99999 |", "| R² | 0.993 |", "simulated, not measured"})
            QVERIFY2(text.contains(QString::fromUtf8(words)), words);
    }

    void showsTextsOfAStudyAsTexts()
    {
        study::Study study =
            study::loadStudy(sourcePath("resources/examples/resnet50-scaling.quadric")).study;
        const std::string factor = study.factors[0].name, response = study.responses[0].name;
        study.name = study.description = kEvil;
        study.factors[0].name = study.factors[0].unit = std::string("f") + kEvil;
        study.responses[0].name = study.responses[0].unit = std::string("r") + kEvil;
        study.model.clear();
        study.constraints.clear();
        for (study::Run& run : study.runs) {
            run.settings[study.factors[0].name] = run.settings.extract(factor).mapped();
            run.results[study.responses[0].name] = run.results.extract(response).mapped();
        }
        study.runs[0].status = study::RunStatus::Failed;
        study.runs[0].results.clear();
        study.runs[0].failure = study::Failure{.kind = "crash", .message = kEvil};
        const std::filesystem::path path = m_folder.filePath("evil.quadric").toStdU16String();
        study::saveStudy(study, path);

        test::ShownWindow window(m_folder);
        window.openStudy(QString::fromStdU16String(path.u16string()));
        int seen = 0;
        for (const auto step : {widgets::Step::Design, widgets::Step::Run, widgets::Step::Explore,
                                widgets::Step::Optimize, widgets::Step::Plan, widgets::Step::Report}) {
            window.showStep(step);
            QTest::qWait(300);
            for (const auto* label : window.findChildren<QLabel*>()) {
                if (!label->isVisible() || !label->text().contains("EVIL"))
                    continue;
                ++seen;
                QVERIFY2(label->textFormat() == Qt::PlainText || !label->text().contains("<h1>"),
                         qPrintable(label->text()));
            }
        }
        QVERIFY2(seen > 3, "no label showed the texts: the test looked at nothing");

        QToolTip::showText({10, 10}, QLatin1String(kEvil));
        const QLabel* tip = nullptr;
        for (const QWidget* widget : QApplication::topLevelWidgets())
            if (widget->inherits("QTipLabel"))
                tip = qobject_cast<const QLabel*>(widget);
        QVERIFY(tip);
        QCOMPARE(tip->textFormat(), Qt::PlainText);
    }

private:
    static void drop(QWidget& window, const QString& path)
    {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent event(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &event);
    }
    static void trigger(QWidget& window, const char* text)
    {
        for (auto* action : window.findChildren<QAction*>())
            if (action->text() == QLatin1String(text))
                return action->trigger();
        QFAIL(text);
    }
    QString copyOfExample(const QString& name) const
    {
        const QString path = m_folder.filePath(name);
        QFile::copy(QString::fromUtf8(sourcePath("resources/examples/resnet50-scaling.quadric")), path);
        return path;
    }
    QString written(const char* name, const QByteArray& text) const
    {
        QFile file(m_folder.filePath(QLatin1String(name)));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("%s cannot be written", name);
        return file.fileName();
    }

    QTemporaryDir m_folder;
};

QUADRIC_QT_TEST(WindowExchangeTest)
#include "window_exchange_test.moc"
