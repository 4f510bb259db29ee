// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/model_bar.h"

#include "widgets/text/wording.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>

#include <algorithm>

namespace quadric::widgets {

namespace {

/// Selects the item with this data, adding it when the list does not have it (a formula, a Box–Cox power).
void select(QComboBox& chooser, const QString& data, const QString& text)
{
    int index = chooser.findData(data);
    if (index < 0) {
        chooser.addItem(text, data);
        index = chooser.count() - 1;
    }
    chooser.setCurrentIndex(index);
}

void fillModels(QComboBox& chooser)
{
    chooser.clear();
    chooser.addItem(ModelBar::tr("automatic"), QStringLiteral("auto"));
    chooser.addItem(ModelBar::tr("linear"), QStringLiteral("linear"));
    chooser.addItem(ModelBar::tr("with interactions"), QStringLiteral("interactions"));
    chooser.addItem(ModelBar::tr("quadratic"), QStringLiteral("quadratic"));
}

void fillTransforms(QComboBox& chooser)
{
    chooser.clear();
    chooser.addItem(ModelBar::tr("none"), QStringLiteral("none"));
    chooser.addItem(ModelBar::tr("logarithm"), QStringLiteral("log"));
    chooser.addItem(ModelBar::tr("square root"), QStringLiteral("sqrt"));
    chooser.addItem(ModelBar::tr("inverse"), QStringLiteral("inverse"));
}

} // namespace

ModelBar::ModelBar(QWidget* parent)
    : QWidget(parent)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    m_response = addChooser(tr("&Response"), tr("The measured quantity that this page is about."));
    m_model = addChooser(tr("&Model"), tr("Which terms the fitted polynomial may have."));
    m_transform = addChooser(tr("&Transform"), tr("What is done to the values before the model is fitted."));
    layout->addStretch(1);
    connect(m_response, &QComboBox::activated, this, [this](int index) {
        showChoices();
        emit responseChosen(index);
    });
    connect(m_model, &QComboBox::activated, this,
            [this] { emit modelChosen(response(), m_model->currentData().toString()); });
    connect(m_transform, &QComboBox::activated, this, [this] {
        if (const auto chosen = study::transformFrom(m_transform->currentData().toString().toStdString()))
            emit transformChosen(response(), *chosen);
    });
}

QComboBox* ModelBar::addChooser(const QString& label, const QString& tooltip)
{
    auto* chooser = new QComboBox(this);
    auto* caption = new QLabel(label, this);
    caption->setBuddy(chooser);
    chooser->setToolTip(tooltip);
    chooser->setAccessibleName(QString(label).remove(QLatin1Char('&')));
    chooser->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    layout()->addWidget(caption);
    layout()->addWidget(chooser);
    return chooser;
}

void ModelBar::setStudy(const study::Study& study)
{
    const int shown = response();
    m_study = study;
    m_response->clear();
    for (const study::Response& each : study.responses)
        m_response->addItem(nameText(each.name));
    setResponse(std::clamp(shown, 0, std::max(0, m_response->count() - 1)));
}

int ModelBar::response() const
{
    return m_response->currentIndex();
}

void ModelBar::setResponse(int index)
{
    if (index < 0 || index >= m_response->count())
        return;
    m_response->setCurrentIndex(index);
    showChoices();
}

void ModelBar::showChoices()
{
    fillModels(*m_model);
    fillTransforms(*m_transform);
    const auto index = static_cast<std::size_t>(std::max(0, response()));
    if (index >= m_study.responses.size())
        return;
    const study::Response& shown = m_study.responses[index];
    const auto chosen = m_study.model.find(shown.name);
    const QString model =
        chosen == m_study.model.end() ? QStringLiteral("quadratic") : QString::fromStdString(chosen->second);
    select(*m_model, model, model);
    const QString transform = QString::fromStdString(study::nameOf(shown.transform));
    select(*m_transform, transform, transform);
}

} // namespace quadric::widgets
