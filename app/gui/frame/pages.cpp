// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/frame/pages.h"

#include "app/gui/frame/page_area.h"
#include "app/gui/session/experiment.h"
#include "app/gui/session/run_watch.h"
#include "widgets/design/design_page.h"
#include "widgets/explore/explore_page.h"
#include "widgets/monitor/run_changes.h"
#include "widgets/monitor/run_page.h"
#include "widgets/optimize/optimize_page.h"
#include "widgets/plan/plan_page.h"
#include "widgets/plots/shown_view.h"
#include "widgets/report/report_page.h"

#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace quadric::app {

namespace {

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

} // namespace

widgets::Step stepOf(std::string_view page)
{
    return static_cast<widgets::Step>(std::ranges::find(kPages, page) - kPages.begin());
}

const char* pageOf(widgets::Step step)
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
    connect(page, &widgets::Page::changeRequested, this, &Pages::changeRequested);
    connect(page, &widgets::Page::stepRequested, this, &Pages::stepRequested);
    connect(page, &widgets::Page::runsPicked, this, &Pages::pickRuns);
    connect(page, &widgets::Page::exclusionRequested, this, &Pages::excludeRuns);
    connect(page, &widgets::Page::remedyRequested, this, &Pages::remedyRequested);
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

void Pages::setContext(const widgets::ContextPointer& context)
{
    if (context && m_context && context->path != m_context->path)
        pickRuns({});
    m_context = context;
    if (context)
        m_watch->setDocument(context->path);
    tell(m_run); // follows the news of the experiment, visible or not
    tell(m_pages[size_t(step())]);
}

void Pages::tell(widgets::Page* page)
{
    widgets::ContextPointer& known = m_shown[size_t(std::ranges::find(m_pages, page) - m_pages.begin())];
    if (m_context && known != m_context) {
        known = m_context;
        page->setContext(m_context);
    }
}

void Pages::setStep(widgets::Step step)
{
    m_stack->setCurrentIndex(int(step));
    setContext(m_context);
}

widgets::Step Pages::step() const
{
    return static_cast<widgets::Step>(m_stack->currentIndex());
}

const QWidget& Pages::page() const
{
    return *m_pages[size_t(step())];
}

void Pages::showView(const widgets::ViewKind& kind)
{
    if (step() == widgets::Step::Explore)
        m_explore->showView(kind.id);
    QWidget* shown = widgets::findShownView(page(), kind.id);
    if (shown == nullptr && step() == widgets::Step::Optimize) // a picture of its map, or beside it
        shown = widgets::findShownView(page(), "contour-profiler");
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

} // namespace quadric::app
