// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/views/interaction_view.h"

#include "core/model/predict/curves.h"
#include "widgets/base/labeled_chooser.h"
#include "widgets/plots/interaction_matrix.h"
#include "widgets/plots/interaction_plot.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr std::size_t kMostPanels = 4;  ///< of pairs that are not chosen one by one
constexpr int kPanelWidth = 160;        ///< pixels that a panel of them should have
constexpr std::size_t kMostFactors = 8; ///< along each side of the matrix
constexpr int kMatrixPoints = 21;       ///< of a curve in it

const QString kShown = QStringLiteral("shown");
const QString kAll = QStringLiteral("all");

QString keyOf(std::size_t first, std::size_t second)
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

} // namespace

InteractionView::InteractionView()
    : InteractionView(new InteractionPlot)
{
}

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
                       keyOf(pair.first, pair.second));
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
    const int index = m_chooser->findData(keyOf(first, second));
    if (index < 0)
        return;
    m_chooser->setCurrentIndex(index);
    refresh();
}

std::vector<model::FactorPair> InteractionView::chosenPairs() const
{
    const QString chosen = m_chooser->currentData().toString();
    for (const model::FactorPair& pair : model::rankPairs(fit()))
        if (keyOf(pair.first, pair.second) == chosen)
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

View* makeInteractionProfiler()
{
    return new InteractionProfiler;
}

View* makeInteractionView()
{
    return new InteractionView;
}

} // namespace quadric::widgets
