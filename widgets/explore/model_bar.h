// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <QString>
#include <QWidget>

class QComboBox;

namespace quadric::widgets {

/// Choosers of response, model and transform in one line.
class ModelBar : public QWidget {
    Q_OBJECT

public:
    explicit ModelBar(QWidget* parent = nullptr);

    void setStudy(const study::Study& study);
    /// Index of the response shown, −1 without any.
    int response() const;
    void setResponse(int index);

signals:
    void responseChosen(int index);
    /// "linear", "interactions", "quadratic", "auto" or the formula that the study already has.
    void modelChosen(int response, const QString& model);
    void transformChosen(int response, const quadric::study::Transform& transform);

private:
    QComboBox* addChooser(const QString& label, const QString& tooltip);
    void showChoices();

    study::Study m_study;
    QComboBox* m_response = nullptr;
    QComboBox* m_model = nullptr;
    QComboBox* m_transform = nullptr;
};

} // namespace quadric::widgets
