// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/views/opinion_view.h"

#include "core/plan/words/comparison_tables.h"
#include "core/study/factor.h"
#include "core/study/shown_study.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/text/text_table.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

namespace quadric::widgets {

namespace {

constexpr int kPanelColumns = 3;

QString rivalName(const plan::RivalScore& score)
{
    return fromUtf8(plan::wordsOf(score.rival));
}

AxisScale commonScale(const plan::Opinion& opinion)
{
    std::vector<double> values = opinion.observed;
    for (const plan::RivalScore& score : opinion.scores)
        values.insert(values.end(), score.predicted.begin(), score.predicted.end());
    return scaleOver(values, false, 0.05);
}

Panel rivalPanel(const plan::Opinion& opinion, const plan::RivalScore& score, const AxisScale& scale)
{
    Panel panel;
    panel.title = rivalName(score);
    panel.note = OpinionPlot::tr("MAE %1").arg(formatNumber(score.mae));
    panel.x = {OpinionPlot::tr("observed"), scale};
    panel.y = {OpinionPlot::tr("predicted, left out"), scale};
    panel.lines.push_back(straightLine(scale.low, scale.low, scale.high, scale.high, LineRole::Reference));
    for (std::size_t row = 0; row < opinion.runs.size(); ++row)
        panel.dots.push_back(
            {.x = opinion.observed[row],
             .y = score.predicted[row],
             .run = opinion.runs[row],
             .tip = runTip(opinion.runs[row],
                           {namedValue(OpinionPlot::tr("observed"), opinion.observed[row], opinion.unit),
                            namedValue(OpinionPlot::tr("predicted"), score.predicted[row], opinion.unit)})});
    return panel;
}

/// What one model says along one factor.
model::EffectCurve dependenceCurve(const plan::Opinion& opinion, const model::Fit& fit, std::size_t factor,
                                   std::size_t rival)
{
    const study::Coding coding(fit.factors);
    const study::Factor& along = fit.factors[factor];
    const plan::PartialDependence& dependence = opinion.dependence[factor];
    model::EffectCurve curve;
    curve.factor = along.name;
    curve.unit = along.unit;
    curve.response = opinion.response;
    curve.responseUnit = opinion.unit;
    curve.isLog2 = along.scale == study::Scale::Log2;
    curve.categories = along.categories;
    curve.mean = dependence.means[rival];
    for (const double coded : dependence.coded)
        curve.actual.push_back(coding.toActual(factor, coded));
    curve.isExtrapolation.assign(curve.actual.size(), false);
    return curve;
}

/// Places of the scores that have something to say, in their order.
std::vector<std::size_t> usableScores(const plan::Opinion& opinion)
{
    std::vector<std::size_t> usable;
    for (std::size_t rival = 0; rival < opinion.scores.size(); ++rival)
        if (opinion.scores[rival].isOk() && !opinion.dependence.empty() &&
            !opinion.dependence.front().means[rival].empty())
            usable.push_back(rival);
    return usable;
}

TextTable dependenceTable(const plan::Opinion& opinion, const model::Fit& fit,
                          const std::vector<std::size_t>& rivals)
{
    TextTable table;
    table.caption = OpinionPlot::tr("Partial dependence of %1").arg(nameText(opinion.response));
    table.columns = {{OpinionPlot::tr("Factor"), {}, false}, {OpinionPlot::tr("Value"), {}, true}};
    for (const std::size_t rival : rivals)
        table.columns.push_back({rivalName(opinion.scores[rival]), {}, true});
    for (std::size_t factor = 0; factor < opinion.dependence.size(); ++factor) {
        const model::EffectCurve curve = dependenceCurve(opinion, fit, factor, rivals.front());
        for (std::size_t i = 0; i < curve.actual.size(); ++i) {
            QStringList row{nameText(curve.factor), curve.categories.empty() ? formatNumber(curve.actual[i])
                                                                             : nameText(curve.categories[i])};
            for (const std::size_t rival : rivals)
                row << formatNumber(opinion.dependence[factor].means[rival][i]);
            table.rows.push_back(row);
        }
    }
    return table;
}

Panel dependencePanel(const plan::Opinion& opinion, const model::Fit& fit, std::size_t factor,
                      const std::vector<std::size_t>& rivals, const AxisScale& scale)
{
    Panel panel;
    panel.x = factorAxis(dependenceCurve(opinion, fit, factor, rivals.front()));
    panel.y = {nameWithUnit(opinion.response, opinion.unit), scale};
    for (const std::size_t rival : rivals)
        addCurve(panel, dependenceCurve(opinion, fit, factor, rival), static_cast<int>(rival));
    return panel;
}

/// What the chooser offers, in its order.
enum class OpinionPart { Predictions, Dependence, Tables };

constexpr int kRoomForVerdict = 18; ///< height from which it stands below a figure, in lines of text

/// A picture has the predictions; it waits for them.
std::shared_ptr<Plot> drawOpinion(const ModelSource& source)
{
    auto plot = std::make_shared<OpinionPlot>();
    plot->setPredictions(plan::secondOpinion(source.study, source.fit));
    return plot;
}

QTableView* opinionTable(TextTableModel* model, const QString& name)
{
    auto* table = new QTableView;
    setUpTable(*table);
    table->setModel(model);
    table->setTabKeyNavigation(false);
    table->setAccessibleName(name);
    return table;
}

} // namespace

OpinionPlot::OpinionPlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Predictions of other kinds of models"));
    clear(tr("No model to compare with."));
}

void OpinionPlot::setPredictions(const plan::Opinion& opinion)
{
    if (!opinion.isOk())
        return clear(QString::fromStdString(opinion.message));
    const AxisScale scale = commonScale(opinion);
    PanelBoard board;
    board.title = nameWithUnit(opinion.response, opinion.unit);
    board.columns = kPanelColumns;
    board.sharesY = true;
    for (const plan::RivalScore& score : opinion.scores)
        if (score.isOk())
            board.panels.push_back(rivalPanel(opinion, score, scale));
    board.legend = {{LegendEntry::Sample::Dot, tr("run left out")},
                    {.sample = LegendEntry::Sample::Line,
                     .text = tr("predicted = observed"),
                     .line = LineRole::Reference}};
    board.table = typeset(plan::makeOpinionTable(opinion));
    setBoard(std::move(board));
}

void OpinionPlot::setDependence(const plan::Opinion& opinion, const model::Fit& fit)
{
    if (!opinion.isOk())
        return clear(QString::fromStdString(opinion.message));
    const std::vector<std::size_t> rivals = usableScores(opinion);
    if (rivals.empty())
        return clear(tr("No model to compare with."));
    std::vector<model::EffectCurve> curves;
    for (std::size_t factor = 0; factor < opinion.dependence.size(); ++factor)
        for (const std::size_t rival : rivals)
            curves.push_back(dependenceCurve(opinion, fit, factor, rival));
    PanelBoard board;
    board.sharesY = true;
    for (std::size_t factor = 0; factor < opinion.dependence.size(); ++factor)
        board.panels.push_back(dependencePanel(opinion, fit, factor, rivals, responseScale(curves)));
    for (const std::size_t rival : rivals)
        board.legend.push_back({.sample = LegendEntry::Sample::Line,
                                .text = rivalName(opinion.scores[rival]),
                                .category = static_cast<int>(rival)});
    board.table = dependenceTable(opinion, fit, rivals);
    setBoard(std::move(board));
}

ExploreView opinionRow()
{
    return {{"opinion", tr("Second opinion"), "explore", ViewSubject::Response},
            &makeView<OpinionView>,
            &drawOpinion};
}

OpinionView::OpinionView()
    : OpinionView(new OpinionPlot)
{
}

OpinionView::OpinionView(OpinionPlot* plot)
    : View(plot)
    , m_plot(plot)
    , m_verdict(new QLabel)
    , m_stack(new QStackedWidget)
    , m_errors(new TextTableModel(this))
    , m_importance(new TextTableModel(this))
{
    m_verdict->setObjectName(QStringLiteral("opinionVerdict"));
    m_verdict->setWordWrap(true);
    m_verdict->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    m_shown = addLabeledChooser(*row, tr("Show"), this);
    m_shown->setObjectName(QStringLiteral("opinionShown"));
    m_shown->addItems({tr("Predictions"), tr("Partial dependence"), tr("Verdict and errors")});
    row->addStretch(1);
    m_stack->addWidget(plot);
    m_stack->addWidget(makeTables());
    auto* layout = marginless<QVBoxLayout>(this, 4);
    layout->addLayout(row);
    layout->addWidget(m_stack, 1);
    layout->addWidget(m_verdict);
    connect(m_shown, &QComboBox::activated, this, &OpinionView::refresh);
}

OpinionView::~OpinionView() = default;

QWidget* OpinionView::makeTables()
{
    auto* tables = new QWidget;
    auto* layout = marginless<QVBoxLayout>(tables, 4);
    layout->addWidget(opinionTable(m_errors, tr("Errors at runs left out")), 1);
    layout->addWidget(opinionTable(m_importance, tr("Importance of the factors")), 1);
    return tables;
}

/// What was trained is kept while nothing but the arrangement of the pages changes.
void OpinionView::showFit(const study::Study& study, const model::Fit& fit)
{
    const bool isSame = m_fit.isOk() && fit.isOk() && m_fit.response == fit.response &&
                        study::differInViewOnly(m_study, study);
    m_study = study;
    m_fit = fit;
    m_plot->setSimulated(study::hasSimulatedResults(study));
    m_plot->setSource({nameText(study.name), {nameText(fit.response)}});
    if (fit.isOk() && !isSame)
        return train();
    if (!fit.isOk()) {
        m_job.cancel();
        m_opinion = plan::secondOpinion(study, fit); // which says why there is none
    }
    refresh();
}

void OpinionView::train()
{
    m_opinion = {};
    m_opinion.message = tr("Training six kinds of models …").toStdString();
    refresh();
    m_job.start([study = m_study, fit = m_fit](
                    const std::stop_token& stop) { return plan::secondOpinion(study, fit, {.stop = stop}); },
                [this](const plan::Opinion& opinion) {
                    m_opinion = opinion;
                    refresh();
                });
}

/// In a low place it stands with the tables only: a figure would have no room left.
void OpinionView::showVerdict()
{
    const bool hasRoom = height() >= kRoomForVerdict * fontMetrics().height();
    m_verdict->setVisible(m_opinion.isOk() && (hasRoom || m_stack->currentIndex() == 1));
}

void OpinionView::resizeEvent(QResizeEvent* event)
{
    View::resizeEvent(event);
    showVerdict();
}

void OpinionView::refresh()
{
    const auto part = static_cast<OpinionPart>(m_shown->currentIndex());
    const bool showsTables = part == OpinionPart::Tables && m_opinion.isOk();
    m_stack->setCurrentIndex(showsTables ? 1 : 0);
    if (part == OpinionPart::Dependence)
        m_plot->setDependence(m_opinion, m_fit);
    else
        m_plot->setPredictions(m_opinion);
    const QString verdict =
        m_opinion.isOk() ? QString::fromStdString(plan::describeOpinion(m_opinion)) : QString();
    m_verdict->setText(verdict);
    m_shown->setToolTip(verdict);
    showVerdict();
    if (!m_opinion.isOk())
        return;
    m_errors->setTable(plan::makeOpinionTable(m_opinion));
    m_importance->setTable(plan::makeImportanceTable(m_opinion, m_fit.factors));
}

} // namespace quadric::widgets
