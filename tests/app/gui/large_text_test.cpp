// SPDX-License-Identifier: GPL-3.0-or-later

// With text of twice the size nothing that matters is cut off: what has no room scrolls.

#include "app/gui/frame/rail.h"
#include "app/gui/main_window.h"
#include "test_surroundings.h"
#include "tests/support/qt_tests.h"
#include "widgets/wizard/study_wizard.h"

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTest>

using namespace quadric;

class LargeTextTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        test::startAfresh(m_folder);
        QFont twice = QApplication::font();
        twice.setPointSizeF(2.0 * twice.pointSizeF());
        QApplication::setFont(twice);
    }

    void nothingIsCutOff_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("usual") << QSize(1440, 900);
        QTest::newRow("small") << QSize(1024, 700);
    }

    void nothingIsCutOff()
    {
        QFETCH(QSize, size);
        test::ShownWindow window(m_folder);
        window.resize(size);
        expectNothingCut(window, QStringLiteral("start"));
        window.findChild<QAbstractButton*>("example0")->click();
        for (int step = 0; step < app::kSteps; ++step) {
            window.showStep(static_cast<widgets::Step>(step));
            QTest::qWait(300);
            expectNothingCut(window, app::stepName(static_cast<widgets::Step>(step)));
        }
        QVERIFY2(window.width() <= size.width() && window.height() <= size.height(),
                 qPrintable(QStringLiteral("%1x%2").arg(window.width()).arg(window.height())));
    }

    void theWizardScrolls()
    {
        test::ShownWindow window(m_folder);
        window.newStudy();
        auto* wizard = window.findChild<widgets::StudyWizard*>();
        QTRY_VERIFY(wizard && wizard->isVisible());
        wizard->resize(1224, 765);
        for (int step = 0; step < 6; ++step) {
            wizard->setStep(static_cast<widgets::WizardStep>(step));
            QTest::qWait(300);
            expectNothingCut(*wizard, QStringLiteral("wizard %1").arg(step + 1));
        }
        wizard->reject();
    }

    /// In the smallest window that is promised, no page scrolls with text of the usual size.
    void usualTextNeedsNoScrolling()
    {
        QFont usual = QApplication::font();
        usual.setPointSizeF(usual.pointSizeF() / 2.0);
        QApplication::setFont(usual);
        test::ShownWindow window(m_folder);
        window.resize(1024, 700);
        window.findChild<QAbstractButton*>("example0")->click();
        for (int step = 0; step < app::kSteps; ++step) {
            window.showStep(static_cast<widgets::Step>(step));
            QTest::qWait(300);
            const QString page = app::stepName(static_cast<widgets::Step>(step));
            const QWidget* shown = nullptr;
            for (const auto* each : window.findChildren<widgets::Page*>())
                shown = each->isVisible() ? each : shown;
            QVERIFY(shown);
            const QSize room = shown->parentWidget()->size();
            QVERIFY2(shown->width() <= room.width() && shown->height() <= room.height(),
                     qPrintable(QStringLiteral("%1: %2x%3 in %4x%5")
                                    .arg(page)
                                    .arg(shown->width())
                                    .arg(shown->height())
                                    .arg(room.width())
                                    .arg(room.height())));
        }
    }

private:
    /// Buttons, fields and one-line labels need the height of their text, and buttons its width.
    static QStringList findCut(const QWidget& window)
    {
        QStringList cut;
        for (const QWidget* each : window.findChildren<QWidget*>()) {
            const auto* button = qobject_cast<const QAbstractButton*>(each);
            const bool isField = qobject_cast<const QLineEdit*>(each) || qobject_cast<const QComboBox*>(each);
            const auto* label = qobject_cast<const QLabel*>(each);
            const bool isLine = label && !label->text().isEmpty() && !label->wordWrap();
            if (!each->isVisible() || !(button || isField || isLine))
                continue;
            const QSize need = each->minimumSizeHint();
            const bool isLow = each->height() < std::min(need.height(), each->fontMetrics().height());
            const bool isNarrow = button && !button->text().isEmpty() && each->width() < need.width();
            if (isLow || isNarrow)
                cut << QStringLiteral("%1#%2 %3x%4 instead of %5x%6")
                           .arg(QString::fromLatin1(each->metaObject()->className()), each->objectName())
                           .arg(each->width())
                           .arg(each->height())
                           .arg(need.width())
                           .arg(need.height());
        }
        return cut;
    }

    /// Parts of a page that come one after another are laid out again.
    static void expectNothingCut(const QWidget& window, const QString& where)
    {
        QTRY_VERIFY2(findCut(window).isEmpty(),
                     qPrintable(where + QStringLiteral(": ") + findCut(window).join(QLatin1Char('\n'))));
    }

    QTemporaryDir m_folder;
};

QUADRIC_QT_TEST(LargeTextTest)
#include "large_text_test.moc"
