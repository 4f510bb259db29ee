// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/design/quality/judgment.h"
#include "widgets/plots/view_kind.h"

#include <QWidget>

class QLayout;

namespace quadric::widgets {

/// One way to look at how good a design is, on a tab beside the matrix.
class QualityView : public QWidget {
    Q_OBJECT

public:
    /// Fills the view, with an evaluation or with the reason why there is none.
    using Show = std::function<void(const Judgment&)>;
    /// `plot` is what the view draws; none for words and tables.
    QualityView(Plot* plot, Show show);

    void showJudgment(const Judgment& judgment) { m_show(judgment); }
    Plot* plot() const { return m_plot; }

    /// Puts a chooser or a text below what is there.
    void add(QLayout* row);
    void add(QWidget* content, int stretch = 1);

signals:
    /// Judge for this model (empty: the largest possible), or for effects of this size in noise standard
    /// deviations.
    void modelChosen(const QString& model);
    void effectChosen(double effectSd);

private:
    Plot* m_plot;
    Show m_show;
};

/// What the picture of a view of the page is drawn from.
struct DesignSource {
    const study::Study& study;
    const std::vector<std::string>& axes;      ///< of the cube; empty: as the window chooses them
    std::function<const Judgment&()> judgment; ///< computed when it is asked for
};

using DesignViewRow = ViewRow<QualityView, DesignSource>;

/// All views of the page: the cube, and the tabs of the quality panel in their order.
const std::vector<DesignViewRow>& designViews();

} // namespace quadric::widgets
