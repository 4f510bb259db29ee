// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_page.h"

#include "core/plan/words/plan_sentences.h"
#include "widgets/base/page.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/plan/plan_questions.h"
#include "widgets/plots/panel/panel_plot.h"
#include "widgets/text/wording.h"

#include <QStackedLayout>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace quadric::widgets {

namespace {

QString amountText(const model::Fit& fit, double amount)
{
    return fromUtf8(plan::describeAmount(fit, amount, text::Typography::Typeset));
}

/// The time or the speed that says how long the work takes.
ChooserControl responseControl()
{
    return {tr("Response"), tr("The time or the speed that says how long the work takes."),
            [](const PlanSource& source) {
                std::vector<ChooserItem> items;
                for (const model::Fit& fit : source.context->fits)
                    if (plan::hasTimeUnit(fit))
                        items.emplace_back(nameWithUnit(fit.response, fit.unit), fit.response);
                return items;
            },
            [](const PlanSource& source) { return source.fit()->response; },
            [](plan::PlanChoices& choices, const std::string& name) {
                choices.response = name;
                choices.amount.reset();
            }};
}

/// Of a time: whether it is that of all of the work.
ChooserControl kindControl()
{
    static const std::string kUnit = "unit";
    return {tr("Time of"),
            tr("What the time is of: all of the work, or a unit of it, such as an epoch or a step."),
            [](const PlanSource& source) {
                return plan::isRateUnit(source.fit()->unit)
                           ? std::vector<ChooserItem>()
                           : std::vector<ChooserItem>{{tr("all work"), ""}, {tr("a unit of work"), kUnit}};
            },
            [](const PlanSource& source) { return source.choices.isPerUnit ? kUnit : std::string(); },
            [](plan::PlanChoices& choices, const std::string& of) { choices.isPerUnit = of == kUnit; }};
}

/// Around what the fastest run does in an hour.
SliderControl amountControl()
{
    constexpr double kTimes = 100.0, kMost = 1e15;
    return {{.name = tr("Amount of work"),
             .tooltip = tr("How many images, tokens, epochs or steps are to be done."),
             .low = 1.0,
             .high = kTimes,
             .typed = {1e-9, kMost},
             .isLog = true},
            [](const PlanSource& source) -> std::optional<SliderState> {
                const model::Fit& fit = *source.fit();
                const plan::Work work = plan::chosenWork(fit, source.choices);
                if (work.kind == plan::WorkKind::Whole)
                    return std::nullopt;
                plan::PlanChoices usual = source.choices;
                usual.amount.reset();
                const double middle = plan::chosenWork(fit, usual).amount;
                return SliderState{.value = work.amount,
                                   .range = std::pair(middle / kTimes, middle * kTimes),
                                   .unit = fromUtf8(plan::amountUnit(fit))};
            },
            [](plan::PlanChoices& choices, double amount) { choices.amount = amount; }};
}

} // namespace

PlanPage::PlanPage(QWidget* parent)
    : Page(parent)
    , m_stack(new QStackedLayout(this))
    , m_empty(new EmptyState)
{
    m_stack->addWidget(m_empty);
    m_stack->addWidget(makeViews());
    reserveRoomForViews(false);
    showEmpty();
    connect(m_empty, &EmptyState::buttonClicked, this, [this] {
        const ContextPointer& context = m_session.source().context;
        const bool hasModel = context && std::ranges::any_of(context->fits, &model::Fit::isOk);
        const bool hasRuns = context && !context->study.runs.empty();
        emit stepRequested(hasRuns && !hasModel ? Step::Run : Step::Design);
    });
    connect(&m_session, &PlanSession::changed, this, &PlanPage::refresh);
    connect(&m_session, &PlanSession::changeRequested, this, &Page::changeRequested);
}

/// Views that are not shown must not make the page wide.
void PlanPage::reserveRoomForViews(bool areShown)
{
    const auto policy = areShown ? QSizePolicy::Preferred : QSizePolicy::Ignored;
    m_stack->widget(1)->setSizePolicy(policy, policy);
}

QWidget* PlanPage::makeViews()
{
    auto* all = new QWidget;
    m_work = new PlanForm({responseControl(), kindControl(), amountControl()}, QBoxLayout::LeftToRight);
    m_tabs = new QTabWidget;
    m_tabs->setDocumentMode(true);
    m_tabs->setUsesScrollButtons(true);
    m_tabs->tabBar()->setAccessibleName(tr("Questions"));
    for (const PlanViewRow& row : planViews()) {
        PlanView* view = row.make();
        markView(*view, row.id);
        describePlot(*view->plot(), row);
        m_tabs->setTabToolTip(m_tabs->addTab(view, row.tabText()), viewSummary(row));
        connect(view, &PlanView::choicesChanged, &m_session, &PlanSession::choose);
        m_views.push_back(view);
        m_isOld.push_back(true);
    }
    auto* about = new QToolButton;
    about->setText(QStringLiteral("?"));
    about->setAutoRaise(true);
    about->setFocusPolicy(Qt::StrongFocus);
    about->setAccessibleName(tr("What is this?"));
    about->setToolTip(tr("What is this? (F1)"));
    m_tabs->setCornerWidget(about);
    connect(about, &QToolButton::clicked, this, &PlanPage::explain);
    connect(m_tabs, &QTabWidget::currentChanged, this, &PlanPage::showCurrent);
    connect(m_work, &PlanForm::choicesChanged, &m_session, &PlanSession::choose);
    auto* layout = new QVBoxLayout(all);
    layout->setContentsMargins(kGroupGap, kGroupGap, kGroupGap, kGroupGap);
    layout->setSpacing(kGap);
    layout->addWidget(m_work);
    layout->addWidget(m_tabs, 1);
    return all;
}

void PlanPage::refresh()
{
    const PlanSource& source = m_session.source();
    m_stack->setCurrentIndex(source.isReady() ? 1 : 0);
    reserveRoomForViews(source.isReady());
    if (!source.isReady())
        return showEmpty();
    m_work->showSource(source);
    m_isOld.assign(m_isOld.size(), true);
    showCurrent();
}

void PlanPage::showCurrent()
{
    const auto index = static_cast<std::size_t>(std::max(0, m_tabs->currentIndex()));
    const PlanSource& source = m_session.source();
    if (index >= m_views.size() || !m_isOld[index] || !source.isReady())
        return;
    m_isOld[index] = false;
    Plot* plot = m_views[index]->plot();
    plot->setSimulated(study::hasSimulatedResults(source.study()));
    plot->setSource({nameText(source.study().name), {}});
    m_views[index]->showPlan(source);
}

void PlanPage::explain()
{
    if (const auto* kind = findView(planViews(), viewShownBy(m_tabs->currentWidget())))
        showAbout(this, aboutView(*kind));
}

void PlanPage::showEmpty()
{
    const PlanSource& source = m_session.source();
    if (!source.context || source.study().runs.empty())
        return m_empty->setTexts(tr("Nothing to plan with yet"),
                                 tr("This study has no runs yet. Lay out a design first."),
                                 tr("Go to Design"));
    const auto& fits = source.context->fits;
    if (std::ranges::none_of(fits, &model::Fit::isOk))
        return m_empty->setTexts(tr("Nothing to plan with yet"),
                                 fits.empty() ? tr("No run is finished yet.")
                                              : QString::fromStdString(fits.front().message),
                                 tr("Go to Run"));
    m_empty->setTexts(tr("No response tells how long the work takes"),
                      source.problem.empty()
                          ? tr("A plan needs a response with a model that is a time (s, min, h) or a speed "
                               "(img/s), and more runs than the model has terms.")
                          : QString::fromStdString(source.problem),
                      tr("Go to Design"));
}

namespace {

PlanViewRow planTab(PlanQuestion (*ask)())
{
    const PlanQuestion question = ask();
    PlanViewRow row{{question.id, question.title, "plan", ViewSubject::Study, 0},
                    [ask] { return new PlanView(ask()); },
                    [ask](const PlanSource& source) {
                        const auto view = std::make_shared<PlanView>(ask());
                        view->showWhole(source);
                        return plotOf(view);
                    }};
    row.tab = question.tab;
    return row;
}

} // namespace

const std::vector<PlanViewRow>& planViews()
{
    static const std::vector<PlanViewRow> views{planTab(askDeadline), planTab(askQueue), planTab(askScaling),
                                                planTab(askCost)};
    return views;
}

std::vector<PlanAnswer> planAnswers(const PlanSource& source)
{
    std::vector<PlanAnswer> answers;
    if (!source.isReady())
        return answers;
    const std::vector<std::string> asked = plan::askedQuestions(source.choices);
    for (const PlanViewRow& row : planViews()) {
        if (std::ranges::count(asked, row.id) == 0)
            continue;
        const std::shared_ptr<PlanView> view(row.make());
        view->showWhole(source);
        answers.push_back({row.title, view->sentence(), view->remark(), plotOf(view), view->tables()});
    }
    return answers;
}

QString describeWork(const PlanSource& source)
{
    const model::Fit& fit = *source.fit();
    const plan::Work work = plan::chosenWork(fit, source.choices);
    const QString name = nameText(fit.response);
    return work.kind == plan::WorkKind::Whole
               ? tr("One run, whose time is %1.").arg(name)
               : tr("One run of %1, timed by %2.").arg(amountText(fit, work.amount), name);
}

} // namespace quadric::widgets
