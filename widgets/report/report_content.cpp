// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/report_content.h"

#include "core/study/document.h"
#include "widgets/base/display_context.h"
#include "widgets/report/report_parts.h"

#include <QCryptographicHash>
#include <QDate>
#include <QLocale>

namespace quadric::widgets {

namespace {

QString hashOf(const study::Study& study)
{
    const QByteArray text = QByteArray::fromStdString(study::writeStudy(study));
    return QString::fromLatin1(QCryptographicHash::hash(text, QCryptographicHash::Sha256).toHex());
}

void addSections(BlockList& blocks, const ReportSource& source)
{
    using Add = void (*)(BlockList&, const ReportSource&);
    constexpr std::pair<Section, Add> kBeforeModels[] = {{Section::Summary, &addSummary},
                                                         {Section::Question, &addQuestion},
                                                         {Section::Design, &addDesign},
                                                         {Section::Runs, &addRuns},
                                                         {Section::Measurement, &addMeasurement},
                                                         {Section::Optimum, &addOptimum},
                                                         {Section::Confirmation, &addConfirmation}};
    addTitle(blocks, source);
    for (const auto& [section, add] : kBeforeModels)
        if (source.shows(section))
            add(blocks, source);
    if (source.shows(Section::Models) || source.shows(Section::Plots) || source.shows(Section::Diagnostics))
        for (const model::Fit& fit : source.context.fits)
            addResponse(blocks, source, fit);
    if (source.shows(Section::Provenance))
        addProvenance(blocks, source);
}

} // namespace

ReportContent reportContent(const ContextPointer& context, const ReportOptions& options)
{
    const ContextPointer shown = withDisplayNames(context);
    Gallery gallery(shown);
    const ReportSource source{*shown,
                              options,
                              gallery,
                              gallery.best(),
                              optimize::confirmationVerdicts(shown->study, shown->fits),
                              hashOf(context->study)};
    const bool isSimulated = study::hasSimulatedResults(shown->study);
    BlockList blocks(isSimulated);
    addSections(blocks, source);
    constexpr qsizetype kLongestTitle = 160;
    const QString title =
        options.title.isEmpty() ? QString::fromStdString(context->study.name) : options.title;
    return {settable(title, kLongestTitle), settable(options.author, kLongestTitle),
            QLocale().toString(QDate::currentDate(), QLocale::LongFormat), isSimulated, blocks.take()};
}

} // namespace quadric::widgets
