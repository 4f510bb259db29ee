// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/quality/quality_panel.h"

#include "core/design/base/information.h"
#include "widgets/base/style.h"
#include "widgets/design/quality/quality_plots.h"
#include "widgets/design/quality/quality_tables.h"
#include "widgets/plots/base/plot.h"
#include "widgets/plots/scene/design_cube.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QTabWidget>
#include <QVBoxLayout>

namespace quadric::widgets {

design::Evaluation evaluated(const study::Study& study, const JudgmentOptions& options)
{
    design::EvaluateOptions asked;
    asked.effectSd = options.effectSd;
    return design::evaluate(study, options.model.empty() ? design::largestModel(study) : options.model,
                            asked);
}

Judgment judge(const study::Study& study, const JudgmentOptions& options)
{
    try {
        return {evaluated(study, options), {}};
    } catch (const std::exception& error) {
        return {std::nullopt, QString::fromStdString(error.what())};
    }
}

namespace {

QScrollArea* scrolled(QWidget* content, const QString& name)
{
    auto* scroll = scrollAreaFor(content);
    scroll->setAccessibleName(name);
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
    view->add(labeled(QualityView::tr("Eva&luate for model"), model));
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

QualityPanel::QualityPanel(QWidget* parent)
    : QWidget(parent)
    , m_tabs(new QTabWidget)
{
    nameWidget(m_tabs, "qualityTabs", tr("Quality of the design"));
    m_tabs->setDocumentMode(true);
    m_tabs->setUsesScrollButtons(true);
    for (const DesignViewRow& row : designViews())
        if (row.make)
            addTab(row.make(), row);
    auto* layout = marginless<QVBoxLayout>(this);
    layout->addWidget(m_tabs);
}

void QualityPanel::addTab(QualityView* view, const ViewKind& kind)
{
    m_views.push_back(view);
    markView(*view, kind.id);
    m_tabs->setTabToolTip(m_tabs->addTab(view, kind.tabText()), viewSummary(kind));
    if (Plot* plot = view->plot())
        describePlot(*plot, kind);
    connect(view, &QualityView::modelChosen, this, [this](const QString& model) {
        m_options.model = model.toStdString();
        judgeAgain();
    });
    connect(view, &QualityView::effectChosen, this, [this](double effect) {
        m_options.effectSd = effect;
        judgeAgain();
    });
}

void QualityPanel::showFirst(QWidget* view, const QString& title)
{
    m_tabs->setCurrentIndex(m_tabs->insertTab(0, view, title));
}

void QualityPanel::setStudy(const study::Study& study)
{
    m_study = study;
    for (const QualityView* view : m_views)
        if (Plot* plot = view->plot())
            plot->setSource({QString::fromStdString(study.name), {}});
    judgeAgain();
}

void QualityPanel::judgeAgain()
{
    if (m_study.runs.empty())
        return clear(tr("No runs yet"));
    m_jobs.start(
        [study = m_study, options = m_options](const std::stop_token&) { return judge(study, options); },
        [this](const Judgment& judgment) { show(judgment); });
}

void QualityPanel::clear(const QString& reason)
{
    m_jobs.cancel();
    show({std::nullopt, reason});
}

void QualityPanel::show(const Judgment& judgment)
{
    m_judgment = judgment;
    for (QualityView* view : m_views)
        view->showJudgment(m_judgment);
    emit judged();
}

} // namespace quadric::widgets
