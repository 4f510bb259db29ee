// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/comparison_view.h"

#include "core/report/tables/design_tables.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/design/quality/fds_plot.h"
#include "widgets/design/quality/quality_panel.h"
#include "widgets/design/words.h"
#include "widgets/plots/scene/design_cube.h"
#include "widgets/text/text_table_model.h"
#include "widgets/text/wording.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QSplitter>
#include <QTableView>

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr int kLeastTable = 380, kMostTable = 560; ///< pixels: names and both columns of numbers

} // namespace

JudgedDesign judgedDesign(const QString& name, const study::Study& study, const JudgmentOptions& options)
{
    design::Evaluation evaluation = evaluated(study, options);
    return {QStringLiteral("%1 (%2)").arg(name, formatCount(evaluation.runs, "run")), study,
            std::move(evaluation)};
}

TextTable comparisonTable(const JudgedDesign& first, const JudgedDesign& second)
{
    return typeset(report::makeComparisonTable(first.name.toStdString(), second.name.toStdString(),
                                               design::compare(first.evaluation, second.evaluation)));
}

ComparisonView::ComparisonView(QWidget* parent)
    : QWidget(parent)
    , m_fds(new FdsPlot)
    , m_numbers(new TextTableModel(this))
    , m_table(new QTableView)
{
    m_table->setModel(m_numbers);
    setUpTable(*m_table);
    m_table->setMinimumWidth(kLeastTable);
    nameWidget(m_table, "comparisonTable", tr("Numbers of both designs"));
    auto* left = new QSplitter(Qt::Vertical);
    left->setChildrenCollapsible(false);
    left->setHandleWidth(kGap);
    left->addWidget(buildCubes());
    left->addWidget(m_fds);
    auto* columns = new QSplitter(Qt::Horizontal);
    columns->setChildrenCollapsible(false);
    columns->setHandleWidth(kGroupGap);
    columns->addWidget(left);
    columns->addWidget(m_table);
    columns->setStretchFactor(0, 1);
    columns->setStretchFactor(1, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(columns);
}

QWidget* ComparisonView::buildCubes()
{
    auto* box = new QWidget;
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kGap);
    for (size_t i = 0; i < m_cubes.size(); ++i) {
        m_cubes[i] = new DesignCube;
        m_names[i] = new QLabel;
        m_names[i]->setAlignment(Qt::AlignCenter);
        auto* column = new QVBoxLayout;
        column->setSpacing(kGap / 2);
        column->addWidget(m_names[i]);
        column->addWidget(m_cubes[i], 1);
        row->addLayout(column, 1);
    }
    return box;
}

void ComparisonView::setDesigns(const JudgedDesign& first, const JudgedDesign& second)
{
    const std::array designs = {&first, &second};
    std::vector<FdsCurve> curves;
    for (size_t i = 0; i < m_cubes.size(); ++i) {
        m_cubes[i]->setStudy(designs[i]->study);
        m_names[i]->setText(designs[i]->name);
        curves.push_back({designs[i]->name, designs[i]->evaluation.fds});
    }
    m_fds->setCurves(std::move(curves));
    m_numbers->setTable(comparisonTable(first, second));
    QHeaderView& header = *m_table->horizontalHeader();
    header.setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->setMinimumWidth(
        std::clamp(header.length() + 2 * m_table->frameWidth(), kLeastTable, kMostTable));
    header.setSectionResizeMode(0, QHeaderView::Stretch); // the numbers stay in sight
}

} // namespace quadric::widgets
