// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/forms/launcher_form.h"

#include "widgets/base/style.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QRegularExpressionValidator>
#include <QSpinBox>
#include <QVBoxLayout>

namespace quadric::widgets {

namespace {

enum Place { Here, Cluster };

constexpr int kMostCount = 9999;
constexpr int kByItself = -1; ///< GPUs per rank: decided from the factor that is bound to ranks

QWidget* field(const QString& label, QWidget* editor)
{
    auto* box = new QWidget;
    auto* layout = marginless<QVBoxLayout>(box);
    layout->setSpacing(kGap / 2);
    auto* text = new QLabel(label);
    text->setBuddy(editor);
    layout->addWidget(text);
    layout->addWidget(editor);
    return box;
}

/// What cannot be read of where runs are executed.
std::string findLauncherProblem(const study::Benchmark& benchmark)
{
    const std::string launcher = study::findProblem(benchmark, "launcher");
    return launcher.empty() ? study::findProblem(benchmark, "slurm") : launcher;
}

void setText(QLineEdit* edit, const std::string& text)
{
    if (edit->text().toStdString() != text)
        edit->setText(QString::fromStdString(text));
}

} // namespace

LauncherForm::LauncherForm(QWidget* parent)
    : QWidget(parent)
    , m_launcher(new QComboBox)
    , m_note(mutedLabel({}))
    , m_partition(new QLineEdit)
    , m_account(new QLineEdit)
    , m_ranksPerNode(new QSpinBox)
    , m_gpusPerRank(new QSpinBox)
    , m_mostJobs(new QSpinBox)
    , m_jobFields(makeJobFields())
{
    m_launcher->addItems({tr("This machine"), tr("A Slurm cluster, one job per run")});
    nameWidget(m_launcher, "launcher", tr("Where runs are executed"));
    auto* choice = new QHBoxLayout;
    choice->setSpacing(kPageMargin);
    auto* label = new QLabel(tr("Run &on"));
    label->setBuddy(m_launcher);
    choice->addWidget(label);
    choice->addWidget(m_launcher);
    choice->addWidget(m_note, 1);
    auto* layout = marginless<QVBoxLayout>(this, kGap);
    layout->addLayout(choice);
    layout->addWidget(m_jobFields);
    connect(m_launcher, &QComboBox::activated, this, &LauncherForm::commitLauncherFields);
}

QWidget* LauncherForm::makeJobFields()
{
    const QRegularExpression word(QStringLiteral("[A-Za-z0-9_.,+-]*"));
    for (QLineEdit* edit : {m_partition, m_account}) {
        edit->setValidator(new QRegularExpressionValidator(word, edit));
        connect(edit, &QLineEdit::textEdited, this, &LauncherForm::commitLauncherFields);
    }
    m_partition->setPlaceholderText(tr("(cluster default)"));
    m_account->setPlaceholderText(tr("(your default)"));
    m_ranksPerNode->setRange(1, kMostCount);
    m_gpusPerRank->setRange(kByItself, kMostCount);
    m_gpusPerRank->setSpecialValueText(tr("from the factor"));
    m_gpusPerRank->setToolTip(tr("1 where the factor bound to ranks has the unit GPUs, otherwise none"));
    m_mostJobs->setRange(1, kMostCount);
    for (QSpinBox* box : {m_ranksPerNode, m_gpusPerRank, m_mostJobs})
        connect(box, &QSpinBox::valueChanged, this, &LauncherForm::commitLauncherFields);
    nameWidget(m_partition, "slurmPartition", tr("Partition"));
    nameWidget(m_account, "slurmAccount", tr("Account"));
    nameWidget(m_ranksPerNode, "slurmRanksPerNode", tr("Ranks per node"));
    nameWidget(m_gpusPerRank, "slurmGpusPerRank", tr("GPUs per rank"));
    nameWidget(m_mostJobs, "slurmMostJobs", tr("Jobs in the queue at most"));
    auto* fields = new QWidget;
    auto* layout = marginless<QHBoxLayout>(fields, kPageMargin);
    layout->addWidget(field(tr("&Partition"), m_partition), 1);
    layout->addWidget(field(tr("&Account"), m_account), 1);
    layout->addWidget(field(tr("Ranks per &node"), m_ranksPerNode));
    layout->addWidget(field(tr("&GPUs per rank"), m_gpusPerRank));
    layout->addWidget(field(tr("&Jobs at once"), m_mostJobs));
    return fields;
}

void LauncherForm::setStudy(const study::Study& study)
{
    m_isShowing = true;
    m_study = study;
    const study::SlurmOptions& options = study.benchmark.slurm;
    m_launcher->setCurrentIndex(study.benchmark.launcher == study::LauncherKind::Slurm ? Cluster : Here);
    setText(m_partition, options.partition);
    setText(m_account, options.account);
    m_ranksPerNode->setValue(options.ranksPerNode);
    m_gpusPerRank->setValue(options.gpusPerRank.value_or(kByItself));
    m_mostJobs->setValue(options.mostJobs);
    showJobFields();
    const std::string problem = findLauncherProblem(study.benchmark);
    setEnabled(problem.empty());
    if (!problem.empty()) // written by another hand: nothing of it is overwritten
        m_note->setText(QString::fromStdString(problem));
    m_isShowing = false;
}

void LauncherForm::showJobFields()
{
    const bool isCluster = m_launcher->currentIndex() == Cluster;
    m_jobFields->setVisible(isCluster);
    m_note->setText(isCluster
                        ? tr("Start Quadric where jobs can be submitted, with the study in a folder that "
                             "all nodes see.")
                        : QString());
}

void LauncherForm::commitLauncherFields()
{
    if (m_isShowing)
        return;
    study::SlurmOptions& options = m_study.benchmark.slurm;
    options.partition = m_partition->text().toStdString();
    options.account = m_account->text().toStdString();
    options.ranksPerNode = m_ranksPerNode->value();
    options.gpusPerRank.reset();
    if (m_gpusPerRank->value() != kByItself)
        options.gpusPerRank = m_gpusPerRank->value();
    options.mostJobs = m_mostJobs->value();
    const bool isCluster = m_launcher->currentIndex() == Cluster;
    m_study.benchmark.launcher = isCluster ? study::LauncherKind::Slurm : study::LauncherKind::Local;
    showJobFields();
    emit edited(m_study);
}

} // namespace quadric::widgets
