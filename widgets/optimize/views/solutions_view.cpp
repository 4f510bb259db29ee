// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/views/solutions_view.h"

#include "core/optimize/answer/rounding.h"
#include "core/optimize/next/runs_limit.h"
#include "core/report/findings/feasibility_findings.h"
#include "core/report/tables/answer_tables.h"
#include "core/report/tables/place_tables.h"
#include "widgets/optimize/views/measured_runs.h"
#include "widgets/text/text_table_model.h"

#include <QLabel>
#include <QSignalBlocker>
#include <QTableView>
#include <QVBoxLayout>

namespace quadric::widgets {

namespace {

/// Which settings may be the best, and where those begin that fail.
QString placeText(const Answer& answer)
{
    QStringList sentences;
    if (answer.region)
        sentences << QString::fromStdString(report::describeRegion(answer.study(), *answer.region));
    const double asked = optimize::leastRunsProbabilityOf(answer.study());
    if (const auto boundary = report::describeBoundary(answer.study(), asked))
        sentences << QString::fromStdString(boundary->sentence);
    return sentences.join(QLatin1Char(' '));
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
    m_table->setObjectName(QStringLiteral("solutions"));
    m_table->setAccessibleName(tr("Solutions"));
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

} // namespace quadric::widgets
