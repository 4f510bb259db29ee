// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/next_runs_view.h"

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
    const char* gain; ///< title of the column
};
constexpr Choice kChoices[] = {
    {optimize::RunCriterion::Improvement, QT_TRANSLATE_NOOP("NextRunsView", "a better setting"),
     QT_TRANSLATE_NOOP("NextRunsView", "expected gain of D")},
    {optimize::RunCriterion::VarianceAtOptimum,
     QT_TRANSLATE_NOOP("NextRunsView", "surer at the best setting"),
     QT_TRANSLATE_NOOP("NextRunsView", "variance less, there")},
    {optimize::RunCriterion::Variance, QT_TRANSLATE_NOOP("NextRunsView", "surer everywhere"),
     QT_TRANSLATE_NOOP("NextRunsView", "variance less, average")},
};

const Choice& choiceOf(const QComboBox& chooser)
{
    return kChoices[std::max(0, chooser.currentIndex())];
}

QString gainText(double gain, optimize::RunCriterion criterion)
{
    return criterion == optimize::RunCriterion::Improvement
               ? QString::number(gain, 'f', 4)
               : QString::number(100.0 * gain, 'f', 1) + QStringLiteral(" %");
}

TextTable tableOf(const study::Study& study, const std::vector<optimize::NextRun>& runs, const Choice& choice)
{
    TextTable table;
    for (const study::Factor& factor : study.factors)
        table.columns.push_back({nameWithUnit(factor.name, factor.unit), {}, factor.isNumeric()});
    table.columns.push_back({NextRunsView::tr("predicted D"),
                             NextRunsView::tr("Overall desirability that the models predict there."), true});
    table.columns.push_back({NextRunsView::tr(choice.gain),
                             NextRunsView::tr("What this run adds, given the runs above it."), true});
    for (const optimize::NextRun& run : runs) {
        QStringList row;
        for (const study::Factor& factor : study.factors) {
            const study::Value& value = run.settings.at(factor.name);
            row << (factor.isNumeric() ? formatNumber(study::numberOf(value)) : valueText(factor, value));
        }
        row << desirabilityText(run.overall) << gainText(run.gain, choice.criterion);
        table.rows.push_back(row);
    }
    return table;
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
    m_table->setAccessibleName(tr("Runs worth spending next"));
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
    auto* label = new QLabel(tr("Spend more runs on"), this);
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
    m_model->setTable({});
    m_words->setText(tr("Searching for the runs worth spending …"));
    showButton();
    if (!m_answer.context)
        return;
    startSearch(
        m_job,
        [asked = m_answer, count = m_count->value(),
         criterion = choiceOf(*m_criterion).criterion](const std::stop_token& stop) {
            optimize::OptimizeOptions options;
            options.fixed = asked.locked;
            options.stop = stop;
            return optimize::nextRuns(asked.study, asked.fits(), count, criterion, options);
        },
        [this](const optimize::NextRuns& runs) { show(runs); });
}

void NextRunsView::show(const optimize::NextRuns& runs)
{
    m_runs = runs.runs;
    m_words->setText(QString::fromStdString(runs.message));
    m_model->setTable(tableOf(m_answer.study, m_runs, choiceOf(*m_criterion)));
    showButton();
}

void NextRunsView::showButton()
{
    const auto count = static_cast<int>(m_runs.size());
    m_add->setText(count == 1 ? tr("&Add 1 run")
                              : tr("&Add %1 runs").arg(count == 0 ? m_count->value() : count));
    m_add->setEnabled(count > 0 && m_answer.context && !m_answer.context->isRunning);
}

} // namespace quadric::widgets
