// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <QWidget>

#include <map>
#include <optional>

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLineEdit;
class QSpinBox;

namespace quadric::widgets {

/// What can be chosen about a design of one type: center runs, replicates, blocks and order of every type,
/// and what only this one has.
class DesignOptions : public QWidget {
    Q_OBJECT

public:
    explicit DesignOptions(QWidget* parent = nullptr);

    /// Shows the specification of this study; what is being typed and means the same is left alone.
    void setStudy(const study::Study& study);

signals:
    void specEdited(const quadric::study::DesignSpec& spec);

private:
    void buildCommon();
    void buildSpecial();
    QSpinBox* addNumber(const QString& name, const char* objectName, int least, int most,
                        const QString& explanation);
    QLineEdit* addText(const QString& name, const char* objectName, const QString& explanation);
    QComboBox* addChoice(const QString& name, const char* objectName, const QString& explanation);
    void addBox(const QString& name, QWidget* editor, const QString& explanation);
    void layOutBoxes(const std::string& type);
    void commitDesignOptions();

    study::Study m_study;
    QGridLayout* m_grid;
    std::vector<std::pair<QWidget*, QWidget*>> m_boxes; ///< editor and the box with its caption
    QSpinBox *m_centerRuns = nullptr, *m_replicates = nullptr, *m_blocks = nullptr, *m_seed = nullptr,
             *m_runs = nullptr;
    QCheckBox* m_randomize = nullptr;
    QComboBox *m_alpha = nullptr, *m_resolution = nullptr, *m_model = nullptr, *m_digits = nullptr;
    QLineEdit *m_generators = nullptr, *m_levels = nullptr;
    bool m_isShowing = true; ///< what changes is not the user; so until there is a study
};

/// "3, 2, 4": the number of levels of each factor; and the reverse, nothing for anything else.
QString levelsText(const study::Study& study);

} // namespace quadric::widgets
