// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/views/contour_values.h"

#include "widgets/base/theme.h"
#include "widgets/base/typed_number.h"
#include "widgets/optimize/session/steady_label.h"
#include "widgets/plots/panel/panel_look.h"
#include "widgets/text/wording.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QPainter>
#include <QSignalBlocker>
#include <QSlider>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr int kSteps = 400; ///< of a slider over the response's range

/// The line of a response as the map has it.
class LineSample : public QWidget {
public:
    LineSample(int response, QWidget* parent)
        : QWidget(parent)
        , m_response(response)
    {
        setFixedSize(18, 12);
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setPen(QPen(responseColor(m_response, plotStyle(*this, false)), 2.2));
        painter.drawLine(QPointF(0.0, height() / 2.0), QPointF(width(), height() / 2.0));
    }

private:
    int m_response;
};

bool isSameResponse(const ContourResponse& a, const ContourResponse& b)
{
    return a.name == b.name && a.unit == b.unit && a.low == b.low && a.high == b.high;
}

int positionOf(const ContourResponse& response, double value)
{
    const double share = (value - response.low) / (response.high - response.low);
    return static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * kSteps));
}

} // namespace

ContourValues::ContourValues(QWidget* parent)
    : QScrollArea(parent)
{
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Contour values"));
}

void ContourValues::setResponses(const std::vector<ContourResponse>& responses)
{
    const bool isSame = std::ranges::equal(responses, m_responses, isSameResponse);
    m_responses = responses;
    if (!isSame)
        makeRows();
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        showRow(i);
}

std::vector<double> ContourValues::values() const
{
    std::vector<double> values;
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        values.push_back(valueOf(i));
    return values;
}

double ContourValues::valueOf(std::size_t index) const
{
    return m_rows[index].value.value_or(m_responses[index].predicted);
}

void ContourValues::makeRows()
{
    auto* rows = new QWidget;
    auto* grid = new QGridLayout(rows);
    grid->setContentsMargins(0, 0, 8, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(2);
    grid->setColumnStretch(1, 1);
    m_rows.clear();
    for (std::size_t i = 0; i < m_responses.size(); ++i)
        m_rows.push_back(makeRow(*grid, i));
    grid->setRowStretch(2 * static_cast<int>(m_responses.size()), 1);
    setWidget(rows); // takes the old ones away
}

/// Sample and name, and below them slider, value and what fixes it.
ContourValues::Row ContourValues::makeRow(QGridLayout& grid, std::size_t index)
{
    const ContourResponse& response = m_responses[index];
    const QString name = nameText(response.name);
    auto* label = new SteadyLabel;
    label->setText(nameWithUnit(response.name, response.unit));
    auto* fixed = new QCheckBox(tr("fix"));
    Row row{new QSlider(Qt::Horizontal), new QLineEdit, fixed, {}};
    fixed->setAccessibleName(tr("Fix the contour of %1").arg(name));
    fixed->setToolTip(tr("Keep this value; otherwise the contour follows the crosshair."));
    row.slider->setRange(0, kSteps);
    row.slider->setPageStep(kSteps / 10);
    row.slider->setMinimumWidth(64);
    row.slider->setAccessibleName(tr("Contour of %1").arg(name));
    row.slider->setObjectName(QStringLiteral("contour:") + name);
    row.typed->setAccessibleName(tr("Value of the contour of %1").arg(name));
    row.typed->setObjectName(QStringLiteral("contourValue:") + name);
    row.typed->setFixedWidth(row.typed->fontMetrics().horizontalAdvance(QStringLiteral("−00 000.00")));
    const int line = 2 * static_cast<int>(index);
    grid.addWidget(new LineSample(static_cast<int>(index), nullptr), line, 0);
    grid.addWidget(label, line, 1);
    grid.addWidget(fixed, line, 2);
    grid.addWidget(row.slider, line + 1, 0, 1, 2);
    grid.addWidget(row.typed, line + 1, 2);
    connect(row.slider, &QSlider::valueChanged, this, [this, index](int position) {
        const ContourResponse& moved = m_responses[index];
        fix(index, std::lerp(moved.low, moved.high, static_cast<double>(position) / kSteps));
    });
    connect(row.typed, &QLineEdit::editingFinished, this, [this, index] { takeTyped(index); });
    connect(fixed, &QCheckBox::toggled, this, [this, index](bool isFixed) {
        fix(index, isFixed ? std::optional(valueOf(index)) : std::nullopt);
    });
    return row;
}

void ContourValues::showRow(std::size_t index)
{
    const Row& row = m_rows[index];
    const ContourResponse& response = m_responses[index];
    const QSignalBlocker quietSlider(row.slider), quietFixed(row.fixed);
    const double value = valueOf(index);
    if (!row.slider->isSliderDown())
        row.slider->setValue(positionOf(response, value));
    row.fixed->setChecked(row.value.has_value());
    if (!row.typed->hasFocus() || !row.typed->isModified())
        row.typed->setText(formatNumber(value, (response.high - response.low) / kSteps));
}

void ContourValues::fix(std::size_t index, std::optional<double> value)
{
    m_rows[index].value = value;
    m_rows[index].typed->setModified(false);
    showRow(index);
    emit changed();
}

/// What is no number leaves the value as it was.
void ContourValues::takeTyped(std::size_t index)
{
    QLineEdit& typed = *m_rows[index].typed;
    if (!typed.isModified())
        return;
    typed.setModified(false);
    if (const std::optional<double> value = typedNumber(typed.text()))
        fix(index, value);
    else
        showRow(index);
}

} // namespace quadric::widgets
