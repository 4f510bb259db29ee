// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/study_wizard.h"

#include "core/design/base/design.h"
#include "core/run/proposal/script_settings.h"
#include "core/study/run_records.h"
#include "core/templates/templates.h"
#include "widgets/base/style.h"
#include "widgets/wizard/factors_page.h"
#include "widgets/wizard/layout_page.h"
#include "widgets/wizard/measurement_page.h"
#include "widgets/wizard/question_pages.h"
#include "widgets/wizard/summary_page.h"
#include "widgets/wizard/wizard_frame.h"

#include <QFileInfo>
#include <QKeyEvent>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

class QAbstractButton;

namespace quadric::widgets {

namespace {

/// Asks, over a window that it belongs to, whether what was entered there is to be lost. Returns at once,
/// with the button that says so.
QAbstractButton* askToDiscard(QWidget& window)
{
    auto* box =
        new QMessageBox(QMessageBox::Question, window.windowTitle(),
                        QMessageBox::tr("Discard what you have entered?"), QMessageBox::NoButton, &window);
    box->setObjectName(QStringLiteral("discardQuestion"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(QMessageBox::tr("Nothing of it is saved yet."));
    QPushButton* discard = box->addButton(QMessageBox::tr("&Discard"), QMessageBox::DestructiveRole);
    QPushButton* keep = box->addButton(QMessageBox::tr("&Keep editing"), QMessageBox::RejectRole);
    discard->setObjectName(QStringLiteral("discardStudy"));
    keep->setObjectName(QStringLiteral("keepEditing"));
    box->setDefaultButton(keep);
    box->setEscapeButton(keep);
    box->open();
    return discard;
}

constexpr QSize kLeastSize(1040, 680), kMostSize(1680, 1080);
constexpr double kShareOfScreen = 0.85;

bool hasResults(const study::Study& study)
{
    return std::any_of(study.runs.begin(), study.runs.end(), [](const auto& run) {
        return run.status != study::RunStatus::Pending || !run.results.empty();
    });
}

} // namespace

StudyWizard::StudyWizard(const run::Machine& machine, QWidget* parent)
    : QDialog(parent)
    , m_search(new RunSearch(this))
    , m_question(new QuestionPage(machine.cores))
    , m_factors(new FactorsPage)
    , m_layout(new LayoutPage)
    , m_measurement(new MeasurementPage)
    , m_summary(new SummaryPage)
    , m_frame(new WizardFrame)
{
    setObjectName(QStringLiteral("studyWizard"));
    setWindowTitle(tr("New study"));
    resizeWithinScreen(*this, sizeOnScreen(screen()->availableSize(), kShareOfScreen, kLeastSize, kMostSize));
    auto* whole = marginless<QVBoxLayout>(this);
    whole->addWidget(m_frame);
    addPages();
    connect(m_question, &QuestionPage::templateChosen, this, &StudyWizard::applyTemplate);
    connect(m_measurement, &MeasurementPage::testRequested, this, [this] { emit testRequested(m_study); });
    connect(m_layout, &LayoutPage::stopRequested, m_search, &RunSearch::finish);
    connect(m_layout, &LayoutPage::searchRequested, this, &StudyWizard::searchAgain);
    connect(m_search, &RunSearch::progressed, m_layout, &LayoutPage::showSearch);
    connect(m_search, &RunSearch::found, this, &StudyWizard::endSearch);
    connect(m_frame, &WizardFrame::stepShown, this, &StudyWizard::showProblems);
    connect(m_frame, &WizardFrame::cancelled, this, &StudyWizard::reject);
    connect(m_frame, &WizardFrame::finished, this, &StudyWizard::finish);
    connect(m_frame, &WizardFrame::helpRequested, this, &StudyWizard::helpRequested);
    m_start = templates::studyFrom(templates::templates().front().name, machine.cores);
    take(m_start);
    setStep(WizardStep::Question);
}

void StudyWizard::addPages()
{
    const auto add = [this](const QString& name, const QString& sentence, const char* help,
                            WizardPage* page) {
        m_pages.push_back(page);
        m_frame->addStep(name, sentence, QLatin1String(help), page);
        connect(page, &WizardPage::edited, this, &StudyWizard::take);
    };
    add(tr("Question"), tr("What is the experiment for?"), "wizard-question", m_question);
    add(tr("Factors"), tr("Which factors vary, and over which range?"), "wizard-factors", m_factors);
    add(tr("Responses"), tr("What is measured, and what is the goal?"), "wizard-responses",
        new ResponsesPage);
    add(tr("Design"), tr("Which combinations are run?"), "wizard-design", m_layout);
    add(tr("Measurement"), tr("How is a run measured?"), "wizard-measurement", m_measurement);
    add(tr("Summary"), tr("Check before you create the study."), "wizard-summary", m_summary);
}

void StudyWizard::setDevices(const run::TrainerDevices& devices)
{
    m_measurement->setDevices(devices);
    m_factors->setGpus(static_cast<int>(devices.gpus.size()));
    if (!devices.gpus.empty())
        proposeFromScript(static_cast<int>(devices.gpus.size()));
}

void StudyWizard::setDestination(std::function<QString(const study::Study&)> destination)
{
    m_summary->setDestination(std::move(destination));
}

void StudyWizard::setDocument(const std::filesystem::path& document, bool isNew)
{
    m_measurement->setDocument(document, isNew);
    showProblems();
}

void StudyWizard::setParse(const study::ParseSpec& parse)
{
    study::Study after = m_study;
    after.benchmark.parse = parse;
    take(after);
}

/// A cell that is being typed into hands over its text when it goes; there is nobody left to take it.
StudyWizard::~StudyWizard()
{
    m_search->cancel();
    m_frame->disconnect(this);
    for (WizardPage* page : m_pages)
        page->disconnect(this);
}

void StudyWizard::startFrom(const study::Study& study)
{
    study::Study fresh = study::withoutRuns(study);
    fresh.name = tr("%1, again").arg(QString::fromStdString(study.name)).toStdString();
    if (fresh.design.type.empty() || fresh.design.type == "custom")
        fresh.design.type = design::designTypes().front();
    m_question->hideTemplates();
    m_start = fresh;
    m_layout->choose(fresh.design);
    take(fresh);
}

void StudyWizard::startWithScript(const QString& path)
{
    m_question->chooseTemplate(QStringLiteral("own-command"));
    study::Study named = m_study;
    named.name = QFileInfo(path).completeBaseName().toStdString();
    take(named);
    m_measurement->applyScript(path);
    m_script = path;
    proposeFromScript(run::thisMachine().cores);
}

/// The number of GPUs is known later than the script; what was typed meanwhile stays.
void StudyWizard::proposeFromScript(int mostRanks)
{
    const auto isAsIn = [this](const study::Study& other) {
        return m_study.factors == other.factors && m_study.responses == other.responses;
    };
    if (m_script.isEmpty() || !isAsIn(m_proposed))
        return;
    study::Study bare = m_study;
    bare.factors.clear();
    bare.responses.clear();
    m_proposed = run::withScriptSettings(bare, run::readWorkerScript(m_script.toStdU16String()), mostRanks);
    if (isAsIn(m_proposed))
        return;
    if (!m_proposed.factors.empty())
        m_frame->setSentence(
            int(WizardStep::Factors),
            tr("Read from %1. Check the ranges, add what else varies.").arg(QFileInfo(m_script).fileName()));
    take(m_proposed);
}

void StudyWizard::editStudy(const study::Study& study)
{
    setWindowTitle(tr("Edit study"));
    m_frame->setFinishText(tr("Appl&y changes"));
    m_question->hideTemplates();
    m_isLocked = hasResults(study);
    if (m_isLocked) {
        const QString reason = tr("This study has results, so its factors and runs stay as they are. "
                                  "“New study like this one” in the menu Study starts afresh.");
        m_layout->lock(reason);
        m_pages[size_t(WizardStep::Factors)]->setEnabled(false);
        m_pages[size_t(WizardStep::Factors)]->setToolTip(reason);
        m_frame->setSentence(int(WizardStep::Factors), reason);
    }
    m_start = m_study = study;
    m_layoutProblem.clear();
    m_layout->choose(study.design);
    if (study.runs.empty())
        take(study);
    showStudy();
}

void StudyWizard::take(const study::Study& after)
{
    const bool hasNone = after.runs.empty() && !m_search->isBusy() && m_layoutProblem.isEmpty();
    const bool isNew = !m_isLocked && (hasNone || needsNewRuns(m_study, after));
    m_study = after;
    if (isNew)
        layOutRuns();
    showStudy();
}

void StudyWizard::applyTemplate(const study::Study& made)
{
    const study::Study changed = templates::changeTemplate(m_study, m_start, made);
    m_start = made;
    take(changed);
}

void StudyWizard::applyLaidOutRuns(const LaidOutRuns& laidOut)
{
    m_study.runs = laidOut.runs;
    m_study.baselines.clear();
    m_layoutProblem = laidOut.problem;
    m_wasStopped = laidOut.isStopped;
    m_layout->showFound(laidOut.isStopped && laidOut.note.isEmpty() ? laidOut.problem : laidOut.note);
}

void StudyWizard::layOutRuns()
{
    m_study.runs.clear();
    m_layoutProblem.clear();
    m_layout->showFound({});
    const std::optional<LaidOutRuns> laidOut = m_search->start(m_study);
    if (laidOut)
        applyLaidOutRuns(*laidOut);
    m_layout->showSearch(laidOut ? std::nullopt : std::optional(0.0));
}

void StudyWizard::endSearch(const LaidOutRuns& laidOut)
{
    m_layout->showSearch({});
    applyLaidOutRuns(laidOut);
    showStudy();
}

/// A stopped search goes on; one that has ended is repeated from other random designs.
void StudyWizard::searchAgain()
{
    if (!m_wasStopped)
        ++m_study.design.seed;
    layOutRuns();
    showStudy();
}

void StudyWizard::showStudy()
{
    for (WizardPage* page : m_pages)
        page->setStudy(m_study);
    showProblems();
}

void StudyWizard::setStep(WizardStep step)
{
    m_frame->setStep(int(step));
}

WizardStep StudyWizard::step() const
{
    return static_cast<WizardStep>(m_frame->step());
}

/// Why there are no runs, where that is not the fault of what the runs are made from.
std::optional<WizardProblem> StudyWizard::layoutProblem() const
{
    if (m_search->isBusy())
        return WizardProblem{WizardStep::Design, tr("The search for the design still goes on.")};
    if (!m_layoutProblem.isEmpty())
        return WizardProblem{WizardStep::Design, m_layoutProblem};
    if (m_study.runs.empty())
        return WizardProblem{WizardStep::Design, tr("There are no runs.")};
    return {};
}

std::vector<WizardProblem> StudyWizard::findProblems() const
{
    std::vector<WizardProblem> problems = findWizardProblems(m_study);
    for (size_t step = 0; step < m_pages.size(); ++step)
        for (const QString& words : m_pages[step]->refusals())
            problems.push_back(
                {static_cast<WizardStep>(step), words, true, step == size_t(WizardStep::Measurement)});
    const bool hasFactors = std::ranges::none_of(problems, [](const WizardProblem& problem) {
        return problem.isError && problem.step == WizardStep::Factors;
    });
    if (const auto problem = layoutProblem(); problem && hasFactors)
        problems.push_back(*problem);
    return problems;
}

QStringList StudyWizard::problems() const
{
    QStringList found;
    for (const WizardProblem& problem : findProblems())
        if (problem.isError)
            found << problem.words;
    return found;
}

/// The step that is shown says what is wrong with it, the last one what is wrong at all.
void StudyWizard::showProblems()
{
    using Mark = WizardFrame::Mark;
    std::vector<Mark> marks(m_pages.size(), Mark::None);
    QStringList lines, errors;
    bool hasErrors = false;
    for (const WizardProblem& problem : findProblems()) {
        Mark& mark = marks[size_t(problem.step)];
        if (problem.isError) {
            mark = std::max(mark, problem.isMissing ? Mark::Missing : Mark::Wrong);
            errors << problem.words;
        }
        const bool isHere = problem.step == step() && !problem.isShownInPlace;
        if (!isHere && !(m_frame->isLastStep() && problem.isError))
            continue;
        const char* sign = problem.isMissing ? "… " : problem.isError ? "✗ " : "⚠ ";
        lines << QString::fromUtf8(sign) + problem.words;
        hasErrors = hasErrors || (problem.isError && !problem.isMissing);
    }
    for (size_t step = 0; step < marks.size(); ++step)
        m_frame->markStep(int(step), marks[step]);
    m_frame->showProblems(lines, hasErrors);
    m_frame->allowNext(step() != WizardStep::Measurement || m_measurement->refusals().isEmpty());
    m_frame->allowFinish(errors.isEmpty(), errors.value(0));
}

/// Enter belongs to what is typed into; where nothing takes it, it goes on.
void StudyWizard::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        m_frame->pressPrimary();
    else
        QDialog::keyPressEvent(event);
}

/// A design that the program chose is no work of the user's.
bool StudyWizard::isTouched() const
{
    const bool hasRefusals =
        std::ranges::any_of(m_pages, [](const WizardPage* page) { return !page->refusals().isEmpty(); });
    study::Study now = study::withoutRuns(m_study);
    if (!m_layout->hasChoice())
        now.design = m_start.design;
    return hasRefusals || now != study::withoutRuns(m_start);
}

void StudyWizard::reject()
{
    commitOpenCell();
    if (!isTouched())
        QDialog::reject();
    else
        connect(askToDiscard(*this), &QAbstractButton::clicked, this, [this] { QDialog::reject(); });
}

/// A cell that is still being typed into hands over its text when it loses the focus.
void StudyWizard::commitOpenCell()
{
    const QPointer<QWidget> typedInto = focusWidget();
    m_frame->setFocus();
    if (typedInto && typedInto->isVisible())
        typedInto->setFocus();
}

void StudyWizard::finish()
{
    commitOpenCell();
    if (problems().isEmpty())
        accept();
}

} // namespace quadric::widgets
