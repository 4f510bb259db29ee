// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/words/run_files.h"
#include "core/study/response.h"
#include "widgets/plots/view_kind.h"

#include <QLabel>
#include <QWidget>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

class QGridLayout;
class QScrollArea;

namespace quadric::run {
enum class Quantity;
}

namespace quadric::widgets {

class LiveChart;

/// A chart for each response of which a program has printed values while it ran.
class ResponseCharts {
public:
    /// `parent` owns the charts.
    explicit ResponseCharts(QWidget& parent);

    /// Makes charts for these responses, hidden ones. False where they are there.
    bool setResponses(const std::vector<study::Response>& responses);

    /// Shows the charts that have a line, and hides the others. The shown ones, in the order of the
    /// responses.
    std::vector<LiveChart*> fill(const run::RunSamples& samples,
                                 const std::vector<run::ComparedRun>& others = {});

    std::vector<LiveChart*> all() const { return m_charts; }

private:
    QWidget& m_parent;
    std::vector<study::Response> m_responses;
    std::vector<LiveChart*> m_charts; ///< one for each
};

using RunView = ViewRow<LiveChart, run::RunSamples>;

/// What is drawn over the time of a run, in the order of the page.
const std::vector<RunView>& runViews();

/// What the program prints of its responses, throughput, step time, power, clock, temperature and foreign
/// load of one run over its time. Each has a place that stays the same in all runs of a study: while a run is
/// measured, what may come has one already. What is missing at its end is named, with the reason.
class RunCharts : public QWidget {
    Q_OBJECT

public:
    explicit RunCharts(QWidget* parent = nullptr);

    /// The samples of a run, which may go on (`isLive`); `hint` is shown where there is nothing to draw.
    void setSamples(const run::RunSamples& samples, const QString& hint, bool isLive);

    /// Their lines lie behind those of the run from the next samples on.
    void setCompared(std::vector<run::ComparedRun> runs) { m_compared = std::move(runs); }

    /// Whether the program may tell of steps; one that does not speak the worker protocol has no place for
    /// them.
    void setTellsSteps(bool tellsSteps) { m_tellsSteps = tellsSteps; }

    /// Another study is open, whose runs may tell other quantities.
    void forget() { m_everTold.clear(); }

    /// The responses that a program may print values of while it runs. True where they are others than
    /// before: the samples have to be set again.
    bool setResponses(const std::vector<study::Response>& responses);

    /// False where there is nothing to draw.
    bool hasCharts() const { return !m_shown.empty(); }

    /// The charts carry the mark of simulated data.
    void setSimulated(bool isSimulated);
    void setStudyName(const QString& name); ///< of pictures of the charts

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    std::vector<LiveChart*> chartsToShow(const std::set<run::Quantity>& told, bool isLive) const;
    QString missingText(const std::set<run::Quantity>& told, bool isLive) const;
    void arrange();

    QLabel* m_hint = nullptr;
    QScrollArea* m_scroll = nullptr;
    QWidget* m_grid = nullptr;
    QGridLayout* m_cells = nullptr;
    ResponseCharts m_responses; ///< first
    std::map<run::Quantity, LiveChart*> m_charts;
    std::set<run::Quantity> m_everTold; ///< in runs of this study that were shown
    std::vector<LiveChart*> m_shown;
    std::vector<run::ComparedRun> m_compared;
    int m_columns = 0;
    bool m_tellsSteps = true;
};

} // namespace quadric::widgets
