// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/desirability.h"
#include "widgets/plots/base/plot.h"

#include <memory>

namespace quadric::widgets {

/// One cell of the prediction profiler: a response (or the overall desirability) along one factor, the others
/// at the current setting.
struct ProfilerCell {
    model::EffectCurve curve;
    double current = 0.0; ///< actual value of the factor now (categorical: index of the level)
    std::vector<double> desirability = {}; ///< of the row's response at the curve's points; may be empty
    /// Values that the arrow keys stop at and, of the first row, that get dots; empty: all.
    std::vector<double> legal = {};
    bool isDesirability = false; ///< of the last row: its number is a share
};

/// What a row shows at least: the range of its response that is worth seeing.
struct ProfilerRange {
    double low = 0.0, high = 0.0;
    bool operator==(const ProfilerRange&) const = default;
};

/// Rows: responses and, last, overall desirability; columns: factors.
struct ProfilerData {
    std::vector<std::vector<ProfilerCell>> cells;
    std::vector<std::string> currentTexts;     ///< per factor, under its column
    std::vector<bool> isLocked = {};           ///< per factor; empty: no padlocks
    std::vector<ProfilerRange> rowRanges = {}; ///< per row; empty: what the curves need
    /// Per factor what can be typed for it; empty: whatever lies on its axis.
    std::vector<study::Factor> factors = {};
    /// Per factor the stretches of its axis that are shaded; empty: none.
    std::vector<std::vector<ProfilerRange>> shaded = {};
    /// Per factor the stretches of its axis that a constraint forbids; empty: none.
    std::vector<std::vector<ProfilerRange>> infeasible = {};
    /// Per factor the stretches of its axis where runs fail more often than not; empty: none.
    std::vector<std::vector<ProfilerRange>> failing = {};
};

/// Prediction profiler: curves with bands and, at the foot of each cell, the desirability of its response; a
/// red line per factor that is dragged, stepped with the arrow keys, or whose value is typed in its place
/// after a double click or Return; a padlock per factor, toggled by click or with L. While the same rows are
/// shown, their axes grow when they have to and otherwise stand still, so that the curves are seen to move.
class Profiler : public Plot, public PlotHandles {
    Q_OBJECT

public:
    explicit Profiler(QWidget* parent = nullptr);
    ~Profiler() override;
    void setData(const ProfilerData& data);
    void clear(const QString& reason);
    void paintTo(QPainter& painter, const QRectF& target, bool forPrint) override;
    TextTable table() const override;

    std::vector<PlotHandle> handles() const override;
    int focusedHandle() const override;
    void moveHandle(int handle, double value) override;

signals:
    /// The user moved the red line of this factor (index of the column) to an actual value.
    void valueRequested(int factor, double actual);
    /// The user wants this factor held where it is, or let go.
    void lockToggled(int factor);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    void askValue(int column);
    void handleKey(QKeyEvent* event);

    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

/// What a desirability curve shows beside its limits: the prediction and its interval.
struct CurveMark {
    CurveMark(double predicted, std::optional<model::Interval> around = {})
        : value(predicted)
        , interval(around)
    {
    }
    double value = 0.0;
    std::optional<model::Interval> interval;
};

/// Desirability of one response over its value. Limits, target and exponents are handles: dragged, stepped
/// with the arrow keys (Up and Down choose the handle), or typed after a double click or Return. The
/// prediction is a mark with its interval.
class DesirabilityCurve : public Plot, public PlotHandles {
    Q_OBJECT

public:
    explicit DesirabilityCurve(QWidget* parent = nullptr);
    ~DesirabilityCurve() override;
    void setDesirability(const optimize::Desirability& desirability, std::optional<CurveMark> predicted);
    void paintTo(QPainter& painter, const QRectF& target, bool forPrint) override;
    QSize sizeHint() const override;

    std::vector<PlotHandle> handles() const override;
    int focusedHandle() const override;
    void moveHandle(int handle, double value) override;

signals:
    void limitsRequested(double low, double target, double high);
    /// Exponents of the rising and of the falling side.
    void shapesRequested(double below, double above);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    void requestValue(double value, bool isExact = false);
    void askValue();

    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace quadric::widgets
