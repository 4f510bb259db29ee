// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"
#include "core/report/finding.h"
#include "widgets/base/page.h"

#include <QWidget>

class QComboBox;
class QToolButton;
class QVBoxLayout;

namespace quadric::widgets {

class View;

/// A place of the grid: a view under a header with its chooser and its menu.
class ViewCell : public QWidget {
    Q_OBJECT

public:
    explicit ViewCell(const std::string& view, QWidget* parent = nullptr);

    const std::string& view() const { return m_name; }
    void setView(const std::string& name);

    void showFit(const study::Study& study, const model::Fit& fit);
    /// The factors are held elsewhere, in the same study with the same fit.
    void moveSlice(const study::Study& study);
    void setPickedRuns(const PickedRuns& runs);
    void setMaximised(bool isMaximised);
    /// What is below the header.
    View* shown() const { return m_view; }

    /// What the menu offers for the arrangement.
    struct Room {
        bool forColumn = true, forRow = true, toRemove = true;
    };
    void setRoom(const Room& room) { m_room = room; }

signals:
    /// Another view was chosen; it needs showFit().
    void viewChosen();
    void runsPicked(const quadric::widgets::PickedRuns& runs);
    void valueHeld(const QString& factor, const quadric::study::Value& value);
    void remedyRequested(const quadric::report::Finding& finding);
    void modelRequested(const QString& model);
    void maximiseRequested();
    void columnRequested();
    void rowRequested();
    void removeRequested();

protected:
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    QWidget* makeHeader();
    void fillMenu();

    std::string m_name;
    Room m_room;
    QVBoxLayout* m_layout;
    QWidget* m_header = nullptr;
    QComboBox* m_chooser = nullptr;
    QToolButton* m_more = nullptr;
    QToolButton* m_maximise = nullptr;
    View* m_view = nullptr;
};

} // namespace quadric::widgets
