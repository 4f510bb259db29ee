// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/quality_panel.h"

#include "core/design/largest_model.h"
#include "widgets/design/alias_view.h"
#include "widgets/design/correlation_map.h"
#include "widgets/design/fds_plot.h"
#include "widgets/design/labels.h"
#include "widgets/design/power_bars.h"
#include "widgets/design/quality_card.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QTabWidget>

namespace quadric::widgets {

namespace {

QScrollArea* scrolled(QWidget* content)
{
    auto* scroll = new QScrollArea;
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    return scroll;
}

QHBoxLayout* labelled(const QString& caption, QWidget* editor)
{
    auto* label = new QLabel(caption);
    label->setBuddy(editor);
    auto* row = new QHBoxLayout;
    row->setSpacing(kGap);
    row->addWidget(label);
    row->addWidget(editor);
    row->addStretch();
    return row;
}

QWidget* page(QVBoxLayout*& layout)
{
    auto* box = new QWidget;
    layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, kGap, 0, 0);
    layout->setSpacing(kGap);
    return box;
}

} // namespace

design::Evaluation evaluated(const study::Study& study, const JudgementOptions& options)
{
    design::EvaluateOptions asked;
    asked.effectSd = options.effectSd;
    return design::evaluate(study, options.model.empty() ? design::largestModel(study) : options.model,
                            asked);
}

Judgement judge(const study::Study& study, const JudgementOptions& options)
{
    try {
        return {evaluated(study, options), {}};
    } catch (const std::exception& error) {
        return {std::nullopt, QString::fromStdString(error.what())};
    }
}

QualityPanel::QualityPanel(QWidget* parent)
    : QWidget(parent)
    , m_tabs(new QTabWidget)
    , m_model(new QComboBox)
    , m_card(new QualityCard)
    , m_power(new PowerBars)
    , m_effect(new QDoubleSpinBox)
    , m_fds(new FdsPlot)
    , m_fdsWords(mutedLabel({}))
    , m_correlations(new CorrelationMap)
    , m_aliases(new AliasView)
{
    nameWidget(m_tabs, "qualityTabs", tr("Quality of the design"));
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(buildQuality(), tr("Quality"));
    m_tabs->addTab(buildPower(), tr("Power"));
    m_tabs->addTab(buildPrediction(), tr("Error"));
    m_tabs->addTab(m_correlations, tr("Overlap"));
    m_tabs->addTab(m_aliases, tr("Aliases"));
    const QString explanations[] = {
        tr("The numbers that judge a design, and what was checked."),
        tr("The chance to find an effect of a given size, term by term."),
        tr("How large the error of a prediction is, over what part of the region."),
        tr("How much the terms of the model overlap: 0 is independent, 1 cannot be told apart."),
        tr("Which effects cannot be kept apart from those of the model.")};
    for (int tab = 0; tab < m_tabs->count(); ++tab)
        m_tabs->setTabToolTip(tab, explanations[tab]);
    m_tabs->setUsesScrollButtons(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_tabs);
}

QWidget* QualityPanel::buildQuality()
{
    nameWidget(m_model, "judgedModel", tr("Model that the design is judged for"));
    m_model->addItem(tr("largest possible"), QString());
    for (const char* model : {"linear", "interactions", "quadratic"})
        m_model->addItem(QLatin1String(model), QLatin1String(model));
    m_model->setToolTip(tr("The polynomial that these runs are judged for."));
    connect(m_model, &QComboBox::currentIndexChanged, this, [this] {
        m_options.model = m_model->currentData().toString().toStdString();
        judgeAgain();
    });
    QVBoxLayout* layout = nullptr;
    QWidget* box = page(layout);
    layout->addLayout(labelled(tr("For the &model"), m_model));
    layout->addWidget(scrolled(m_card), 1);
    return box;
}

QWidget* QualityPanel::buildPower()
{
    nameWidget(m_effect, "effectSize", tr("Size of the effect in noise standard deviations"));
    m_effect->setRange(0.1, 20.0);
    m_effect->setDecimals(1);
    m_effect->setSingleStep(0.5);
    m_effect->setSuffix(QStringLiteral(" σ"));
    m_effect->setValue(m_options.effectSd);
    m_effect->setToolTip(tr("How large an effect is, from the low to the high end of a factor, in standard "
                            "deviations of the noise."));
    connect(m_effect, &QDoubleSpinBox::valueChanged, this, [this](double effect) {
        m_options.effectSd = effect;
        judgeAgain();
    });
    QVBoxLayout* layout = nullptr;
    QWidget* box = page(layout);
    layout->addLayout(labelled(tr("&Effect of"), m_effect));
    layout->addWidget(scrolled(m_power), 1);
    return box;
}

QWidget* QualityPanel::buildPrediction()
{
    QVBoxLayout* layout = nullptr;
    QWidget* box = page(layout);
    nameWidget(m_fdsWords, "fdsWords", tr("Prediction error in words"));
    layout->addWidget(m_fds, 1);
    layout->addWidget(m_fdsWords);
    return box;
}

void QualityPanel::setStudy(const study::Study& study)
{
    m_study = study;
    judgeAgain();
}

void QualityPanel::judgeAgain()
{
    if (m_study.runs.empty())
        return clear(tr("No runs yet"));
    m_jobs.start(
        [study = m_study, options = m_options](const std::stop_token&) { return judge(study, options); },
        [this](const Judgement& judgement) { show(judgement); });
}

void QualityPanel::clear(const QString& reason)
{
    m_jobs.cancel();
    show({std::nullopt, reason});
}

void QualityPanel::show(const Judgement& judgement)
{
    m_judgement = judgement;
    if (const auto& evaluation = m_judgement.evaluation) {
        m_card->setEvaluation(*evaluation);
        m_power->setPower(evaluation->power);
        m_fds->setCurves({{QString(), evaluation->fds}});
        m_fdsWords->setText(QString::fromStdString(evaluation->region));
        m_correlations->setCorrelations(evaluation->correlation.rows, evaluation->correlation.values);
        m_aliases->setEvaluation(*evaluation);
    } else {
        m_card->clear(m_judgement.reason);
        m_power->clear(m_judgement.reason);
        m_fds->clear(m_judgement.reason);
        m_fdsWords->clear();
        m_correlations->clear(m_judgement.reason);
        m_aliases->clear(m_judgement.reason);
    }
    emit judged();
}

} // namespace quadric::widgets
