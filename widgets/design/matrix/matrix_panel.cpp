// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/matrix/matrix_panel.h"

#include "widgets/base/style.h"

#include <QComboBox>
#include <QHBoxLayout>

namespace quadric::widgets {

MatrixPanel::MatrixPanel(QWidget* parent)
    : QWidget(parent)
    , m_model(new RunMatrixModel(this))
    , m_view(new RunMatrixView(*m_model))
    , m_units(new QComboBox)
{
    nameWidget(m_view, "runMatrix", tr("Matrix of runs"));
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGap);
    layout->addLayout(buildTools());
    layout->addWidget(m_view, 1);
}

QHBoxLayout* MatrixPanel::buildTools()
{
    nameWidget(m_units, "settingUnits", tr("Units of the settings"));
    m_units->addItem(tr("actual values"));
    m_units->addItem(tr("coded values"));
    m_units->addItem(tr("actual and coded"));
    m_units->setToolTip(tr(
        "Coded values run from −1 at the low to +1 at the high end of each factor, on the factor's scale."));
    connect(m_units, &QComboBox::currentIndexChanged, this,
            [this](int index) { m_model->setUnits(static_cast<SettingUnits>(index)); });
    auto* caption = new QLabel(tr("Sho&w"));
    caption->setBuddy(m_units);
    auto* copy = quietButton(tr("C&opy"));
    m_paste = quietButton(tr("&Paste"));
    nameWidget(copy, "copyMatrix", tr("Copy the matrix"));
    nameWidget(m_paste, "pasteMatrix", tr("Paste into the matrix"));
    copy->setToolTip(
        tr("Copies the selected runs, or all of them, with headings. Ctrl+C copies the selected cells."));
    m_paste->setToolTip(tr("Takes results from a spreadsheet: with headings by name and run number, without "
                           "headings from the current cell on."));
    connect(copy, &QPushButton::clicked, m_view, &RunMatrixView::copyRuns);
    connect(m_paste, &QPushButton::clicked, m_view, &RunMatrixView::paste);
    auto* row = new QHBoxLayout;
    row->setSpacing(kGap);
    row->addWidget(caption);
    row->addWidget(m_units);
    row->addStretch();
    row->addWidget(copy);
    row->addWidget(m_paste);
    return row;
}

void MatrixPanel::setStudy(const study::Study& study, MatrixEdits edits)
{
    m_model->setStudy(study, edits);
    m_paste->setEnabled(edits.results || edits.settings);
}

} // namespace quadric::widgets
