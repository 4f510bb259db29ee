// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/study_document.h"
#include "widgets/base/banner.h"

class QPushButton;

namespace quadric::app {

/// Says across the window why the file cannot take the open study, with the ways out. Hidden while it can.
class DocumentBanner : public widgets::Banner {
    Q_OBJECT

public:
    /// `document` must outlive the banner.
    explicit DocumentBanner(StudyDocument& document, QWidget* parent = nullptr);

signals:
    void saveAsRequested();

private:
    void showTrouble();

    StudyDocument& m_document;
    QPushButton* m_keepMine;
    QPushButton* m_takeTheirs;
    QPushButton* m_saveHere;
    QPushButton* m_saveAs;
};

} // namespace quadric::app
