// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/scale_dialog.h"

#include "widgets/base/theme.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace quadric::widgets {

namespace {

bool hasChoice(const study::Factor& factor)
{
    return factor.isNumeric() && factor.low > 0.0;
}

QString errorText(const std::optional<double>& error, const std::string& unit)
{
    if (!error)
        return QStringLiteral("–");
    const QString text = formatNumber(*error);
    return unit.empty() ? text : text + QLatin1Char(' ') + QString::fromStdString(unit);
}

} // namespace

ScaleDialog::ScaleDialog(study::Study study, QWidget* parent)
    : QDialog(parent)
    , m_study(std::move(study))
    , m_errors(new QTableWidget(static_cast<int>(m_study.responses.size()), 3, this))
{
    setWindowTitle(tr("Factor scales"));
    auto* caption = new QLabel(tr("Each factor has one scale in the models of all responses."), this);
    caption->setWordWrap(true);
    auto* grid = new QGridLayout;
    for (std::size_t i = 0; i < m_study.factors.size(); ++i)
        addFactor(*grid, i);
    m_errors->setObjectName(QStringLiteral("errors"));
    m_errors->setAccessibleName(tr("Prediction error before and after"));
    m_errors->setHorizontalHeaderLabels({tr("Response"), tr("Error now"), tr("Error with these scales")});
    m_errors->verticalHeader()->hide();
    m_errors->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_errors->setSelectionMode(QAbstractItemView::NoSelection);
    m_errors->setTabKeyNavigation(false);
    auto* note = new QLabel(
        tr("Root mean squared error for settings left out of the fit, with terms reduced by AICc."), this);
    note->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_accept = buttons->addButton(tr("Use these scales"), QDialogButtonBox::AcceptRole);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(caption);
    layout->addLayout(grid);
    layout->addWidget(m_errors, 1);
    layout->addWidget(note);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    if (const auto first =
            std::ranges::find_if(m_choices, [](const QComboBox* each) { return each != nullptr; });
        first != m_choices.end())
        (*first)->setFocus();
    resize(sizeHint().expandedTo(QSize(520, 420)));
    compare();
}

void ScaleDialog::addFactor(QGridLayout& grid, std::size_t index)
{
    const study::Factor& factor = m_study.factors[index];
    m_choices.push_back(nullptr);
    if (!hasChoice(factor))
        return;
    auto* choice = new QComboBox(this);
    choice->addItems({tr("linear"), tr("log₂")});
    choice->setCurrentIndex(factor.scale == study::Scale::Log2 ? 1 : 0);
    choice->setObjectName(QString::fromStdString(factor.name));
    choice->setAccessibleName(tr("Scale of %1").arg(nameText(factor.name)));
    auto* caption = new QLabel(nameText(factor.name), this);
    caption->setBuddy(choice);
    const int row = grid.rowCount();
    grid.addWidget(caption, row, 0);
    grid.addWidget(choice, row, 1);
    grid.setColumnStretch(2, 1);
    m_choices.back() = choice;
    connect(choice, &QComboBox::currentIndexChanged, this, &ScaleDialog::compare);
}

std::vector<study::Factor> ScaleDialog::factors() const
{
    std::vector<study::Factor> chosen = m_study.factors;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        if (m_choices[i])
            chosen[i].scale = m_choices[i]->currentIndex() == 1 ? study::Scale::Log2 : study::Scale::Linear;
    }
    return chosen;
}

void ScaleDialog::compare()
{
    study::Study after = m_study;
    after.factors = factors();
    m_accept->setEnabled(after.factors != m_study.factors);
    m_job.start(
        [before = m_study, after](const std::stop_token&) { return model::compareScales(before, after); },
        [this](const std::vector<model::ScaleChange>& changes) { show(changes); });
}

void ScaleDialog::show(const std::vector<model::ScaleChange>& changes)
{
    for (std::size_t i = 0; i < changes.size(); ++i) {
        const model::ScaleChange& change = changes[i];
        const int row = static_cast<int>(i);
        m_errors->setItem(row, 0, new QTableWidgetItem(nameText(change.response)));
        m_errors->setItem(row, 1, new QTableWidgetItem(errorText(change.before, change.unit)));
        m_errors->setItem(row, 2, new QTableWidgetItem(errorText(change.after, change.unit)));
    }
    m_errors->resizeColumnsToContents();
}

} // namespace quadric::widgets
