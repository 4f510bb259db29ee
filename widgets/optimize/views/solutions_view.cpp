// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/views/solutions_view.h"

#include "core/optimize/answer/rounding.h"
#include "core/optimize/next/chosen_limits.h"
#include "core/report/findings/answer_findings.h"
#include "core/report/tables/answer_tables.h"
#include "widgets/base/style.h"
#include "widgets/optimize/charts/answer_map_plot.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/text/text_table.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace quadric::widgets {

MeasuredRuns::MeasuredRuns(QWidget* parent)
    : QWidget(parent)
    , m_table(new QTableView(this))
    , m_model(new TextTableModel(this))
{
    auto* title = new QLabel(tr("Best measured runs"), this);
    title->setToolTip(tr("Runs by the overall desirability of what was measured, for comparison with the "
                         "predictions above."));
    title->setBuddy(m_table);
    setUpTable(*m_table);
    m_table->setModel(m_model);
    nameWidget(m_table, "measuredRuns", title->text());
    m_table->setTabKeyNavigation(false);
    auto* layout = marginless<QVBoxLayout>(this, 4);
    layout->addWidget(title);
    layout->addWidget(m_table, 1);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) { pick(index.row()); });
    connect(m_table, &QTableView::clicked, this, [this](const QModelIndex& index) { pick(index.row()); });
}

void MeasuredRuns::setRuns(const study::Study& study, const std::vector<optimize::MeasuredRun>& runs)
{
    const QSignalBlocker quiet(m_table->selectionModel());
    m_runs = runs;
    m_model->setTable(report::makeMeasuredTable(study, runs));
    setVisible(!runs.empty());
}

void MeasuredRuns::pick(int row)
{
    if (row >= 0 && static_cast<std::size_t>(row) < m_runs.size())
        emit picked(m_runs[static_cast<std::size_t>(row)].settings);
}

namespace {

/// Which settings may be the best, and where those begin that fail.
QString placeText(const Answer& answer)
{
    QStringList sentences;
    if (answer.region)
        sentences << QString::fromStdString(report::describeRegion(answer.study(), *answer.region));
    if (const auto boundary = report::describeBoundary(answer.study()))
        sentences << QString::fromStdString(boundary->sentence);
    return sentences.join(QLatin1Char(' '));
}

QStringList listItemData(const QComboBox& chooser)
{
    QStringList items;
    for (int i = 0; i < chooser.count(); ++i)
        items << chooser.itemData(i).toString();
    return items;
}

/// The settings of each point and what is predicted there.
QStringList tipsOf(const study::Study& study, const std::vector<optimize::FrontPoint>& front)
{
    QStringList tips;
    for (const optimize::FrontPoint& point : front) {
        QStringList lines{settingsText(study, point.settings)};
        for (const auto& [name, value] : point.responses) {
            const study::Response* response = study::findResponse(study, name);
            lines << namedValue(nameText(name), value, response ? response->unit : std::string());
        }
        tips << lines.join(QLatin1Char('\n'));
    }
    return tips;
}

/// Whether both have the same front: the same models, held factors, goals and targets.
bool hasSameFront(const Answer& a, const Answer& b)
{
    const auto isSame = [](const study::Response& x, const study::Response& y) {
        return x.name == y.name && x.goal == y.goal && x.target == y.target && x.transform == y.transform &&
               x.bounds == y.bounds;
    };
    return a.locked == b.locked && a.study().factors == b.study().factors &&
           a.study().runs == b.study().runs && a.study().model == b.study().model &&
           a.study().constraints == b.study().constraints &&
           std::ranges::equal(a.study().responses, b.study().responses, isSame);
}

/// The axis of a front plot for one response of the study.
FrontAxis frontAxis(const study::Study& study, const QString& name)
{
    const study::Response* response = study::findResponse(study, name.toStdString());
    if (response == nullptr)
        return {name.toStdString(), name};
    return {name.toStdString(), nameWithUnit(response->name, response->unit), response->goal};
}

/// The runs that have both responses, as dots over them.
std::vector<PanelDot> observedOver(const study::Study& study, const std::string& x, const std::string& y)
{
    std::vector<PanelDot> dots;
    for (const study::Run& run : study.runs) {
        const auto across = run.results.find(x), up = run.results.find(y);
        if (run.status != study::RunStatus::Done || across == run.results.end() || up == run.results.end())
            continue;
        const study::Response* xResponse = study::findResponse(study, x);
        const study::Response* yResponse = study::findResponse(study, y);
        dots.push_back({.x = across->second,
                        .y = up->second,
                        .run = run.id,
                        .tip = runTip(run.id, {namedValue(nameText(x), across->second, xResponse->unit),
                                               namedValue(nameText(y), up->second, yResponse->unit)})});
    }
    return dots;
}

/// Where the setting that is shown lies over two responses; empty where one of them has no prediction.
std::optional<QPointF> placeOnFront(const Answer& answer, const QString& x, const QString& y)
{
    const auto predicted = [&answer](const QString& name) -> std::optional<double> {
        const auto found = std::ranges::find(answer.shown.responses, name.toStdString(),
                                             &optimize::ResponseAtOptimum::response);
        return found == answer.shown.responses.end() ? std::nullopt : std::optional(found->predicted.mean);
    };
    const auto across = predicted(x);
    const auto up = predicted(y);
    return across && up ? std::optional(QPointF(*across, *up)) : std::nullopt;
}

} // namespace

SolutionsView::SolutionsView(QWidget* parent)
    : AnswerView(parent)
    , m_model(new TextTableModel(this))
    , m_table(new QTableView(this))
    , m_region(new QLabel(this))
    , m_measured(new MeasuredRuns(this))
{
    m_region->setWordWrap(true);
    m_region->setObjectName(QStringLiteral("region"));
    m_region->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_region->setToolTip(tr("A setting belongs to it unless some other setting is predicted significantly "
                            "better. Terms of the models and limits are taken as given."));
    setUpTable(*m_table);
    m_table->setModel(m_model);
    nameWidget(m_table, "solutions", tr("Solutions"));
    m_table->setTabKeyNavigation(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 8, 0, 0);
    layout->addWidget(m_region);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_measured, 1);
    connect(m_measured, &MeasuredRuns::picked, this, &SolutionsView::settingsPicked);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) { pick(index.row()); });
    connect(m_table, &QTableView::clicked, this, [this](const QModelIndex& index) { pick(index.row()); });
}

void SolutionsView::showAnswer(const Answer& answer, Change change)
{
    if (change == Change::Status)
        return;
    if (change != Change::Look) {
        const QSignalBlocker quiet(m_table->selectionModel());
        m_solutions = optimize::withRounded(answer.best);
        m_model->setTable(report::makeSolutionTable(answer.study(), m_solutions));
        m_region->setText(placeText(answer));
        m_region->setVisible(!m_region->text().isEmpty());
        m_measured->setRuns(answer.study(), optimize::findBestMeasured(answer.study(), answer.fits()));
    }
    markShown(answer);
}

/// Selects the row of the setting that is looked at, if it is one of the list.
void SolutionsView::markShown(const Answer& answer)
{
    const QSignalBlocker quiet(m_table->selectionModel());
    m_table->clearSelection();
    for (std::size_t row = 0; row < m_solutions.size(); ++row)
        if (m_solutions[row].settings == answer.settings()) {
            m_table->setCurrentIndex(m_model->index(static_cast<int>(row), 0));
            m_table->selectRow(static_cast<int>(row));
            m_table->viewport()->update();
        }
}

void SolutionsView::pick(int row)
{
    if (row >= 0 && static_cast<std::size_t>(row) < m_solutions.size())
        emit settingsPicked(m_solutions[static_cast<std::size_t>(row)].settings);
}

QStringList tradedResponses(const study::Study& study, const std::vector<model::Fit>& fits)
{
    QStringList names;
    for (const model::Fit& fit : fits) {
        const study::Response* response = study::findResponse(study, fit.response);
        if (fit.isOk() && response != nullptr && response->goal != study::Goal::None)
            names << QString::fromStdString(fit.response);
    }
    return names;
}

TradeOffView::TradeOffView(QWidget* parent)
    : AnswerView(parent)
    , m_plot(new FrontPlot(this))
{
    setPlot(m_plot);
    m_axes = new QWidget(this);
    auto* axes = marginless<QHBoxLayout>(m_axes, 8);
    m_x = addAxisChooser(*axes, tr("X axis"), this);
    m_y = addAxisChooser(*axes, tr("Y axis"), this);
    axes->addStretch(1);
    m_plot->setObjectName(QStringLiteral("front"));
    m_plot->setMinimumSize(180, 120);
    auto* layout = marginless<QVBoxLayout>(this, 4);
    layout->addWidget(m_axes);
    layout->addWidget(m_plot, 1);
    connect(m_x, &QComboBox::activated, this, &TradeOffView::showFront);
    connect(m_y, &QComboBox::activated, this, &TradeOffView::showFront);
    connect(m_plot, &FrontPlot::pointPicked, this,
            [this](int index) { emit settingsPicked(m_front.at(static_cast<std::size_t>(index)).settings); });
}

void TradeOffView::showAnswer(const Answer& answer, Change change)
{
    if (change == Change::Status)
        return;
    m_answer = answer;
    if (change >= Change::Goals && (!m_searched || !hasSameFront(*m_searched, answer))) {
        fillChoosers();
        search();
    }
    showMark();
}

void TradeOffView::choose(const AnswerSource& source)
{
    m_answer = source.answer;
    const QStringList traded = tradedResponses(m_answer.study(), m_answer.fits());
    QStringList names;
    for (const std::string& name : source.responses)
        names << QString::fromStdString(name);
    std::ranges::copy_if(names, std::back_inserter(m_further),
                         [&traded](const QString& name) { return !traded.contains(name); });
    fillChoosers();
    m_x->setCurrentIndex(m_x->findData(names.value(0)));
    m_y->setCurrentIndex(m_y->findData(names.value(1)));
}

void TradeOffView::fillChoosers()
{
    const QStringList names = tradedResponses(m_answer.study(), m_answer.fits()) + m_further;
    m_axes->setVisible(names.size() > 2);
    if (listItemData(*m_x) == names)
        return;
    for (QComboBox* chooser : {m_x, m_y}) {
        chooser->clear();
        for (const QString& name : names)
            chooser->addItem(nameText(name.toStdString()), name);
        chooser->setCurrentIndex(chooser == m_y ? std::min(1, chooser->count() - 1) : 0);
    }
}

void TradeOffView::search()
{
    m_searched = m_answer;
    if (m_x->count() < 2) {
        m_job.cancel();
        m_front.clear();
        m_plot->clear(tr("A Pareto front needs two responses with a goal and a model."));
        return;
    }
    if (m_front.empty())
        m_plot->clear(tr("Searching …"));
    startSearch(
        m_job,
        [asked = m_answer](const std::stop_token& stop) {
            optimize::OptimizeOptions options = asked.searchOptions();
            options.stop = stop;
            return optimize::tradeOffFront(asked.study(), asked.fits(), options);
        },
        [this](const std::vector<optimize::FrontPoint>& front) {
            m_front = front;
            showFront();
        });
}

void TradeOffView::showFront()
{
    if (m_front.empty()) {
        m_plot->clear(tr("No setting that can be run was found."));
        return;
    }
    m_plot->setFront(m_front, frontAxis(m_answer.study(), m_x->currentData().toString()),
                     frontAxis(m_answer.study(), m_y->currentData().toString()),
                     tipsOf(m_answer.study(), m_front));
    showMark();
}

void TradeOffView::showMark()
{
    const QString x = m_x->currentData().toString(), y = m_y->currentData().toString();
    m_plot->setSurroundings(
        {.shown = placeOnFront(m_answer, x, y),
         .overall = optimize::frontDesirability(m_answer.study(), m_answer.fits(), m_front),
         .runs = observedOver(m_answer.study(), x.toStdString(), y.toStdString())});
}

} // namespace quadric::widgets
