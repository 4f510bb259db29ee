// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <QWidget>

class QComboBox;

namespace quadric::widgets {

/// Where the speed of one rank comes from, to which the scaling efficiency is related. Hidden for studies
/// that do not ask for it.
class BaselineChooser : public QWidget {
    Q_OBJECT

public:
    explicit BaselineChooser(QWidget* parent = nullptr);
    void setStudy(const study::Study& study);

    /// The mode that is shown, in one sentence.
    QString sentence() const;

signals:
    void modeChosen(quadric::study::BaselineMode mode);

private:
    QComboBox* m_mode = nullptr;
};

/// Of a change to this mode, for undo: "Shared baselines".
QString labelOf(study::BaselineMode mode);

} // namespace quadric::widgets
