// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <QWidget>

#include <vector>

class QFrame;
class QToolButton;

namespace quadric::widgets {

class FactorSliders;

/// One line under a view: where the factors are held that it does not show. A click, or Space, opens sliders
/// for them.
class SliceBar : public QWidget {
    Q_OBJECT

public:
    explicit SliceBar(QWidget* parent = nullptr);

    /// `shown`: factors that need no slider, for the view goes along them. Nothing is seen where none is
    /// left.
    void setSlice(const study::Study& study, const std::vector<std::size_t>& shown = {});

signals:
    /// The user wants this factor held at this value.
    void valueHeld(const QString& factor, const quadric::study::Value& value);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void openSliders();
    void showText();

    QToolButton* m_button;
    QFrame* m_popup;
    FactorSliders* m_sliders;
    QString m_text;
};

} // namespace quadric::widgets
