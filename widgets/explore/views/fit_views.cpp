// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/views/fit_views.h"

#include "core/model/fit/diagnostics.h"
#include "core/model/fit/model_candidates.h"
#include "core/model/select/cross_validation.h"
#include "core/report/equation.h"
#include "core/report/finding.h"
#include "core/report/findings/fit_findings.h"
#include "core/report/findings/reading.h"
#include "core/report/tables/model_tables.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/plots/diagnostic_plots.h"
#include "widgets/text/findings_list.h"
#include "widgets/text/text_table.h"
#include "widgets/text/wording.h"

#include <QClipboard>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QVBoxLayout>

namespace quadric::widgets {

CoefficientView::CoefficientView()
    : TableView(
          [](const study::Study&, const model::Fit& fit) {
              return withColumnAt(report::makeCoefficientTable(fit), "vif", 3);
          },
          [](const model::Fit& fit) {
              return QString::fromStdString(report::joinSentences(report::readCoefficients(fit)));
          })
    , m_equation(new QLineEdit)
    , m_copy(new QPushButton(tr("Copy equation")))
{
    m_equation->setReadOnly(true);
    nameWidget(m_equation, "equation", tr("Equation in actual units"));
    m_copy->setObjectName(QStringLiteral("copyEquation"));
    auto* caption = new QLabel(tr("In actual units"));
    caption->setBuddy(m_equation);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(caption);
    row->addWidget(m_equation, 1);
    row->addWidget(m_copy);
    static_cast<QVBoxLayout*>(layout())->addLayout(row);
    connect(m_copy, &QPushButton::clicked, this, &CoefficientView::copyEquation);
}

void CoefficientView::showFit(const study::Study& study, const model::Fit& fit)
{
    TableView::showFit(study, fit);
    m_equation->setText(QString::fromStdString(report::writeEquation(fit)));
    m_equation->setCursorPosition(0);
    m_equation->setToolTip(QString::fromStdString(fit.isOk() ? report::describeEquation(fit) : fit.message));
    m_copy->setEnabled(fit.isOk());
}

void CoefficientView::addCopyAction(QMenu& menu)
{
    TableView::addCopyAction(menu);
    QAction* copy = menu.addAction(tr("Copy &equation"), this, &CoefficientView::copyEquation);
    copy->setEnabled(m_copy->isEnabled());
}

void CoefficientView::copyEquation()
{
    QGuiApplication::clipboard()->setText(m_equation->text());
}

namespace {

constexpr int kUsualFolds = 10;
constexpr int kMostShownFolds = 100;

QString shareText(double share)
{
    return QString::number(share, 'f', 3);
}

/// What a cross-validation says, in one sentence.
QString validationText(const model::RepeatedValidation& validation, const std::string& unit)
{
    if (!validation.isOk())
        return QString::fromStdString(validation.message) +
               SummaryView::tr(" Choose another number of folds or a smaller model.");
    const QString error = formatNumber(validation.error, validation.errorSd) +
                          (unit.empty() ? QString() : QLatin1Char(' ') + QString::fromStdString(unit));
    QString text = SummaryView::tr("Error for runs left out %1 (std. dev. %2 over %3 divisions into folds)")
                       .arg(error, formatNumber(validation.errorSd))
                       .arg(validation.repeats);
    if (validation.r2)
        text +=
            SummaryView::tr(", R² %1 (%2 to %3)")
                .arg(shareText(*validation.r2), shareText(*validation.r2Low), shareText(*validation.r2High));
    return text + SummaryView::tr(". Runs with the same settings stay together; terms are kept.");
}

void empty(QGridLayout& grid)
{
    while (QLayoutItem* item = grid.takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

QGridLayout* addGrid(QVBoxLayout& layout, QWidget*& holder)
{
    holder = new QWidget;
    layout.addWidget(holder);
    auto* grid = marginlessGrid(holder, 16, 6);
    return grid;
}

QString asText(const std::vector<std::string>& sentences)
{
    return QString::fromStdString(report::joinSentences(sentences));
}

/// The profile, or why there is none.
void showProfile(BoxCoxPlot& plot, const model::Fit& fit)
{
    if (!fit.isOk())
        return plot.clear(QString::fromStdString(fit.message));
    if (const auto profile = model::boxCox(fit))
        return plot.setProfile(fit, *profile);
    if (fit.transform.kind == study::TransformKind::Logit)
        return plot.clear(BoxCoxPlot::tr("A power cannot keep the bounds of this response: the logit does."));
    if (fit.smallestObserved <= 0.0)
        return plot.clear(BoxCoxPlot::tr("A power can only be judged where every value is above 0."));
    plot.clear(BoxCoxPlot::tr("A power can only be judged where runs are left over and the values differ."));
}

template <typename FitPlot> View* makeFitView()
{
    auto* plot = new FitPlot;
    return new PlotView(plot, [plot](const study::Study&, const model::Fit& fit) { plot->setFit(fit); });
}

View* makeBoxCoxView()
{
    auto* plot = new BoxCoxPlot;
    return new PlotView(plot,
                        [plot](const study::Study&, const model::Fit& fit) { showProfile(*plot, fit); });
}

View* makeAnovaView()
{
    return new TableView(
        [](const study::Study&, const model::Fit& fit) { return report::makeAnovaByTermTable(fit); },
        [](const model::Fit& fit) { return asText(report::readAnova(fit)); });
}

} // namespace

SummaryView::SummaryView()
    : TableView(
          [](const study::Study&, const model::Fit& fit) {
              return withColumnAt(report::makeOrderTable(model::compareOrders(fit)), "r2_pred", 1);
          },
          [](const model::Fit&) { return QString(); })
    , m_folds(new QSpinBox)
    , m_outcome(new QLabel)
{
    m_folds->setRange(2, kMostShownFolds);
    m_folds->setValue(kUsualFolds);
    nameWidget(m_folds, "folds", tr("Folds of the cross-validation"));
    m_outcome->setObjectName(QStringLiteral("validation"));
    m_outcome->setWordWrap(true);
    m_outcome->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* caption = new QLabel(tr("Cross-validation folds"));
    caption->setBuddy(m_folds);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(caption);
    row->addWidget(m_folds);
    row->addStretch(1);
    auto* whole = static_cast<QVBoxLayout*>(layout());
    whole->addLayout(row);
    whole->addWidget(m_outcome);
    connect(m_folds, &QSpinBox::valueChanged, this, &SummaryView::validate);
}

void SummaryView::showFit(const study::Study& study, const model::Fit& fit)
{
    TableView::showFit(study, fit);
    m_fit = fit;
    validate();
}

void SummaryView::validate()
{
    m_folds->setEnabled(m_fit.isOk());
    m_outcome->setText(m_fit.isOk()
                           ? validationText(model::repeatValidation(m_fit, m_folds->value()), m_fit.unit)
                           : QString());
}

ReportCard::ReportCard()
{
    auto* content = new QWidget;
    auto* lines = new QVBoxLayout(content);
    lines->setContentsMargins(8, 8, 8, 8);
    lines->setSpacing(12);
    m_verdict = wrappedLabel({});
    m_verdict->setObjectName(QStringLiteral("verdict"));
    lines->addWidget(m_verdict);
    m_findings = new FindingsList;
    m_findings->offerRemedies();
    connect(m_findings, &FindingsList::remedyRequested, this, &View::remedyRequested);
    lines->addWidget(m_findings);
    m_statisticGrid = addGrid(*lines, m_statistics);
    m_statisticGrid->setColumnStretch(2, 1);
    lines->addStretch(1);
    auto* scroll = scrollAreaFor(content);
    scroll->setAccessibleName(tr("Findings"));
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* layout = marginless<QVBoxLayout>(this);
    layout->addWidget(scroll);
    setFocusProxy(scroll);
}

void ReportCard::showFit(const study::Study&, const model::Fit& fit)
{
    m_job.cancel();
    if (model::isSelectionTested(fit))
        return showVerdict(fit);
    m_verdict->setText(tr("Testing the chosen model …"));
    m_findings->setVisible(false);
    m_text.clear();
    showStatistics(fit);
    m_job.start(
        [fit](const std::stop_token&) {
            model::testSelection(fit);
            return true;
        },
        [this, fit](bool) { showVerdict(fit); });
}

void ReportCard::showVerdict(const model::Fit& fit)
{
    const QString verdict = QString::fromStdString(report::judgeFit(fit).sentence);
    m_verdict->setText(QStringLiteral("<b>%1</b>").arg(verdict.toHtmlEscaped()));
    m_findings->setFindings(report::foldPassed(report::findInFit(fit)));
    m_findings->setVisible(fit.isOk());
    m_text = verdict + QLatin1Char('\n') + (fit.isOk() ? m_findings->text() : QString());
    showStatistics(fit);
    emit judged();
}

void ReportCard::showStatistics(const model::Fit& fit)
{
    empty(*m_statisticGrid);
    m_statistics->setVisible(fit.isOk());
    if (!fit.isOk())
        return;
    int row = 0;
    for (const QStringList& each : typeset(report::makeFitTable(fit)).rows) {
        auto* name = new QLabel(each[0]);
        auto* value = new QLabel(each[1]);
        value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        name->setToolTip(each[2]);
        value->setToolTip(name->toolTip());
        m_statisticGrid->addWidget(name, row, 0);
        m_statisticGrid->addWidget(value, row++, 1);
        m_text += name->text() + QLatin1Char('\t') + each[1] + QLatin1Char('\n');
    }
}

void ReportCard::addCopyAction(QMenu& menu)
{
    menu.addAction(tr("&Copy text"), this, [this] { QGuiApplication::clipboard()->setText(m_text); })
        ->setObjectName(QStringLiteral("copyText"));
}

std::vector<ExploreView> fitViews()
{
    return {wordRow("report-card", tr("Report card"), {}), // opens from the line about the model
            wordRow("coefficients", tr("Coefficients"), &makeView<CoefficientView>),
            wordRow("anova", tr("Analysis of variance"), &makeAnovaView),
            wordRow("fit-summary", tr("Fit summary"), &makeView<SummaryView>),
            plotRow("predicted", tr("Predicted vs. observed"), &makeFitView<PredictedPlot>),
            plotRow("residuals", tr("Residual plots"), &makeFitView<ResidualPlot>),
            plotRow("run-order", tr("Residuals in run order"), &makeFitView<RunOrderPlot>),
            plotRow("box-cox", tr("Box–Cox"), &makeBoxCoxView),
            opinionRow()};
}

} // namespace quadric::widgets
