// SPDX-License-Identifier: GPL-3.0-or-later
// The command line and the window say the same numbers with the same digits.
#include "app/gui/main_window.h"
#include "core/model/predict/predict.h"
#include "core/model/select/model_choice.h"
#include "core/study/document/document.h"
#include "core/text/numbers.h"

#include "test_surroundings.h"
#include "tests/support/qt_tests.h"
#include "tests/support/test_paths.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QLabel>
#include <QProcess>
#include <QRegularExpression>
#include <QSettings>

using namespace quadric;

class SameDigitsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        test::startAfresh(m_folder);
        m_path = m_folder.filePath("study.quadric");
        study::saveStudy(study::loadStudy(sourcePath("resources/examples/resnet50-scaling.quadric")).study,
                         m_path.toStdString());
        m_store = test::settingsIn(m_folder);
    }

    void theRecommendation()
    {
        app::MainWindow window(*m_store);
        window.show();
        window.openStudy(m_path);
        window.showStep(widgets::Step::Optimize);
        auto* sentence = window.findChild<QWidget*>(QStringLiteral("facts"));
        QVERIFY(sentence);
        const auto shown = [sentence] { return asTyped(sentence->property("text").toString()); };
        QTRY_VERIFY_WITH_TIMEOUT(shown().contains(QStringLiteral("score ")), kPatienceMs);
        const QString said = quadricSays(QStringLiteral("optimize"));
        static const QRegularExpression number(
            QStringLiteral("[0-9.]+ (± [0-9.]+|\\([0-9.]+ to [0-9.]+\\))"));
        int compared = 0;
        for (auto each = number.globalMatch(shown()); each.hasNext(); ++compared) {
            const QString value = each.next().captured();
            QVERIFY2(said.contains(value),
                     qPrintable(value + QStringLiteral(" of the window is not in\n") + said));
        }
        QCOMPARE(compared, 2);
        static const QRegularExpression overall(QStringLiteral("score ([0-9.]+[0-9])"));
        const QString d = overall.match(shown()).captured(1);
        QVERIFY2(said.contains(QStringLiteral("Overall desirability %1. ").arg(d)), qPrintable(d + said));
    }

    void theCardsOfAModel()
    {
        app::MainWindow window(*m_store);
        window.show();
        window.openStudy(m_path);
        window.showStep(widgets::Step::Explore);
        window.findChild<QAbstractButton*>(QStringLiteral("pill"))->click();
        const QString said = quadricSays(QStringLiteral("analyze")).simplified();
        const auto found = [&window](const char* words) {
            for (const QLabel* label : window.findChildren<QLabel*>())
                if (label->isVisible() && label->text().contains(QLatin1String(words)))
                    return asTyped(label->text());
            return QString();
        };
        QTRY_VERIFY(!found("Fair model").isEmpty());
        static const QRegularExpression markup(QStringLiteral("<[^>]*>"));
        for (const char* words : {"Fair model", "checks passed"}) {
            QString sentence = found(words).remove(markup).simplified();
            sentence = sentence.mid(sentence.indexOf(QLatin1String(words)));
            QVERIFY2(said.contains(sentence), qPrintable(sentence));
        }
    }

    void resultsOfARun()
    {
        app::MainWindow window(*m_store);
        window.show();
        window.openStudy(m_path);
        window.showStep(widgets::Step::Design);
        const auto* table = window.findChild<QAbstractItemView*>("runMatrix");
        QVERIFY(table);
        const QString said = quadricSays(QStringLiteral("info"));
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            const QString value = asTyped(table->model()->index(row, 7).data().toString());
            QVERIFY2(said.contains(value), qPrintable(value));
        }
    }

private:
    /// What `quadric COMMAND STUDY …` prints.
    QString quadricSays(const QString& command, const QStringList& more = {}) const
    {
        QProcess program;
        program.start(QString::fromUtf8(builtPath("bin/quadric")), QStringList{command, m_path} + more);
        program.waitForFinished(kPatienceMs);
        return asTyped(QString::fromUtf8(program.readAllStandardOutput()));
    }
    /// Text of the window as a terminal has it: no thin spaces, the minus of a keyboard.
    static QString asTyped(QString text)
    {
        text.remove(QChar(0x2009)).remove(QChar(0x202f));
        text.replace(QChar(0x00a0), QLatin1Char(' ')).replace(QChar(0x2212), QLatin1Char('-'));
        return text.remove(QChar(0x2060));
    }

    QTemporaryDir m_folder;
    QString m_path;
    std::unique_ptr<QSettings> m_store;
};

QUADRIC_QT_TEST(SameDigitsTest)
#include "same_digits_test.moc"
