// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

#include <memory>
#include <vector>

namespace quadric::widgets {

/// Live line of the step times of one run, newest on the right.
class StepTimeChart : public QWidget {
    Q_OBJECT

public:
    explicit StepTimeChart(QWidget* parent = nullptr);
    ~StepTimeChart() override;

    /// Milliseconds, oldest first; an empty list shows `hint` instead.
    void setSamples(const QString& title, const std::vector<double>& milliseconds, const QString& hint);

    static constexpr std::size_t kMostSamples = 600; ///< half a minute at the most frequent rate

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace quadric::widgets
