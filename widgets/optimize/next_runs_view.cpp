// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/next_runs_view.h"

#include "core/report/tables/answer_tables.h"
#include "widgets/base/theme.h"
#include "widgets/optimize/steady_label.h"
#include "widgets/text/text_table_model.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QVBoxLayout>

namespace quadric::widgets {

namespace {

constexpr int kRuns = 4;
constexpr int kMostRuns = 20;

struct Choice {
    optimize::RunCriterion criterion;
    const char* words;
};
constexpr Choice kChoices[] = {
    {optimize::RunCriterion::Improvement, QT_TRANSLATE_NOOP("NextRunsView", "improvement")},
    {optimize::RunCriterion::VarianceAtOptimum,
     QT_TRANSLATE_NOOP("NextRunsView", "precision at the optimum")},
    {optimize::RunCriterion::Variance, QT_TRANSLATE_NOOP("NextRunsView", "precision overall")},
};

const Choice& choiceOf(const QComboBox& chooser)
{
    return kChoices[std::max(0, chooser.currentIndex())];
}

} // namespace

NextRunsView::NextRunsView(QWidget* parent)
    : AnswerView(parent)
    , m_words(new SteadyLabel(1, this))
    , m_model(new TextTableModel(this))
    , m_table(new QTableView(this))
{
    setUpTable(*m_table);
    m_table->setModel(m_model);
    m_table->setObjectName(QStringLiteral("nextRuns"));
    m_table->setAccessibleName(tr("Suggested runs"));
    m_table->setTabKeyNavigation(false);
    m_words->setObjectName(QStringLiteral("nextRunsText"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 8, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(makeChoice());
    layout->addWidget(m_words);
    layout->addWidget(m_table, 1);
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) {
        if (index.row() < static_cast<int>(m_runs.size()))
            emit settingsPicked(m_runs[static_cast<std::size_t>(index.row())].settings);
    });
}

QLayout* NextRunsView::makeChoice()
{
    m_criterion = new QComboBox(this);
    m_criterion->setObjectName(QStringLiteral("nextRunsFor"));
    m_criterion->setAccessibleName(tr("What more runs are to be good for"));
    m_criterion->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_criterion->setMinimumContentsLength(12);
    for (const Choice& choice : kChoices)
        m_criterion->addItem(tr(choice.words));
    m_count = new QSpinBox(this);
    m_count->setObjectName(QStringLiteral("nextRunsCount"));
    m_count->setAccessibleName(tr("Number of further runs"));
    m_count->setRange(1, kMostRuns);
    m_count->setValue(kRuns);
    m_add = new QPushButton(this);
    m_add->setObjectName(QStringLiteral("addNextRuns"));
    m_add->setToolTip(tr("Adds these runs to the study, to wait for the next start."));
    auto* label = new QLabel(tr("Augment for"), this);
    label->setBuddy(m_criterion);
    auto* layout = new QHBoxLayout;
    layout->setSpacing(8);
    layout->addWidget(label);
    layout->addWidget(m_criterion, 1);
    layout->addWidget(m_count);
    layout->addWidget(m_add);
    connect(m_criterion, &QComboBox::activated, this, &NextRunsView::search);
    connect(m_count, &QSpinBox::valueChanged, this, &NextRunsView::search);
    connect(m_add, &QPushButton::clicked, this, [this] {
        std::vector<study::Settings> settings;
        for (const optimize::NextRun& run : m_runs)
            settings.push_back(run.settings);
        emit runsRequested(settings);
    });
    showButton();
    return layout;
}

void NextRunsView::showAnswer(const Answer& answer, Change change)
{
    m_answer = answer;
    if (change >= Change::Goals)
        search();
    showButton();
}

void NextRunsView::search()
{
    m_runs.clear();
    m_model->setTable(TextTable());
    m_words->setText(tr("Searching for suggested runs …"));
    showButton();
    if (!m_answer.context)
        return;
    startSearch(
        m_job,
        [asked = m_answer, count = m_count->value(),
         criterion = choiceOf(*m_criterion).criterion](const std::stop_token& stop) {
            optimize::OptimizeOptions options = asked.searchOptions();
            options.stop = stop;
            return optimize::nextRuns(asked.study(), asked.fits(), count, criterion, options);
        },
        [this](const optimize::NextRuns& runs) { show(runs); });
}

void NextRunsView::show(const optimize::NextRuns& runs)
{
    m_runs = runs.runs;
    m_words->setText(QString::fromStdString(runs.message));
    m_model->setTable(report::makeNextRunTable(m_answer.study(), m_runs, choiceOf(*m_criterion).criterion));
    showButton();
}

void NextRunsView::showButton()
{
    const auto count = static_cast<int>(m_runs.size());
    m_add->setText(tr("&Add %1").arg(formatCount(count == 0 ? m_count->value() : count, "run")));
    m_add->setEnabled(count > 0 && m_answer.context && !m_answer.context->isRunning);
}

} // namespace quadric::widgets
