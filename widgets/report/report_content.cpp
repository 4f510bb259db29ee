// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/report_content.h"

#include "core/model/predict.h"
#include "core/optimize/optimum.h"
#include "widgets/base/theme.h"
#include "widgets/plots/main_effects_plot.h"
#include "widgets/plots/pareto_chart.h"
#include "widgets/plots/profiler.h"
#include "widgets/plots/surface_view.h"
#include "widgets/text/statistics.h"
#include "widgets/text/wording.h"

#include <QCoreApplication>
#include <QDate>
#include <QLocale>

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr double kParetoRowHeight = 20.0;
constexpr double kEffectsHeight = 230.0;
constexpr double kSurfaceHeight = 330.0;
constexpr double kDesirabilityHeight = 160.0;

QString tr(const char* text)
{
    return QCoreApplication::translate("Report", text);
}

QString asSentence(QString text)
{
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

/// Puts blocks of one study together, section by section.
class Writer {
public:
    Writer(const StudyContext& context, const ReportOptions& options)
        : m_context(context)
        , m_study(context.study)
        , m_options(options)
        , m_optimum(optimize::findOptimum(context.study, context.fits))
    {
    }

    std::vector<ReportBlock> write()
    {
        addTitle();
        if (m_options.summary)
            addSummary();
        addQuestion();
        if (m_options.matrix)
            addRuns();
        if (m_options.models || m_options.plots)
            for (const model::Fit& fit : m_context.fits)
                addResponse(fit);
        if (m_options.optimum)
            addOptimum();
        if (m_options.provenance)
            addProvenance();
        return std::move(m_blocks);
    }

private:
    void heading(const QString& text, int level = 1, bool startsPage = false)
    {
        m_blocks.push_back(HeadingBlock{text, level, startsPage});
    }
    void paragraph(const QString& text, ParagraphBlock::Kind kind = ParagraphBlock::Kind::Plain)
    {
        if (!text.isEmpty())
            m_blocks.push_back(ParagraphBlock{text, kind, false});
    }
    void bullets(const QStringList& texts)
    {
        for (const QString& text : texts)
            paragraph(text, ParagraphBlock::Kind::Bullet);
    }
    void table(TextTable content) { m_blocks.push_back(TableBlock{std::move(content)}); }
    void figure(FigureBlock block)
    {
        for (const auto& plot : block.plots)
            plot->setSimulated(study::hasSimulatedResults(m_study));
        m_blocks.push_back(std::move(block));
    }

    void addTitle();
    void addSummary();
    void addQuestion();
    void addRuns();
    void addResponse(const model::Fit& fit);
    void addModel(const model::Fit& fit);
    void addPlots(const model::Fit& fit);
    void addSurface(const model::Fit& fit);
    void addOptimum();
    void addDesirabilities();
    void addProvenance();

    const StudyContext& m_context;
    const study::Study& m_study;
    const ReportOptions& m_options;
    optimize::Optimum m_optimum;
    std::vector<ReportBlock> m_blocks;
};

void Writer::addTitle()
{
    heading(QString::fromStdString(m_study.name), 0);
    paragraph(QString::fromStdString(m_study.description), ParagraphBlock::Kind::Lead);
    const int done = study::countRuns(m_study, study::RunStatus::Done);
    paragraph(tr("%1 factors, %2 responses, %3 of %4 runs done. ± is a 95 % interval unless a table says "
                 "otherwise.")
                  .arg(m_study.factors.size())
                  .arg(m_study.responses.size())
                  .arg(done)
                  .arg(m_study.runs.size()),
              ParagraphBlock::Kind::Small);
}

void Writer::addSummary()
{
    heading(tr("Summary"));
    if (m_optimum.isOk()) {
        paragraph(
            tr("The best settings that can be run are %1.").arg(settingsText(m_study, m_optimum.settings)),
            ParagraphBlock::Kind::Lead);
        for (const optimize::ResponseAtOptimum& at : m_optimum.responses) {
            const study::Response* response = study::findResponse(m_study, at.response);
            if (response == nullptr || response->goal == study::Goal::None)
                continue;
            paragraph(tr("%1: expect %2 in a new run (goal: %3).")
                          .arg(nameText(at.response), predictionText(at.predicted, response->unit),
                               goalText(*response)),
                      ParagraphBlock::Kind::Bullet);
        }
        paragraph(tr("Overall desirability D = %1, where 1 would meet every goal in full.")
                      .arg(desirabilityText(m_optimum.overall)));
    } else {
        paragraph(asSentence(QString::fromStdString(m_optimum.message)));
    }
    if (const QStringList sure = reasonsToTrust(m_study, m_context.fits); !sure.isEmpty()) {
        heading(tr("Sure because"), 2);
        bullets(sure);
    }
    QStringList unsure = reasonsToDoubt(m_study, m_context.fits);
    if (m_optimum.isOk() && isExtrapolation(m_optimum))
        unsure << tr(
            "The best setting is an extrapolation: no run lies near. Confirm it before relying on it.");
    if (!unsure.isEmpty()) {
        heading(tr("Unsure because"), 2);
        bullets(unsure);
    }
}

void Writer::addQuestion()
{
    heading(tr("What was varied and what was measured"));
    table(factorTable(m_study));
    QStringList fixed;
    for (const auto& [name, value] : m_study.fixed)
        fixed << nameText(name) + QStringLiteral(" ") + QString::fromStdString(study::toText(value));
    if (!fixed.isEmpty())
        paragraph(tr("Held fixed: %1.").arg(fixed.join(QStringLiteral(", "))), ParagraphBlock::Kind::Small);
    for (const std::string& constraint : m_study.constraints)
        paragraph(tr("Only where %1.").arg(QString::fromStdString(constraint)), ParagraphBlock::Kind::Small);
    table(responseTable(m_study));
}

void Writer::addRuns()
{
    heading(tr("Runs"));
    const study::DesignSpec& design = m_study.design;
    if (!design.type.empty() && design.type != "custom")
        m_blocks.push_back(
            ParagraphBlock{tr("Design: %1, %2 centre runs, %3, seed %4.")
                               .arg(QString::fromStdString(design.type))
                               .arg(design.centerRuns)
                               .arg(design.randomize ? tr("random run order") : tr("standard run order"))
                               .arg(design.seed),
                           ParagraphBlock::Kind::Small, true});
    if (m_study.runs.empty())
        paragraph(tr("This study has no runs yet."));
    else
        table(runTable(m_study));
}

void Writer::addResponse(const model::Fit& fit)
{
    heading(nameWithUnit(fit.response, fit.unit), 1, true);
    if (!fit.isOk()) {
        paragraph(asSentence(QString::fromStdString(fit.message)));
        return;
    }
    paragraph(asSentence(verdictText(fit)), ParagraphBlock::Kind::Lead);
    if (m_options.models)
        addModel(fit);
    if (m_options.plots)
        addPlots(fit);
}

TextTable statisticsTable(const model::Fit& fit)
{
    TextTable table;
    table.caption = tr("Model");
    table.columns = {{tr("Statistic"), {}, false}, {tr("Value"), {}, true}, {tr("Meaning"), {}, false}};
    for (const Statistic& each : statisticsOf(fit))
        table.rows.push_back({each.name, each.value, each.tooltip});
    const QString transform = QString::fromStdString(study::nameOf(fit.transform));
    if (transform != QLatin1String("none"))
        table.note =
            tr("Fitted to the transformed response (%1); coefficients and sums of squares are on that scale.")
                .arg(transform);
    return table;
}

void Writer::addModel(const model::Fit& fit)
{
    QStringList warnings;
    for (const model::Warning& warning : fit.warnings)
        warnings << QString::fromStdString(warning.message);
    bullets(warnings);
    table(statisticsTable(fit));
    table(anovaTable(fit));
    table(coefficientTable(fit));
}

void Writer::addPlots(const model::Fit& fit)
{
    auto pareto = std::make_shared<ParetoChart>();
    pareto->setFit(fit);
    const double paretoHeight =
        std::clamp(100.0 + kParetoRowHeight * static_cast<double>(fit.effects.size()), 200.0, 560.0);
    figure({{pareto}, {}, paretoHeight, tr("Pareto chart of the effects on %1").arg(nameText(fit.response))});

    const study::CodedPoint center = study::Coding(m_study.factors).center();
    std::vector<model::EffectCurve> curves;
    for (std::size_t factor = 0; factor < m_study.factors.size(); ++factor)
        curves.push_back(model::effectCurve(fit, m_study, factor, center));
    auto effects = std::make_shared<MainEffectsPlot>();
    effects->setCurves(curves);
    figure({{effects},
            {},
            kEffectsHeight,
            tr("Main effects with 95 % bands, the other factors at the centre; points are observed means")});
    addSurface(fit);
}

/// The two numeric factors that matter most, most important first.
std::vector<std::size_t> leadingFactors(const model::Fit& fit)
{
    std::vector<std::size_t> numeric;
    for (std::size_t i = 0; i < fit.factors.size(); ++i)
        if (fit.factors[i].isNumeric())
            numeric.push_back(i);
    const auto weight = [&fit](std::size_t factor) {
        const auto found =
            std::find_if(fit.importance.begin(), fit.importance.end(), [&](const model::Importance& each) {
                return each.factor == fit.factors[factor].name;
            });
        return found == fit.importance.end() ? 0.0 : found->total;
    };
    std::stable_sort(numeric.begin(), numeric.end(),
                     [&weight](std::size_t a, std::size_t b) { return weight(a) > weight(b); });
    return numeric;
}

void Writer::addSurface(const model::Fit& fit)
{
    const std::vector<std::size_t> factors = leadingFactors(fit);
    if (factors.size() < 2)
        return;
    const study::Coding coding(m_study.factors);
    const study::CodedPoint center = coding.center();
    auto surface = std::make_shared<SurfaceView>();
    surface->setGrid(model::surfaceGrid(fit, m_study, factors[0], factors[1], center));
    study::Settings held = coding.toSettings(center);
    held.erase(m_study.factors[factors[0]].name);
    held.erase(m_study.factors[factors[1]].name);
    QString caption = tr("Response surface over the two factors that matter most");
    if (!held.empty())
        caption += tr("; %1").arg(settingsText(m_study, held));
    figure({{surface}, {}, kSurfaceHeight, caption});
}

void Writer::addOptimum()
{
    heading(tr("Best settings"), 1, true);
    paragraph(recommendationText(m_study, m_optimum), ParagraphBlock::Kind::Lead);
    if (!m_optimum.isOk())
        return;
    table(optimumTable(m_study, m_optimum));
    if (m_options.plots)
        addDesirabilities();
    if (!m_optimum.solutions.empty())
        table(solutionTable(m_study, m_optimum.solutions));
}

void Writer::addDesirabilities()
{
    constexpr std::size_t kPerRow = 3;
    FigureBlock row{{},
                    {},
                    kDesirabilityHeight,
                    tr("Desirability of each response; the mark is the prediction at the best setting")};
    for (const optimize::ResponseAtOptimum& at : m_optimum.responses) {
        const study::Response* response = study::findResponse(m_study, at.response);
        const auto fit = std::find_if(m_context.fits.begin(), m_context.fits.end(),
                                      [&at](const model::Fit& each) { return each.response == at.response; });
        if (response == nullptr || fit == m_context.fits.end() || response->goal == study::Goal::None)
            continue;
        auto curve = std::make_shared<DesirabilityCurve>();
        curve->setDesirability(optimize::desirabilityOf(*response, *fit), at.predicted.mean);
        row.plots.push_back(curve);
        row.titles << nameWithUnit(response->name, response->unit);
        if (row.plots.size() == kPerRow) {
            figure(row);
            row.plots.clear();
            row.titles.clear();
        }
    }
    if (!row.plots.empty())
        figure(row);
}

void Writer::addProvenance()
{
    heading(tr("Where the numbers come from"));
    table(provenanceTable(m_study));
}

} // namespace

ReportContent reportContent(const StudyContext& context, const ReportOptions& options)
{
    return {QString::fromStdString(context.study.name),
            QLocale().toString(QDate::currentDate(), QLocale::LongFormat),
            study::hasSimulatedResults(context.study), Writer(context, options).write()};
}

} // namespace quadric::widgets
