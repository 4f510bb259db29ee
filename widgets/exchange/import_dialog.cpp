// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/exchange/import_dialog.h"

#include "widgets/base/style.h"
#include "widgets/base/window_size.h"
#include "widgets/exchange/import_summary.h"

#include <QHBoxLayout>

namespace quadric::widgets {

namespace {

constexpr QSize kImportSize(960, 720);

} // namespace

ImportDialog::ImportDialog(const QString& name, QWidget* parent)
    : QDialog(parent)
    , m_choices(new QVBoxLayout)
    , m_summary(new ImportSummary)
{
    setObjectName(QStringLiteral("importDialog"));
    setWindowTitle(tr("Import %1").arg(name));
    resizeWithinScreen(*this, kImportSize);
    m_choices->setSpacing(kGroupGap);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPageMargin, kPageMargin, kPageMargin, kGroupGap);
    layout->setSpacing(kGroupGap);
    layout->addWidget(titleLabel(name));
    layout->addLayout(m_choices);
    layout->addWidget(m_summary);
    layout->addLayout(buildButtons());
}

QLayout* ImportDialog::buildButtons()
{
    auto* cancel = quietButton(tr("&Cancel"));
    m_import = primaryButton(tr("&Import"));
    nameWidget(cancel, "cancelImport", tr("Cancel"));
    nameWidget(m_import, "import", tr("Import"));
    m_import->setDefault(true);
    m_import->setEnabled(false);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_import, &QPushButton::clicked, this, &QDialog::accept);
    auto* row = new QHBoxLayout;
    row->setSpacing(kGap);
    row->addStretch();
    row->addWidget(cancel);
    row->addWidget(m_import);
    return row;
}

void ImportDialog::offerResults()
{
    auto* folder = quietButton(tr("Folder with &results…"));
    nameWidget(folder, "resultsFolder", tr("Choose the folder with the result files"));
    connect(folder, &QPushButton::clicked, this, &ImportDialog::resultsFolderWanted);
    auto* row = new QHBoxLayout;
    row->setSpacing(kGroupGap);
    row->addWidget(folder, 0, Qt::AlignTop);
    row->addWidget(mutedLabel(tr("Each result file is bound to the run whose settings it records, never by "
                                 "its number.")),
                   1);
    m_choices->addLayout(row);
}

void ImportDialog::setOutcome(const ImportOutcome& outcome)
{
    m_outcome = outcome;
    m_summary->setOutcome(outcome);
    m_import->setEnabled(outcome.study.has_value());
}

void ImportDialog::setBusy()
{
    m_import->setEnabled(false);
}

} // namespace quadric::widgets
