// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plan/plan_session.h"

class QComboBox;
class QLabel;

namespace quadric::widgets {

class ValueSlider;

/// The links whose speed is asked for: presets, or latency and bandwidth of a file of nccl-tests, and what is
/// exchanged over them.
class LinkControls : public QWidget {
    Q_OBJECT

public:
    explicit LinkControls(QWidget* parent = nullptr);
    void showLinks(const PlanSource& source);

    /// Takes latency and bandwidth from what all_reduce_perf printed: for the links in a node where all of
    /// its ranks have room in one, otherwise for those between nodes. Returns why it cannot; empty: it did.
    QString takeNcclTests(const QString& path);

signals:
    void choicesChanged(const quadric::plan::PlanChoices& choices, const QString& what);

private:
    QComboBox* addLinks(const QString& name, const QString& tooltip, const char* objectName);
    void fillLinks(QComboBox& chooser, const std::string& chosen) const;
    void follow(QComboBox* chooser, const QString& what, std::string plan::PlanChoices::*member);
    void askForFile();

    PlanSource m_source;
    QComboBox* m_network = nullptr;
    QComboBox* m_node = nullptr;
    ValueSlider* m_bytes = nullptr;
    ValueSlider* m_batch = nullptr;
    QLabel* m_message = nullptr;
};

} // namespace quadric::widgets
