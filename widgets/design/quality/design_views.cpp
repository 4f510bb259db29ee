// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/quality/design_views.h"

#include "widgets/base/style.h"
#include "widgets/design/quality/alias_view.h"
#include "widgets/design/quality/correlation_map.h"
#include "widgets/design/quality/fds_plot.h"
#include "widgets/design/quality/power_bars.h"
#include "widgets/design/quality/quality_card.h"
#include "widgets/plots/scene/design_cube.h"
#include "widgets/text/translate.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QScrollArea>

namespace quadric::widgets {

namespace {

QScrollArea* scrolled(QWidget* content, const QString& name)
{
    auto* scroll = new QScrollArea;
    scroll->setAccessibleName(name);
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    return scroll;
}

QHBoxLayout* labeled(const QString& caption, QWidget* editor)
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

/// The largest model that the runs can be evaluated for.
QString fullModelName(const QString& model)
{
    return QualityView::tr("full (%1)").arg(model);
}

QComboBox* modelChooser()
{
    auto* model = new QComboBox;
    nameWidget(model, "judgedModel", QualityView::tr("Model that the design is evaluated for"));
    model->addItem(fullModelName(fromUtf8("quadratic")), QString());
    for (const char* each : {"linear", "interactions", "quadratic"})
        model->addItem(fromUtf8(each), QLatin1String(each));
    model->setToolTip(QualityView::tr("The polynomial that these runs are evaluated for."));
    return model;
}

QDoubleSpinBox* effectChooser(QualityView& view)
{
    auto* effect = new QDoubleSpinBox;
    nameWidget(effect, "effectSize", QualityView::tr("Size of the effect in noise standard deviations"));
    effect->setRange(0.1, 20.0);
    effect->setDecimals(1);
    effect->setSingleStep(0.5);
    effect->setSuffix(QStringLiteral(" σ"));
    effect->setValue(JudgmentOptions().effectSd);
    effect->setToolTip(QualityView::tr("How large an effect is, from the low to the high end of a factor, in "
                                       "standard deviations of the noise."));
    QObject::connect(effect, &QDoubleSpinBox::valueChanged, &view, &QualityView::effectChosen);
    return effect;
}

QualityView* makeQuality()
{
    auto* card = new QualityCard;
    QComboBox* model = modelChooser();
    auto* view = new QualityView(nullptr, [card, model](const Judgment& judgment) {
        judgment.evaluation ? card->setEvaluation(*judgment.evaluation) : card->clear(judgment.reason);
        if (judgment.evaluation && model->currentIndex() == 0)
            model->setItemText(0, fullModelName(fromUtf8(judgment.evaluation->model)));
    });
    QObject::connect(model, &QComboBox::currentIndexChanged, view,
                     [view, model] { emit view->modelChosen(model->currentData().toString()); });
    view->add(labeled(QualityView::tr("Evaluate for &model"), model));
    view->add(scrolled(card, QualityView::tr("Quality of the design")));
    return view;
}

QualityView* makePower()
{
    auto* bars = new PowerBars;
    auto* view = new QualityView(bars, [bars](const Judgment& judgment) {
        judgment.evaluation ? bars->setPower(judgment.evaluation->power) : bars->clear(judgment.reason);
    });
    view->add(labeled(QualityView::tr("E&ffect of"), effectChooser(*view)));
    view->add(scrolled(bars, QualityView::tr("Power of the terms")));
    return view;
}

QualityView* makePredictionVariance()
{
    auto* fds = new FdsPlot;
    auto* words = mutedLabel({});
    nameWidget(words, "fdsWords", QualityView::tr("Prediction error in words"));
    auto* view = new QualityView(fds, [fds, words](const Judgment& judgment) {
        const auto& evaluation = judgment.evaluation;
        evaluation ? fds->setCurves({{QString(), evaluation->fds}}) : fds->clear(judgment.reason);
        words->setText(evaluation ? QString::fromStdString(evaluation->region) : QString());
    });
    view->add(fds);
    view->add(words, 0);
    return view;
}

QualityView* makeCorrelations()
{
    auto* map = new CorrelationMap;
    auto* view = new QualityView(map, [map](const Judgment& judgment) {
        judgment.evaluation ? map->setCorrelations(judgment.evaluation->correlation.rows,
                                                   judgment.evaluation->correlation.values)
                            : map->clear(judgment.reason);
    });
    view->add(map);
    return view;
}

QualityView* makeAliases()
{
    auto* aliases = new AliasView;
    auto* view = new QualityView(nullptr, [aliases](const Judgment& judgment) {
        judgment.evaluation ? aliases->setEvaluation(*judgment.evaluation) : aliases->clear(judgment.reason);
    });
    view->add(aliases);
    return view;
}

std::shared_ptr<Plot> drawCube(const DesignSource& source)
{
    auto plot = std::make_shared<DesignCube>();
    plot->setStudy(source.study);
    plot->setAxes(source.axes);
    return plot;
}

DesignViewRow plotTab(const char* id, const QString& title, QualityView* (*make)(), const QString& tab = {})
{
    const auto draw = [make](const DesignSource& source) {
        const std::shared_ptr<QualityView> view(make());
        view->showJudgment(source.judgment());
        return plotOf(view);
    };
    return {{id, title, "design", ViewSubject::Study, 0, true, false, tab}, make, draw};
}

DesignViewRow wordTab(const char* id, const QString& title, QualityView* (*make)(), const QString& tab = {})
{
    return {{id, title, "design", ViewSubject::Study, 0, false, false, tab}, make, {}};
}

} // namespace

QualityView::QualityView(Plot* plot, Show show)
    : m_plot(plot)
    , m_show(std::move(show))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, kGap, 0, 0);
    layout->setSpacing(kGap);
}

void QualityView::add(QLayout* row)
{
    static_cast<QVBoxLayout*>(layout())->addLayout(row);
}

void QualityView::add(QWidget* content, int stretch)
{
    static_cast<QVBoxLayout*>(layout())->addWidget(content, stretch);
}

const std::vector<DesignViewRow>& designViews()
{
    static const std::vector<DesignViewRow> views{
        {{"design-cube", tr("Design in space"), "design", ViewSubject::Study, 3}, {}, &drawCube},
        wordTab("quality", tr("Quality"), &makeQuality),
        plotTab("power", tr("Power"), &makePower),
        plotTab("design-space", tr("Prediction variance (FDS)"), &makePredictionVariance, tr("FDS")),
        plotTab("overlap", tr("Correlations"), &makeCorrelations),
        wordTab("aliases", tr("Alias matrix"), &makeAliases, tr("Aliases"))};
    return views;
}

} // namespace quadric::widgets
