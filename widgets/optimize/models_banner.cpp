// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/models_banner.h"

#include "core/report/findings/model_advice.h"

#include <QLabel>
#include <QPushButton>

namespace quadric::widgets {

ModelsBanner::ModelsBanner(QWidget* parent)
    : Banner(parent)
{
    setObjectName(QStringLiteral("otherModels"));
    label()->setObjectName(QStringLiteral("otherModelsText"));
    setTone(Tone::Warning, QStringLiteral("▲"));
    QPushButton* use = addButton("useRecommendedModels", tr("&Use recommended models"));
    use->setToolTip(
        tr("Changes transforms and factor scales of all responses in one step that can be undone."));
    connect(use, &QPushButton::clicked, this, &ModelsBanner::accepted);
    hide();
}

void ModelsBanner::showAdvice(const StudyContext& context)
{
    const std::string advice = report::describeAdvice(context.fits, context.scales);
    setWords(QString::fromStdString(advice));
    setVisible(!advice.empty());
}

} // namespace quadric::widgets
