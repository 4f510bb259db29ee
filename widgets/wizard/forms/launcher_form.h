// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace quadric::widgets {

/// Where runs are executed: on this machine, or as jobs of a Slurm cluster with the options that most
/// clusters want. Options without a field here stay as they are in the study.
class LauncherForm : public QWidget {
    Q_OBJECT

public:
    explicit LauncherForm(QWidget* parent = nullptr);
    void setStudy(const study::Study& study);

signals:
    void edited(const quadric::study::Study& study);

private:
    QWidget* makeJobFields();
    void showJobFields();
    void commitLauncherFields();

    study::Study m_study;
    QComboBox* m_launcher;
    QLabel* m_note;
    QLineEdit* m_partition;
    QLineEdit* m_account;
    QSpinBox* m_ranksPerNode;
    QSpinBox* m_gpusPerRank;
    QSpinBox* m_mostJobs;
    QWidget* m_jobFields;
    bool m_isShowing = false;
};

} // namespace quadric::widgets
