// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"
#include "core/report/finding.h"
#include "core/study/study.h"
#include "widgets/base/page.h"

#include <QTimer>
#include <QWidget>

class QSplitter;

namespace quadric::widgets {

/// Which views the page shows where: rows of cells with relative sizes.
struct Arrangement {
    struct Row {
        std::vector<std::string> views; ///< ids of exploreViews()
        std::vector<double> widths;     ///< as many as views; their sum does not matter
        double height = 1.0;
        bool operator==(const Row&) const = default;
    };
    std::vector<Row> rows;

    static constexpr std::size_t kMostRows = 4, kMostColumns = 4;

    bool operator==(const Arrangement&) const = default;
};

/// Pareto chart, main effects, surface, report card.
Arrangement defaultArrangement();

/// As it is kept in the study.
study::PageView writeArrangement(const Arrangement& arrangement);

/// Reads what writeArrangement() gives. Whatever is missing, unknown or too much is repaired; a page without
/// views has the default.
Arrangement readArrangement(const study::PageView& page);

class ViewCell;

/// The views of the page, arranged by the user: rows of cells with handles between them.
class ViewGrid : public QWidget {
    Q_OBJECT

public:
    explicit ViewGrid(QWidget* parent = nullptr);

    /// Keeps the views whose places stay what they are.
    void setArrangement(const Arrangement& arrangement);
    Arrangement arrangement() const;

    void showFit(const study::Study& study, const model::Fit& fit);
    /// The factors are held elsewhere, in the same study with the same fit.
    void moveSlice(const study::Study& study);
    void setPickedRuns(const PickedRuns& runs);
    /// Shows this view: in its place, or in the last one.
    void showView(const std::string& view);

signals:
    void arranged();
    void runsPicked(const quadric::widgets::PickedRuns& runs);
    void valueHeld(const QString& factor, const quadric::study::Value& value);
    void remedyRequested(const quadric::report::Finding& finding);
    void modelRequested(const QString& model);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    std::vector<ViewCell*> cells() const;
    QSplitter* rowAt(int index) const;
    QSplitter* makeRow();
    ViewCell* makeCell(const std::string& view);
    void fill(ViewCell& cell);
    void build(const Arrangement& arrangement);
    void addColumn(ViewCell* cell);
    void addRow(ViewCell* cell);
    void remove(ViewCell* cell);
    void maximize(ViewCell* cell);
    void showAll();
    void updateCellMenus();

    QSplitter* m_rows;
    ViewCell* m_maximised = nullptr;
    Arrangement m_before; ///< sizes while one view is alone: hidden cells have none
    QTimer m_settled;     ///< a drag of a handle is told when it rests
    study::Study m_study;
    model::Fit m_fit;
    PickedRuns m_picked;
};

} // namespace quadric::widgets
