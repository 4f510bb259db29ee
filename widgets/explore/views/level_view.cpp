// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/views/level_view.h"

#include "core/report/tables/level_table.h"
#include "widgets/base/labeled_chooser.h"
#include "widgets/explore/views/explore_views.h"
#include "widgets/plots/level_plot.h"
#include "widgets/text/text_table_model.h"
#include "widgets/text/translate.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QTableView>
#include <QVBoxLayout>

namespace quadric::widgets {

namespace {

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

View* makeLevelView()
{
    return new LevelView;
}

} // namespace

ExploreView levelRow()
{
    return {{"by-level", tr("Observed values by level"), "explore", ViewSubject::Response, 1},
            &makeLevelView,
            &drawLevels};
}

LevelView::LevelView()
    : LevelView(new LevelPlot)
{
}

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
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
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

} // namespace quadric::widgets
