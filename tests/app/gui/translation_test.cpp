// SPDX-License-Identifier: GPL-3.0-or-later

// Every text that the window shows passes through the one catalogue: a translator that puts ⟦ ⟧ around each
// text leaves no word outside of them, but for the names, units and values of the study.

#include "app/gui/exchange_actions.h"
#include "app/gui/frame/rail.h"
#include "app/gui/main_window.h"
#include "app/gui/translations.h"
#include "core/study/study.h"
#include "shown_window.h"
#include "test_surroundings.h"
#include "widgets/wizard/study_wizard.h"

#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QRegularExpression>
#include <QTabBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTranslator>

#include <set>

using namespace quadric;

namespace {

class Brackets : public QTranslator {
public:
    QString translate(const char*, const char* text, const char*, int) const override
    {
        return QStringLiteral("⟦%1⟧").arg(QString::fromUtf8(text));
    }
    bool isEmpty() const override { return false; }
};

/// Words that are no language: names of the trade, keys, formats and units.
const std::set<QString> kNames = {QStringLiteral("Quadric"), QStringLiteral("PDF"),  QStringLiteral("HTML"),
                                  QStringLiteral("JSON"),    QStringLiteral("GPU"),  QStringLiteral("GPUs"),
                                  QStringLiteral("CPU"),     QStringLiteral("AICc"), QStringLiteral("RMSE"),
                                  QStringLiteral("PRESS"),   QStringLiteral("Ctrl"), QStringLiteral("Shift")};

/// Sentences of core that are put together there and not from patterns of the catalogue: they are English in
/// every language so far.
bool isComposedInCore(const QString& text)
{
    static const QRegularExpression kComposed(QStringLiteral(
        // counts of core/text
        "\\d+ (pages?$|coefficients from \\d+ runs|warnings?|factors? · \\d+ runs)"
        // checks and regions of core/design/evaluate
        "|runs of the design, replicates|for pure error|All settings are legal|Linear columns are"
        "|The low and the high level|Predictions anywhere|no runs to evaluate|^not testable$"
        // what core/optimize says of a region and of probabilities
        "|Settings that cannot be distinguished from the best|Errors of different responses"
        // problems of core/run/recipe, and of the trainer
        "|There is no command|GPUs are not measured"
        // links
        "|^(Ethernet|InfiniBand|NVLink|PCIe|RoCE)"
        // places
        "|^(maximize|minimize|target)"
        "|^/"));
    return kComposed.match(text).hasMatch();
}

} // namespace

class TranslationTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void theWindowIsTranslated();
    void theWizardIsTranslated();
    void theDialogsAreTranslated();
    void sentencesOfTheCatalogueAreTranslated();

private:
    void addNames(const study::Study& study);
    bool isTranslated(QString text) const;
    void check(const QWidget& widget, const QString& text);
    void checkAll(const QWidget& window);
    void expectAll() const
    {
        for (const QString& line : m_english)
            qWarning("%s", qPrintable(line));
        QCOMPARE(m_english.size(), size_t(0));
    }

    Brackets m_brackets;
    QTemporaryDir m_folder;
    std::unique_ptr<test::ShownWindow> m_window;
    std::set<QString> m_names = kNames;
    std::set<QString> m_english;
};

void TranslationTest::initTestCase()
{
    test::startAfresh(m_folder);
    QCoreApplication::installTranslator(&m_brackets);
    app::translateCatalogue();
}

void TranslationTest::init()
{
    m_english.clear();
    m_window = std::make_unique<test::ShownWindow>(m_folder);
}

void TranslationTest::addNames(const study::Study& study)
{
    const auto add = [this](const std::string& text) {
        static const QRegularExpression kSeparator(QStringLiteral("[^\\p{L}]+"));
        for (const QString& word : QString::fromStdString(text).split(kSeparator, Qt::SkipEmptyParts))
            m_names.insert(word);
    };
    add(study.name);
    for (const auto& [name, value] : study.fixed)
        add(study::toText(value) + " ranks threads");
    for (const study::Factor& factor : study.factors) {
        add(factor.name);
        add(factor.unit);
        for (const std::string& level : factor.categories)
            add(level);
    }
    for (const study::Response& response : study.responses) {
        add(response.name);
        add(response.unit);
    }
}

/// Without what stands in brackets, and names, no word of three letters is left.
bool TranslationTest::isTranslated(QString text) const
{
    static const QRegularExpression kTag(QStringLiteral("<[^>]*>")), kInner(QStringLiteral("⟦[^⟦⟧]*⟧")),
        kWord(QStringLiteral("\\p{L}{3,}"));
    text.remove(kTag);
    for (QString before; before != text;) {
        before = text;
        text.remove(kInner);
    }
    for (auto words = kWord.globalMatch(text); words.hasNext();)
        if (!m_names.contains(words.next().captured()))
            return false;
    return true;
}

void TranslationTest::check(const QWidget& widget, const QString& text)
{
    const auto* combo = qobject_cast<const QComboBox*>(&widget);
    const bool isValue = combo && combo->objectName().startsWith(QLatin1String("knob-")) &&
                         combo->findText(text) >= 0; // as the program takes it
    if (isTranslated(text) || isComposedInCore(text) || isValue)
        return;
    const QString place =
        QString::fromLatin1(widget.metaObject()->className()).section(QLatin1String("::"), -1);
    m_english.insert(QStringLiteral("%1#%2: %3").arg(place, widget.objectName(), text.left(120)));
}

void TranslationTest::checkAll(const QWidget& window)
{
    for (const QWidget* each : window.findChildren<QWidget*>()) {
        if (const auto* menu = qobject_cast<const QMenu*>(each))
            for (const QAction* action : menu->actions())
                check(*each, action->text());
        if (!each->isVisible())
            continue;
        check(*each, each->toolTip());
        check(*each, each->accessibleName());
        if (const auto* label = qobject_cast<const QLabel*>(each))
            check(*each, label->text());
        if (const auto* button = qobject_cast<const QAbstractButton*>(each))
            check(*each, button->text());
        if (const auto* group = qobject_cast<const QGroupBox*>(each))
            check(*each, group->title());
        if (const auto* line = qobject_cast<const QLineEdit*>(each))
            check(*each, line->placeholderText());
        if (const auto* tabs = qobject_cast<const QTabBar*>(each))
            for (int i = 0; i < tabs->count(); ++i)
                check(*each, tabs->tabText(i));
        if (const auto* combo = qobject_cast<const QComboBox*>(each))
            for (int i = 0; i < combo->count(); ++i)
                check(*each, combo->itemText(i));
        if (const auto* header = qobject_cast<const QHeaderView*>(each); header && header->model())
            for (int i = 0; i < header->count(); ++i)
                check(*each, header->model()->headerData(i, header->orientation()).toString());
    }
}

void TranslationTest::theWindowIsTranslated()
{
    m_names.insert({QStringLiteral("studies"), QStringLiteral("Studies")});
    checkAll(*m_window);
    QTest::mouseClick(m_window->findChild<QWidget*>(QStringLiteral("example0")), Qt::LeftButton);
    QVERIFY(m_window->session().editor().isOpen());
    addNames(m_window->session().editor().context()->study);
    for (int step = 0; step < app::kSteps; ++step) {
        m_window->showStep(static_cast<widgets::Step>(step));
        QTest::qWait(300);
        checkAll(*m_window);
        for (auto* tabs : m_window->findChildren<QTabWidget*>())
            for (int i = 0; tabs->isVisible() && i < tabs->count(); ++i) {
                tabs->setCurrentIndex(i);
                QTest::qWait(50);
                checkAll(*tabs);
            }
    }
    expectAll();
}

void TranslationTest::theWizardIsTranslated()
{
    QTest::mouseClick(m_window->findChild<QWidget*>(QStringLiteral("newStudy")), Qt::LeftButton);
    auto* wizard = m_window->findChild<widgets::StudyWizard*>();
    QTRY_VERIFY(wizard && wizard->isVisible());
    for (const char* card : {"template-enter-results", "template-own-command", "template-this-machine"}) {
        wizard->setStep(widgets::WizardStep::Question);
        if (auto* chosen = wizard->findChild<QAbstractButton*>(QLatin1String(card)))
            chosen->click();
        addNames(wizard->study());
        for (int step = 0; step < 6; ++step) {
            wizard->setStep(static_cast<widgets::WizardStep>(step));
            QTest::qWait(200);
            checkAll(*wizard);
        }
    }
    expectAll();
}

void TranslationTest::theDialogsAreTranslated()
{
    QTest::mouseClick(m_window->findChild<QWidget*>(QStringLiteral("example0")), Qt::LeftButton);
    addNames(m_window->session().editor().context()->study);
    const auto checkDialog = [this] {
        for (auto* each : m_window->findChildren<QDialog*>()) {
            if (!each->isVisible())
                continue;
            QTest::qWait(200);
            checkAll(*each);
            check(*each, each->windowTitle());
            each->close();
        }
    };
    for (const char* button : {"augmentDesign", "compareDesign"}) {
        QTest::mouseClick(m_window->findChild<QWidget*>(QLatin1String(button)), Qt::LeftButton);
        checkDialog();
    }
    m_window->findChild<app::Exchange*>()->showAudit();
    checkDialog();
    QTest::keyClick(m_window.get(), Qt::Key_K, Qt::ControlModifier);
    checkDialog();
    expectAll();
}

void TranslationTest::sentencesOfTheCatalogueAreTranslated()
{
    QTest::mouseClick(m_window->findChild<QWidget*>(QStringLiteral("example0")), Qt::LeftButton);
    m_window->showStep(widgets::Step::Explore);
    QTest::qWait(300);
    int sentences = 0;
    for (const QLabel* label : m_window->findChildren<QLabel*>())
        if (label->isVisible() && label->text().count(QStringLiteral("⟦")) > 0)
            ++sentences;
    QVERIFY2(sentences > 5, qPrintable(QString::number(sentences)));
}

QTEST_MAIN(TranslationTest)
#include "translation_test.moc"
