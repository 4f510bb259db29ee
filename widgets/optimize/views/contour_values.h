// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>

#include <optional>
#include <string>
#include <vector>

class QAbstractButton;
class QGridLayout;
class QLineEdit;
class QSlider;

namespace quadric::widgets {

/// A response whose contour is drawn: the range that its slider has and its prediction at the setting that is
/// looked at.
struct ContourResponse {
    std::string name, unit;
    double low = 0.0, high = 1.0;
    double predicted = 0.0;
};

/// A row per response with the value of its contour, by slider or typed. The value is the prediction, and
/// follows it, until the user fixes another one.
class ContourValues : public QScrollArea {
    Q_OBJECT

public:
    explicit ContourValues(QWidget* parent = nullptr);

    /// Values that were fixed stay while the responses are the same.
    void setResponses(const std::vector<ContourResponse>& responses);
    /// In the order of the responses.
    std::vector<double> values() const;

signals:
    void changed();

private:
    struct Row {
        QSlider* slider = nullptr;
        QLineEdit* typed = nullptr;
        QAbstractButton* fixed = nullptr;
        std::optional<double> value; ///< that the user fixed
    };
    void makeRows();
    Row makeRow(QGridLayout& grid, std::size_t index);
    double valueOf(std::size_t index) const;
    void showRow(std::size_t index);
    void fix(std::size_t index, std::optional<double> value);
    void takeTyped(std::size_t index);

    std::vector<ContourResponse> m_responses;
    std::vector<Row> m_rows;
};

} // namespace quadric::widgets
