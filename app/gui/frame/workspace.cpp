// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/frame/workspace.h"

#include "app/gui/session/experiment.h"
#include "core/model/select/model_choice.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/design/design_page.h"
#include "widgets/explore/explore_page.h"
#include "widgets/monitor/run_actions.h"
#include "widgets/monitor/run_page.h"
#include "widgets/optimize/optimize_page.h"
#include "widgets/plan/plan_page.h"
#include "widgets/report/report_page.h"
#include "widgets/text/wording.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollBar>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace quadric::app {

namespace {

constexpr QSize kLeastPage(36, 24); ///< of a page, in heights of a line of text

constexpr std::array<const char*, 6> kPages = {"design", "run", "explore", "optimize", "plan", "report"};

/// Of runs that the study still has as they were added.
widgets::TriedRuns triedOf(const std::vector<run::ProposalRecord>& records, const study::Study& study)
{
    widgets::TriedRuns tried;
    for (const run::ProposalRecord& record : records) {
        tried.end = QString::fromStdString(record.end);
        tried.spent = record.spent;
        tried.budget = record.budget;
        for (const run::RunProposal& proposal : record.runs) {
            const study::Run* run = study::findRun(study, proposal.run);
            if (run != nullptr && run::isProposed(proposal, *run))
                tried.reasons.push_back({proposal.run,
                                         proposal.purpose == run::RunProposal::Purpose::Confirmation,
                                         proposal.gain, proposal.runsProbability, proposal.isRepeat});
        }
    }
    return tried;
}

constexpr int kNoticeMs = 10000;

} // namespace

PageArea::PageArea(QWidget* page)
{
    setWidget(page);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
}

void PageArea::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    fit();
}

bool PageArea::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == widget() && event->type() == QEvent::LayoutRequest)
        fit();
    return QScrollArea::eventFilter(watched, event);
}

/// A bar takes of the room for the other direction.
void PageArea::fit()
{
    const QSize need = widget()->minimumSizeHint().expandedTo(kLeastPage * fontMetrics().height());
    QSize room = maximumViewportSize();
    if (need.width() > room.width())
        room.rheight() -= horizontalScrollBar()->sizeHint().height();
    if (need.height() > room.height())
        room.rwidth() -= verticalScrollBar()->sizeHint().width();
    widget()->resize(room.expandedTo(need));
}

widgets::Step stepOf(std::string_view page)
{
    return static_cast<widgets::Step>(std::ranges::find(kPages, page) - kPages.begin());
}

const char* helpPageName(widgets::Step step)
{
    return kPages[size_t(step)];
}

Pages::Pages(QWidget* parent)
    : QWidget(parent)
    , m_stack(new QStackedWidget)
    , m_design(new widgets::DesignPage)
    , m_run(new widgets::RunPage)
    , m_explore(new widgets::ExplorePage)
    , m_optimize(new widgets::OptimizePage)
    , m_plan(new widgets::PlanPage)
    , m_report(new widgets::ReportPage)
    , m_watch(new RunWatch(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    for (widgets::Page* page :
         {static_cast<widgets::Page*>(m_design), static_cast<widgets::Page*>(m_run),
          static_cast<widgets::Page*>(m_explore), static_cast<widgets::Page*>(m_optimize),
          static_cast<widgets::Page*>(m_plan), static_cast<widgets::Page*>(m_report)})
        addPage(page);
    connect(m_design, &widgets::DesignPage::undoRequested, this, &Pages::undoRequested);
    connect(m_run, &widgets::RunPage::undoRequested, this, &Pages::undoRequested);
}

void Pages::addPage(widgets::Page* page)
{
    m_stack->addWidget(new PageArea(page));
    m_pages.push_back(page);
    connect(page, &widgets::Page::changeRequested, this,
            showsAnalyzed(page) ? &Pages::requestChange : &Pages::changeRequested);
    connect(page, &widgets::Page::stepRequested, this, &Pages::stepRequested);
    connect(page, &widgets::Page::runsPicked, this, &Pages::pickRuns);
    connect(page, &widgets::Page::exclusionRequested, this, &Pages::excludeRuns);
    connect(page, &widgets::Page::remedyRequested, this, &Pages::remedyRequested);
}

bool Pages::showsAnalyzed(const widgets::Page* page) const
{
    return page != m_design && page != m_run;
}

/// What was only chosen by the rule is not stored.
void Pages::requestChange(const study::Study& after, const QString& label, const QString& mergeKey)
{
    emit changeRequested(model::withoutChosenModels(after, m_analyzed->study, m_context->study), label,
                         mergeKey);
}

void Pages::pickRuns(const widgets::PickedRuns& runs)
{
    if (runs == m_picked)
        return;
    m_picked = runs;
    m_design->pickRuns(runs);
    m_run->pickRuns(runs);
    m_explore->pickRuns(runs);
    m_optimize->pickRuns(runs);
    emit runsPicked(runs);
}

/// The Design page asks for the reason, whichever page the runs were picked on.
void Pages::excludeRuns(const std::vector<int>& runs)
{
    tell(m_design);
    m_design->excludeRuns(runs);
}

void Pages::setContext(const widgets::ContextPointer& stored, const widgets::ContextPointer& analyzed)
{
    if (stored && m_context && stored->path != m_context->path)
        pickRuns({});
    m_context = stored;
    m_analyzed = analyzed;
    if (stored)
        m_watch->setDocument(stored->path);
    tell(m_run); // follows the news of the experiment, visible or not
    tell(m_pages[size_t(step())]);
}

void Pages::tell(widgets::Page* page)
{
    widgets::ContextPointer& known = m_shown[size_t(std::ranges::find(m_pages, page) - m_pages.begin())];
    const widgets::ContextPointer& present = showsAnalyzed(page) ? m_analyzed : m_context;
    if (present && known != present) {
        known = present;
        page->setContext(present);
    }
}

void Pages::setStep(widgets::Step step)
{
    m_stack->setCurrentIndex(int(step));
    setContext(m_context, m_analyzed);
}

widgets::Step Pages::step() const
{
    return static_cast<widgets::Step>(m_stack->currentIndex());
}

void Pages::showView(const widgets::ViewKind& kind)
{
    if (step() == widgets::Step::Explore)
        m_explore->showView(kind.id);
    QWidget* shown = widgets::findShownView(page(), kind.id);
    if (shown == nullptr && step() == widgets::Step::Optimize) // a picture of its map, or beside it
        shown = widgets::findShownView(page(), "map");
    if (shown != nullptr)
        widgets::revealWidget(*shown);
}

void Pages::follow(Experiment& experiment)
{
    connect(&experiment, &Experiment::newsChanged, m_run, &widgets::RunPage::showNews);
    connect(&experiment, &Experiment::problemChanged, m_run, &widgets::RunPage::showProblem);
    connect(&experiment, &Experiment::message, m_run, &widgets::RunPage::showMessage);
    connect(m_run, &widgets::RunPage::startRequested, &experiment, &Experiment::start);
    connect(m_run, &widgets::RunPage::stopRequested, &experiment, &Experiment::stop);
    connect(m_run, &widgets::RunPage::controlRequested, &experiment, &Experiment::ask);
    connect(m_run, &widgets::RunPage::watchRequested, m_watch, &RunWatch::watch);
    connect(m_run, &widgets::RunPage::compareRequested, m_watch, &RunWatch::compare);
    connect(m_watch, &RunWatch::comparedRead, m_run, &widgets::RunPage::showCompared);
    connect(m_watch, &RunWatch::samplesRead, m_run, &widgets::RunPage::showSamples);
    connect(m_watch, &RunWatch::logRead, m_run, &widgets::RunPage::showLog);
    connect(m_optimize, &widgets::OptimizePage::confirmRequested, &experiment, &Experiment::confirm);
    connect(m_optimize, &widgets::OptimizePage::confirmRequested, this,
            [this] { emit stepRequested(widgets::Step::Run); });
    connect(m_optimize, &widgets::OptimizePage::goOnRequested, &experiment, &Experiment::goOn);
    connect(m_optimize, &widgets::OptimizePage::stopRequested, &experiment, &Experiment::stop);
    connect(&experiment, &Experiment::message, this, [this](const widgets::RunMessage& message) {
        if (message.severity == widgets::RunMessage::Severity::Error && step() == widgets::Step::Optimize)
            emit stepRequested(widgets::Step::Run); // where it stands
    });
    connect(&experiment, &Experiment::proposalsChanged, this,
            [this](const std::vector<run::ProposalRecord>& records) {
                if (m_context)
                    m_optimize->showTried(triedOf(records, m_context->study));
            });
    connect(m_optimize, &widgets::OptimizePage::repeatRequested, &experiment,
            [this, &experiment](const std::vector<int>& runs) {
                const widgets::RunChange change = widgets::makeRepetition(m_context->study, runs);
                emit changeRequested(change.after, change.label, change.mergeKey);
                experiment.start();
                emit stepRequested(widgets::Step::Run);
            });
}

DocumentBanner::DocumentBanner(StudyDocument& document, QWidget* parent)
    : Banner(parent)
    , m_document(document)
    , m_reload(addButton("reload", tr("Reload")))
    , m_keepBeside(addButton("keepBeside", tr("Keep mine beside it")))
    , m_saveHere(addButton("saveHereAgain", tr("Save here again")))
    , m_saveAs(addButton("saveTroubledAs", tr("Save as…")))
{
    widgets::nameWidget(this, "documentBanner", tr("The study's file"));
    setTone(Tone::Warning, QStringLiteral("▲"));
    m_reload->setToolTip(tr("Open the file's version; this window's is given up."));
    m_keepBeside->setToolTip(
        tr("Open the file's version. This window's is kept beside it as “… (conflict)”."));
    connect(m_reload, &QPushButton::clicked, &document, &StudyDocument::reload);
    connect(m_keepBeside, &QPushButton::clicked, &document, &StudyDocument::keepBesideAndReload);
    connect(m_saveHere, &QPushButton::clicked, &document, &StudyDocument::saveHereAgain);
    connect(m_saveAs, &QPushButton::clicked, this, &DocumentBanner::saveAsRequested);
    connect(&document, &StudyDocument::troubleChanged, this, &DocumentBanner::showTrouble);
    showTrouble();
}

void DocumentBanner::showTrouble()
{
    const auto& trouble = m_document.trouble();
    const bool isChanged = trouble && trouble->kind == DocumentTrouble::Kind::Changed;
    m_reload->setVisible(isChanged);
    m_keepBeside->setVisible(isChanged);
    m_saveHere->setVisible(trouble && (trouble->kind == DocumentTrouble::Kind::Missing ||
                                       trouble->kind == DocumentTrouble::Kind::Unreadable));
    m_saveAs->setVisible(trouble.has_value());
    if (trouble)
        setWords(trouble->sentence);
    setVisible(trouble.has_value());
}

StatusLine::StatusLine(QWidget* parent)
    : QWidget(parent)
    , m_warnings(new QToolButton)
    , m_left(widgets::mutedLabel({}))
    , m_right(widgets::mutedLabel({}))
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(widgets::kGroupGap, widgets::kGap / 2, widgets::kGroupGap, widgets::kGap / 2);
    layout->addWidget(m_warnings);
    layout->addWidget(m_left, 1);
    layout->addWidget(m_right);
    m_warnings->setAutoRaise(true);
    m_warnings->setFocusPolicy(Qt::StrongFocus);
    m_warnings->setToolTip(tr("Lists the warnings about the models, with what to do about each."));
    m_warnings->hide();
    widgets::nameWidget(m_warnings, "warningsButton", tr("Warnings"));
    connect(m_warnings, &QToolButton::clicked, this, &StatusLine::warningsClicked);
    m_left->setWordWrap(false);
    m_left->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_right->setWordWrap(false);
    widgets::nameWidget(m_left, "statusWords", tr("Status"));
    widgets::nameWidget(m_right, "statusRemaining", tr("Remaining time"));
    m_notice.setSingleShot(true);
    connect(&m_notice, &QTimer::timeout, this, &StatusLine::showWords);
}

void StatusLine::setWords(const QString& words)
{
    m_words = words;
    if (!m_notice.isActive())
        showWords();
}

void StatusLine::setWarnings(int count)
{
    m_warnings->setText(QStringLiteral("▲ ") + widgets::formatCount(count, "warning"));
    m_warnings->setAccessibleName(widgets::formatCount(count, "warning"));
    m_warnings->setVisible(count > 0);
}

void StatusLine::setRemaining(const std::optional<run::TimeLeft>& left)
{
    m_right->setText(left ? widgets::remainingText(left->seconds) : QString());
}

void StatusLine::showNotice(const QString& text)
{
    if (text.isEmpty())
        return;
    m_left->setForegroundRole(QPalette::WindowText);
    m_left->setText(text);
    m_left->setToolTip(text);
    m_notice.start(kNoticeMs);
}

void StatusLine::showWords()
{
    m_left->setForegroundRole(QPalette::PlaceholderText);
    m_left->setText(m_words);
    m_left->setToolTip({});
}

} // namespace quadric::app
