// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/term.h"
#include "core/model/fit/reduce.h"
#include "core/model/predict/curves.h"
#include "core/model/predict/factor_effects.h"
#include "core/model/select/term_choice.h"
#include "core/report/tables/run_tables.h"
#include "widgets/base/style.h"
#include "widgets/explore/views/slice_view.h"
#include "widgets/plots/effect_plots.h"
#include "widgets/plots/interaction_matrix.h"
#include "widgets/text/text_table.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>

namespace quadric::widgets {

namespace {

constexpr std::size_t kMostPanels = 4;  ///< of pairs that are not chosen one by one
constexpr int kPanelWidth = 160;        ///< pixels that a panel of them should have
constexpr std::size_t kMostFactors = 8; ///< along each side of the matrix
constexpr int kMatrixPoints = 21;       ///< of a curve in it

const QString kShown = QStringLiteral("shown");
const QString kAll = QStringLiteral("all");

QString factorPairKey(std::size_t first, std::size_t second)
{
    return QStringLiteral("%1×%2").arg(std::min(first, second)).arg(std::max(first, second));
}

void showMatrix(InteractionMatrix& matrix, const study::Study& study, const model::Fit& fit,
                const study::CodedPoint& at)
{
    if (!fit.isOk())
        return matrix.clear(QString::fromStdString(fit.message));
    const std::vector<std::size_t> factors = leadingFactors(fit, kMostFactors);
    std::vector<std::vector<model::InteractionPlot>> cells;
    for (const std::size_t row : factors)
        for (auto& line = cells.emplace_back(); const std::size_t column : factors)
            line.push_back(model::interactionPlot(fit, study, column, row, at, kMatrixPoints));
    std::vector<model::FactorPair> pairs;
    for (model::FactorPair pair : model::rankPairs(fit)) {
        const auto first = std::ranges::find(factors, pair.first);
        const auto second = std::ranges::find(factors, pair.second);
        if (first == factors.end() || second == factors.end())
            continue;
        pair.first = static_cast<std::size_t>(first - factors.begin());
        pair.second = static_cast<std::size_t>(second - factors.begin());
        pairs.push_back(pair);
    }
    matrix.setCells(std::move(cells), pairs);
}

/// The matrix as a view of its own.
class InteractionProfiler : public SliceView {
public:
    InteractionProfiler()
        : InteractionProfiler(new InteractionMatrix)
    {
    }

protected:
    void showSlice(const study::CodedPoint& at) override { showMatrix(*m_matrix, study(), fit(), at); }

private:
    explicit InteractionProfiler(InteractionMatrix* matrix)
        : SliceView(matrix)
        , m_matrix(matrix)
    {
    }

    InteractionMatrix* m_matrix;
};

/// Interactions: the pairs of factors that matter, or one that is chosen, each in a panel of its own; or all
/// of them as a matrix.
class InteractionView : public SliceView {
public:
    InteractionView()
        : InteractionView(new InteractionPlot)
    {
    }
    void setAxes(const std::vector<std::size_t>& factors) override;

protected:
    void prepareFit() override { m_room = 0; }
    void showSlice(const study::CodedPoint& at) override;
    std::vector<std::size_t> shownFactors() const override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    explicit InteractionView(InteractionPlot* panels);
    void fillChooser();
    void addPair(const model::FactorPair& pair);
    void choose(std::size_t first, std::size_t second);
    std::size_t mostPanels() const;
    void fitPanels();
    std::vector<model::FactorPair> chosenPairs() const;
    void showPlot(bool isMatrix);

    QComboBox* m_chooser = nullptr;
    InteractionPlot* m_panels;
    InteractionMatrix* m_matrix;
    std::size_t m_room = 0; ///< panels that the choice was made for; 0: it is yet to be made
};

InteractionView::InteractionView(InteractionPlot* panels)
    : SliceView(panels)
    , m_panels(panels)
    , m_matrix(new InteractionMatrix(this))
{
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    m_chooser = addLabeledChooser(*row, tr("Pairs"), this);
    row->addStretch();
    m_chooser->setObjectName(QStringLiteral("pair"));
    m_chooser->setToolTip(tr("Which interactions are shown, the strongest first; ● marks significant ones."));
    column().insertLayout(0, row);
    column().insertWidget(1, m_matrix, 1);
    m_matrix->hide();
    connect(m_matrix, &Plot::runsPicked, this, &View::runsPicked);
    connect(m_matrix, &InteractionMatrix::pairPicked, this, &InteractionView::choose);
    connect(m_chooser, &QComboBox::activated, this, &InteractionView::refresh);
}

/// The choice is kept while there is such a pair.
void InteractionView::fillChooser()
{
    const QSignalBlocker quiet(m_chooser);
    const QString chosen = m_chooser->currentData().toString();
    const std::vector<model::FactorPair> pairs = model::rankPairs(fit());
    m_chooser->clear();
    const auto significant = std::ranges::count_if(pairs, &model::FactorPair::isSignificant);
    const bool hasAll = pairs.size() <= mostPanels();
    const bool isCut = !hasAll && significant > static_cast<std::ptrdiff_t>(mostPanels());
    m_chooser->addItem(hasAll  ? tr("All pairs")
                       : isCut ? tr("Strongest %1 of %2 significant pairs").arg(mostPanels()).arg(significant)
                               : tr("Significant pairs"),
                       kShown);
    m_chooser->addItem(tr("All pairs as a matrix"), kAll);
    for (const model::FactorPair& pair : pairs)
        addPair(pair);
    m_chooser->setCurrentIndex(std::max(0, m_chooser->findData(chosen)));
}

void InteractionView::addPair(const model::FactorPair& pair)
{
    const QString name = tr("%1 × %2").arg(nameText(fit().factors[pair.first].name),
                                           nameText(fit().factors[pair.second].name));
    m_chooser->addItem(pair.isSignificant() ? QStringLiteral("● ") + name : name,
                       factorPairKey(pair.first, pair.second));
    m_chooser->setItemData(m_chooser->count() - 1,
                           pair.isSignificant() ? tr("The interaction is significant.")
                                                : tr("The interaction is not significant."),
                           Qt::ToolTipRole);
}

void InteractionView::setAxes(const std::vector<std::size_t>& factors)
{
    if (factors.size() == 2)
        choose(factors[0], factors[1]);
}

void InteractionView::choose(std::size_t first, std::size_t second)
{
    const int index = m_chooser->findData(factorPairKey(first, second));
    if (index < 0)
        return;
    m_chooser->setCurrentIndex(index);
    refresh();
}

std::vector<model::FactorPair> InteractionView::chosenPairs() const
{
    const QString chosen = m_chooser->currentData().toString();
    for (const model::FactorPair& pair : model::rankPairs(fit()))
        if (factorPairKey(pair.first, pair.second) == chosen)
            return {pair};
    return model::pairsToShow(fit(), mostPanels());
}

/// As many as are legible beside each other on the screen; pictures have room for all.
std::size_t InteractionView::mostPanels() const
{
    return isVisible() ? static_cast<std::size_t>(std::clamp(width() / kPanelWidth, 1, int(kMostPanels)))
                       : kMostPanels;
}

void InteractionView::resizeEvent(QResizeEvent* event)
{
    SliceView::resizeEvent(event);
    fitPanels();
}

void InteractionView::showEvent(QShowEvent* event)
{
    SliceView::showEvent(event);
    fitPanels();
}

void InteractionView::fitPanels()
{
    if (m_room > 0 && mostPanels() != m_room)
        refresh();
}

/// What is held beside one pair; several need all factors.
std::vector<std::size_t> InteractionView::shownFactors() const
{
    const bool isMatrix = m_chooser->currentData().toString() == kAll;
    const std::vector<model::FactorPair> pairs = isMatrix ? std::vector<model::FactorPair>{} : chosenPairs();
    return pairs.size() == 1 ? std::vector<std::size_t>{pairs.front().first, pairs.front().second}
                             : std::vector<std::size_t>{};
}

/// Copy, save and help are those of the plot that is seen.
void InteractionView::showPlot(bool isMatrix)
{
    m_panels->setVisible(!isMatrix);
    m_matrix->setVisible(isMatrix);
    setPlot(isMatrix ? static_cast<Plot*>(m_matrix) : m_panels);
}

void InteractionView::showSlice(const study::CodedPoint& at)
{
    if (m_room != mostPanels()) {
        m_room = mostPanels();
        fillChooser();
    }
    const bool isMatrix = m_chooser->currentData().toString() == kAll;
    showPlot(isMatrix);
    plot()->setSimulated(study::hasSimulatedResults(study()));
    if (isMatrix)
        return showMatrix(*m_matrix, study(), fit(), at);
    if (!fit().isOk())
        return m_panels->clear(message());
    std::vector<model::InteractionPlot> shown;
    for (const model::FactorPair& pair : chosenPairs())
        shown.push_back(model::interactionPlot(fit(), study(), pair.first, pair.second, at));
    m_panels->setPairs(shown);
}

constexpr int kAllFactors = -1;

/// The observed values along one factor (−1: each); none where the settings of a run cannot be coded.
std::vector<model::LevelSummary> levelsAlong(const study::Study& study, const std::string& name, int factor)
{
    const study::Response* response = study::findResponse(study, name);
    try {
        if (factor == kAllFactors || response == nullptr)
            return model::summarizeLevels(study, name);
        return {model::summarizeLevels(study, *response, static_cast<std::size_t>(factor))};
    } catch (const std::invalid_argument&) {
        return {};
    }
}

std::shared_ptr<Plot> drawLevels(const ModelSource& source)
{
    const int factor = source.axes.empty() ? kAllFactors : static_cast<int>(source.axes.front());
    auto plot = std::make_shared<LevelPlot>();
    plot->setLevels(levelsAlong(source.study, source.fit.response, factor));
    return plot;
}

/// Observed values at the levels of one factor, or of all: a box plot, and a table of numbers under it.
class LevelView : public View {
public:
    LevelView()
        : LevelView(new LevelPlot)
    {
    }
    /// Shows the runs whether or not they have a model.
    void showFit(const study::Study& study, const model::Fit& fit) override;

private:
    explicit LevelView(LevelPlot* plot);
    void fillChooser();
    void refresh();

    LevelPlot* m_plot;
    QComboBox* m_factor = nullptr;
    QTableView* m_table = nullptr;
    QLabel* m_note = nullptr;
    TextTableModel* m_model = nullptr;
    study::Study m_study;
    std::string m_response;
};

LevelView::LevelView(LevelPlot* plot)
    : View(plot)
    , m_plot(plot)
    , m_table(new QTableView)
    , m_note(new QLabel)
    , m_model(new TextTableModel(this))
{
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    m_factor = addLabeledChooser(*row, tr("Factor"), this);
    m_factor->setObjectName(QStringLiteral("levelFactor"));
    row->addStretch(1);
    setUpTable(*m_table);
    m_table->setModel(m_model);
    m_table->setTabKeyNavigation(false);
    m_table->setAccessibleName(tr("Observed values by level"));
    m_note->setWordWrap(true);
    m_note->setEnabled(false);
    auto* layout = marginless<QVBoxLayout>(this, 4);
    layout->addLayout(row);
    layout->addWidget(m_plot, 3);
    layout->addWidget(m_table, 2);
    layout->addWidget(m_note);
    connect(m_factor, &QComboBox::activated, this, &LevelView::refresh);
}

void LevelView::showFit(const study::Study& study, const model::Fit& fit)
{
    m_study = study;
    m_response = fit.response;
    m_plot->setSimulated(study::hasSimulatedResults(study));
    m_plot->setSource({nameText(study.name), {nameText(fit.response)}});
    fillChooser();
    refresh();
}

/// The choice is kept while the factors stay the same.
void LevelView::fillChooser()
{
    QStringList names;
    for (const study::Factor& factor : m_study.factors)
        names << nameText(factor.name);
    names << tr("All factors");
    QStringList shown;
    for (int i = 0; i < m_factor->count(); ++i)
        shown << m_factor->itemText(i);
    if (shown == names)
        return;
    const QSignalBlocker quiet(m_factor);
    m_factor->clear();
    for (qsizetype i = 0; i < names.size(); ++i)
        m_factor->addItem(names[i], i + 1 < names.size() ? static_cast<int>(i) : kAllFactors);
}

void LevelView::refresh()
{
    const auto levels = levelsAlong(m_study, m_response, m_factor->currentData().toInt());
    m_plot->setLevels(levels);
    const TextTable table = typeset(report::makeLevelTable(levels));
    m_model->setTable(table);
    m_table->setVisible(!table.rows.empty());
    m_note->setText(table.note);
    m_note->setVisible(!table.rows.empty());
}

/// The model of a fit without a term and those that contain it.
QString formulaWithout(const model::Fit& fit, const std::string& name)
{
    const auto term = std::ranges::find(
        fit.terms, name, [&fit](const model::Term& each) { return model::nameOf(each, fit.factors); });
    return term == fit.terms.end()
               ? QString()
               : QString::fromStdString(model::formulaOf(model::withoutTerm(fit.terms, *term), fit.factors));
}

View* makeParetoView()
{
    auto* plot = new ParetoChart;
    const auto shown = std::make_shared<model::Fit>();
    auto* view = new PlotView(plot, [plot, shown](const study::Study&, const model::Fit& fit) {
        *shown = fit;
        plot->setFit(fit);
    });
    QObject::connect(plot, &ParetoChart::dropRequested, view, [view, shown](const QString& term) {
        if (const QString formula = formulaWithout(*shown, term.toStdString()); !formula.isEmpty())
            emit view->modelRequested(formula);
    });
    return view;
}

View* makeHalfNormalView()
{
    auto* plot = new HalfNormalPlot;
    return new PlotView(plot, [plot](const study::Study&, const model::Fit& fit) {
        if (!fit.isOk())
            return plot->clear(QString::fromStdString(fit.message));
        const bool isTransformed = fit.transform.kind != study::TransformKind::None;
        plot->setPoints(model::halfNormalPlot(fit), nameText(fit.response),
                        isTransformed ? std::string() : fit.unit);
    });
}

} // namespace

ExploreView levelRow()
{
    return {{"by-level", tr("Observed values by level"), "explore", ViewSubject::Response, 1},
            &makeView<LevelView>,
            &drawLevels};
}

std::vector<ExploreView> effectViews()
{
    return {plotRow("pareto", tr("Pareto chart of effects"), &makeParetoView),
            plotRow("half-normal", tr("Half-normal plot"), &makeHalfNormalView),
            plotRow("main-effects", tr("Main effects"), &makeMainEffectsView),
            plotRow("interactions", tr("Interactions"), &makeView<InteractionView>, 2, true),
            plotRow("interaction-profiler", tr("Interaction profiler"), &makeView<InteractionProfiler>),
            plotRow("perturbation", tr("Perturbation"), &makePerturbationView),
            levelRow()};
}

} // namespace quadric::widgets
