// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/job_source.h"

#include "core/exchange/import/job_file.h"
#include "core/plan/plan_questions.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/text/wording.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QStringList>
#include <QVBoxLayout>

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr std::size_t kKeptJobs = 500; ///< in the study
constexpr double kLowestLoad = 0.01, kHighestTypedLoad = 0.99;
constexpr int kCapacityJobs = 20'000; ///< that tell the capacity where jobs are gangs

} // namespace

JobSource::JobSource(QWidget* parent)
    : QWidget(parent)
    , m_name(new QLabel(this))
    , m_runs(linkButton(tr("Use the r&uns"), this))
    , m_message(mutedLabel({}, this))
{
    auto* read = linkButton(tr("&Jobs from a file…"), this);
    read->setObjectName(QStringLiteral("readJobs"));
    read->setToolTip(
        tr("A table with the columns seconds and, if known, gpus and submit, or what sacct --parsable2 "
           "--allocations --format=JobID,Submit,ElapsedRaw,AllocTRES prints."));
    m_runs->setObjectName(QStringLiteral("jobsOfRuns"));
    m_name->setObjectName(QStringLiteral("jobsName"));
    m_name->setWordWrap(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_name);
    column->addWidget(read, 0, Qt::AlignLeft);
    column->addWidget(m_runs, 0, Qt::AlignLeft);
    column->addWidget(m_message);
    m_message->hide();
    connect(read, &QPushButton::clicked, this, &JobSource::askForFile);
    connect(m_runs, &QPushButton::clicked, this, [this] {
        plan::PlanChoices choices = m_choices;
        choices.jobs.clear();
        choices.jobsName.clear();
        m_message->hide();
        emit choicesChanged(choices, tr("Jobs that queue"));
    });
}

void JobSource::showChoices(const plan::PlanChoices& choices)
{
    m_choices = choices;
    m_name->setText(choices.jobs.empty() ? tr("Jobs: the runs")
                                         : tr("Jobs: %1").arg(nameText(choices.jobsName)));
    m_runs->setVisible(!choices.jobs.empty());
}

void JobSource::askForFile()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Jobs that queue"), {},
                                                      tr("Tables (*.csv *.txt *.tsv);;All files (*)"));
    if (!path.isEmpty())
        takeFile(path);
}

QString JobSource::takeFile(const QString& path)
{
    QString problem;
    QStringList notes;
    try {
        const plan::JobRecords records = exchange::readJobFile(path.toStdU16String());
        plan::PlanChoices choices = m_choices;
        choices.jobs = plan::condenseJobs(records.tasks, kKeptJobs);
        choices.jobsName = tr("%1 (%2)")
                               .arg(QFileInfo(path).fileName(), formatCount(std::ssize(records.tasks), "job"))
                               .toStdString();
        choices.variation.reset();
        choices.machines = std::max(choices.machines, plan::largestGang(choices.jobs));
        if (records.skipped > 0)
            notes << tr("%1 without a time left out.").arg(formatCount(records.skipped, "row"));
        if (records.rate) {
            const double capacity =
                plan::capacityOf({{}, choices.machines, choices.jobs}, plan::drawArrivals(kCapacityJobs, 1));
            const double load = *records.rate / capacity;
            choices.load = std::clamp(load, kLowestLoad, kHighestTypedLoad);
            if (load > kHighestTypedLoad)
                notes << tr("They arrive at %1 of the capacity of %2: shown with %3.")
                             .arg(formatPercent(load, 0), formatCount(choices.machines, "machine"),
                                  formatPercent(kHighestTypedLoad, 0));
        }
        emit choicesChanged(choices, tr("Jobs that queue"));
    } catch (const std::exception& error) {
        problem = QString::fromUtf8(error.what());
    }
    m_message->setText(problem.isEmpty() ? notes.join(QLatin1Char(' ')) : problem);
    m_message->setVisible(!m_message->text().isEmpty());
    return problem;
}

} // namespace quadric::widgets
