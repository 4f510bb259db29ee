// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fit/model_summary.h"
#include "core/model/select/recommendation.h"
#include "core/report/finding.h"
#include "core/report/findings/reading.h"
#include "core/report/tables/model_tables.h"
#include "widgets/explore/views/coefficient_view.h"
#include "widgets/explore/views/correlation_view.h"
#include "widgets/explore/views/explore_views.h"
#include "widgets/explore/views/report_card.h"
#include "widgets/explore/views/summary_view.h"
#include "widgets/explore/views/table_view.h"
#include "widgets/plots/box_cox_plot.h"
#include "widgets/plots/predicted_plot.h"
#include "widgets/plots/residual_plots.h"
#include "widgets/text/translate.h"

namespace quadric::widgets {

namespace {

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
        return plot.setProfile(fit, *profile, model::recommendScales(fit).transform);
    if (fit.transform.kind == study::TransformKind::Logit)
        return plot.clear(BoxCoxPlot::tr("A power cannot keep the bounds of this response: the logit does."));
    if (fit.smallestObserved <= 0.0)
        return plot.clear(BoxCoxPlot::tr("A power can only be judged where every value is above 0."));
    plot.clear(BoxCoxPlot::tr("A power can only be judged where runs are left over and the values differ."));
}

View* makePredictedView()
{
    auto* plot = new PredictedPlot;
    return new PlotView(plot, [plot](const study::Study&, const model::Fit& fit) { plot->setFit(fit); });
}

View* makeResidualView()
{
    auto* plot = new ResidualPlot;
    return new PlotView(plot, [plot](const study::Study&, const model::Fit& fit) { plot->setFit(fit); });
}

View* makeRunOrderView()
{
    auto* plot = new RunOrderPlot;
    return new PlotView(plot, [plot](const study::Study&, const model::Fit& fit) { plot->setFit(fit); });
}

View* makeBoxCoxView()
{
    auto* plot = new BoxCoxPlot;
    return new PlotView(plot,
                        [plot](const study::Study&, const model::Fit& fit) { showProfile(*plot, fit); });
}

View* makeCoefficientView()
{
    return new CoefficientView;
}

View* makeImportanceView()
{
    return new TableView(
        [](const study::Study&, const model::Fit& fit) { return report::makeImportanceTable(fit); },
        [](const model::Fit&) { return QString(); });
}

View* makeCorrelationView()
{
    return new CorrelationView;
}

View* makeAnovaView()
{
    return new TableView(
        [](const study::Study&, const model::Fit& fit) { return report::makeAnovaByTermTable(fit); },
        [](const model::Fit& fit) { return asText(report::readAnova(fit)); });
}

View* makeSummaryView()
{
    return new SummaryView;
}

View* makeReportCardView()
{
    return new ReportCard;
}

} // namespace

std::vector<ExploreView> fitViews()
{
    return {wordRow("report-card", tr("Report card"), &makeReportCardView),
            wordRow("coefficients", tr("Coefficients"), &makeCoefficientView),
            wordRow("importance", tr("Variable importance"), &makeImportanceView),
            wordRow("anova", tr("Analysis of variance"), &makeAnovaView),
            wordRow("fit-summary", tr("Fit summary"), &makeSummaryView),
            wordRow("correlation", tr("Correlation of responses"), &makeCorrelationView),
            plotRow("predicted", tr("Predicted vs. observed"), &makePredictedView),
            plotRow("residuals", tr("Residual plots"), &makeResidualView),
            plotRow("run-order", tr("Residuals in run order"), &makeRunOrderView),
            plotRow("box-cox", tr("Box–Cox"), &makeBoxCoxView),
            opinionRow()};
}

} // namespace quadric::widgets
