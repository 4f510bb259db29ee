// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/qt_tests.h"
#include "widgets/wizard/forms/choice_cards.h"
#include "widgets/wizard/sheets/factor_table_model.h"
#include "widgets/wizard/study_wizard.h"

#include <QLabel>
#include <QProgressBar>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QTest>

#include <algorithm>
#include <climits>

using namespace quadric;
using namespace quadric::widgets;

namespace {

constexpr int kSearchTime = 120000; ///< milliseconds in which any search here ends

run::Machine twoCores()
{
    run::Machine machine;
    machine.cores = 2;
    return machine;
}

/// The wizard as somebody sees it who opens it.
struct Wizard {
    StudyWizard window{twoCores()};

    Wizard()
    {
        window.setStep(WizardStep::Factors);
        window.show();
    }
    template <typename Widget> Widget& child(const QString& name) { return *window.findChild<Widget*>(name); }
    void click(const QString& name)
    {
        auto* button = window.findChild<QWidget*>(name);
        QVERIFY2(button && button->isEnabled(), qPrintable(name));
        QTest::mouseClick(button, Qt::LeftButton);
    }
    void type(int row, FactorTableModel::Column column, const QString& text)
    {
        auto& table = child<QTableView>(QStringLiteral("factorTable"));
        QVERIFY(table.model()->setData(table.model()->index(row, column), text, Qt::EditRole));
    }
    /// Two numbers and a category of three levels.
    void makeMixed()
    {
        for (const int row : {0, 1}) {
            type(row, FactorTableModel::Type, QStringLiteral("continuous"));
            type(row, FactorTableModel::ScaleColumn, QStringLiteral("linear"));
        }
        type(2, FactorTableModel::Type, QStringLiteral("categorical"));
        type(2, FactorTableModel::Levels, QStringLiteral("Pd, Pt, Ni"));
    }
    std::string type() const { return window.study().design.type; }
    const ChoiceCard* checkedCard() const
    {
        for (const ChoiceCard* card : window.findChild<OfferCards*>()->findChildren<ChoiceCard*>())
            if (card->isChecked())
                return card;
        return nullptr;
    }
    QString note() { return child<QLabel>(QStringLiteral("designNote")).text(); }
};

} // namespace

class LayoutTest : public QObject {
    Q_OBJECT

private slots:
    void takesTheRecommendedDesignUntilOneIsChosen()
    {
        Wizard wizard;
        QCOMPARE(wizard.type(), std::string("box-behnken"));
        wizard.click(QStringLiteral("removeFactor"));
        QTRY_COMPARE(wizard.type(), std::string("central-composite"));
        QCOMPARE(wizard.window.problems(), QStringList());
        wizard.click(QStringLiteral("addFactor"));
        QTRY_COMPARE(wizard.type(), std::string("box-behnken"));
        wizard.window.setStep(WizardStep::Design);
        QVERIFY2(wizard.note().contains("until you choose one"), qPrintable(wizard.note()));
        wizard.child<QSpinBox>(QStringLiteral("centerRuns")).setValue(5);
        QVERIFY(wizard.note().isEmpty());
        QCOMPARE(wizard.window.study().design.centerRuns, 5);
    }

    /// A category of three levels never leaves an impossible design selected, and a search does not wait for
    /// the page to be seen.
    void searchesForTheRecommendedDesignInTheBackground()
    {
        Wizard wizard;
        wizard.makeMixed();
        QTRY_COMPARE_WITH_TIMEOUT(wizard.type(), std::string("i-optimal"), kSearchTime);
        QTRY_COMPARE_WITH_TIMEOUT(wizard.window.problems(), QStringList(), kSearchTime);
        QCOMPARE(wizard.window.study().runs.size(),
                 size_t(20)); // 12 coefficients, five more, three replicates
        wizard.window.setStep(WizardStep::Design);
        const ChoiceCard* card = wizard.checkedCard();
        QVERIFY(card);
        QVERIFY2(card->accessibleDescription().startsWith("recommended"),
                 qPrintable(card->accessibleDescription()));
        QVERIFY(card->accessibleDescription().contains("average prediction error"));
        const QString found = wizard.child<QLabel>(QStringLiteral("searchFound")).text();
        QVERIFY2(found.startsWith("Best of "), qPrintable(found));
    }

    void keepsAChosenDesignAsLongAsItIsPossible()
    {
        Wizard wizard;
        wizard.window.setStep(WizardStep::Design);
        auto& cards = *wizard.window.findChild<OfferCards*>();
        QTRY_VERIFY(!cards.isBusy());
        wizard.click(QStringLiteral("design-definitive-screening"));
        QCOMPARE(wizard.type(), std::string("definitive-screening"));
        wizard.window.setStep(WizardStep::Factors);
        wizard.type(0, FactorTableModel::High, QStringLiteral("32"));
        QTRY_VERIFY(!cards.isBusy());
        QCOMPARE(wizard.type(), std::string("definitive-screening"));
        wizard.click(QStringLiteral("removeFactor")); // definitive screening needs three factors
        QTRY_COMPARE(wizard.type(), std::string("central-composite"));
        QVERIFY2(wizard.note().startsWith("Definitive screening is not possible"), qPrintable(wizard.note()));
        wizard.click(QStringLiteral("addFactor"));
        QTRY_COMPARE(wizard.type(), std::string("definitive-screening"));
        QVERIFY(wizard.note().isEmpty());
    }

    void putsImpossibleDesignsLast()
    {
        Wizard wizard;
        wizard.click(QStringLiteral("removeFactor"));
        QTRY_COMPARE(wizard.type(), std::string("central-composite"));
        wizard.window.setStep(WizardStep::Design);
        QTest::qWait(50); // the layout
        int lastPossible = 0, firstImpossible = INT_MAX;
        int recommended = -1;
        for (const ChoiceCard* card : wizard.window.findChild<OfferCards*>()->findChildren<ChoiceCard*>()) {
            if (!card->isVisible())
                continue;
            if (card->isEnabled())
                lastPossible = std::max(lastPossible, card->y());
            else
                firstImpossible = std::min(firstImpossible, card->y());
            if (card->accessibleDescription().startsWith("recommended"))
                recommended = card->y();
        }
        QVERIFY(lastPossible < firstImpossible);
        QCOMPARE(recommended, 0);
    }

    void stopKeepsTheBestDesignSoFar()
    {
        Wizard wizard;
        for (int more = 0; more < 2; ++more) // so that the search takes a second at least
            wizard.click(QStringLiteral("addFactor"));
        wizard.window.setStep(WizardStep::Design);
        QTRY_VERIFY_WITH_TIMEOUT(!wizard.window.findChild<OfferCards*>()->isBusy(), kSearchTime);
        wizard.click(QStringLiteral("design-box-behnken"));
        wizard.click(QStringLiteral("design-i-optimal"));
        const auto& progress = wizard.child<QProgressBar>(QStringLiteral("searchProgress"));
        QVERIFY(QTest::qWaitFor([&progress] { return progress.isVisible() && progress.value() > 0; },
                                kSearchTime));
        wizard.click(QStringLiteral("stopSearch"));
        QTRY_VERIFY_WITH_TIMEOUT(!wizard.window.study().runs.empty(), kSearchTime);
        QCOMPARE(wizard.window.study().runs.size(),
                 size_t(29)); // 21 coefficients, five more, three replicates
        QCOMPARE(wizard.window.problems(), QStringList());
        auto& found = wizard.child<QLabel>(QStringLiteral("searchFound"));
        QVERIFY2(found.text().startsWith("The search was stopped"), qPrintable(found.text()));
        const auto seed = wizard.window.study().design.seed;
        wizard.click(QStringLiteral("searchAgain"));
        QTRY_VERIFY_WITH_TIMEOUT(found.text().startsWith("Best of "), kSearchTime);
        QCOMPARE(wizard.window.study().design.seed, seed); // the same search, to its end
        wizard.click(QStringLiteral("searchAgain"));
        QCOMPARE(wizard.window.study().design.seed, seed + 1); // another one
        QTRY_VERIFY_WITH_TIMEOUT(!wizard.window.study().runs.empty(), kSearchTime);
    }

    /// Nothing is cut: neither a long sentence nor a title beside the badge.
    void cardsAreAsHighAsTheirTexts()
    {
        const QString title = QStringLiteral("Central composite, face-centered");
        const QString about =
            QStringLiteral("With this many factors, first find the few that matter: this takes the "
                           "fewest runs that keep main effects free of interactions.");
        ChoiceCard card(title, about);
        const int plain = card.heightForWidth(300);
        card.setBadge(QStringLiteral("recommended"));
        QVERIFY(card.heightForWidth(300) > plain); // the badge has a line of its own
        QCOMPARE(card.heightForWidth(600), [&] {   // beside the title
            ChoiceCard other(title, about);
            return other.heightForWidth(600);
        }());
        for (int width = 160; width < 420; width += 7) {
            const int room = width - 48; // margins and dot
            const int needed =
                card.fontMetrics().boundingRect(QRect(0, 0, room, 9999), Qt::TextWordWrap, about).height();
            QVERIFY(card.heightForWidth(width) > needed + 2 * card.fontMetrics().height());
        }
    }

    /// Five runs at least below picture and judgment, which share one place there, and do not in high
    /// windows.
    void runsAreInSightInLowWindows()
    {
        Wizard wizard;
        wizard.window.setStep(WizardStep::Design);
        auto& tabs = wizard.child<QTabWidget>(QStringLiteral("qualityTabs"));
        const auto& matrix = wizard.child<QTableView>(QStringLiteral("matrixPreview"));
        for (const QSize& size : {QSize(1224, 765), QSize(1680, 1080), QSize(1224, 765)}) {
            wizard.window.resize(size);
            QTest::qWait(50);
            const bool isLow = size.height() < 900;
            QCOMPARE(tabs.tabText(0), isLow ? QStringLiteral("Picture") : QStringLiteral("Quality"));
            const int seen = matrix.visibleRegion().boundingRect().height() / matrix.rowHeight(0);
            QVERIFY2(seen >= 5, qPrintable(QString::number(seen)));
        }
    }
};

QUADRIC_QT_TEST(LayoutTest)
#include "wizard_layout_test.moc"
