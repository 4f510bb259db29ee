// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/measurement_output.h"

#include "app/cli/output/finding_output.h"
#include "core/report/findings/measurement_findings.h"

#include <iostream>

namespace quadric::app {

namespace {

/// Without fits where the study's models cannot be read: the card says what it can.
std::vector<model::Fit> fitsOf(const study::Study& study)
{
    try {
        return model::fitStudy(study);
    } catch (const std::exception&) {
        return {};
    }
}

} // namespace

void printMeasurement(const study::Study& study)
{
    for (const report::Finding& finding : report::findInMeasurement(study, fitsOf(study))) {
        const char* mark = finding.severity == report::Severity::Green ? "  " : "! ";
        std::cout << mark << finding.topic << ": " << finding.sentence
                  << (finding.advice.empty() ? "" : " " + finding.advice) << '\n';
    }
}

Json measurementJson(const study::Study& study)
{
    return listOf(report::findInMeasurement(study, fitsOf(study)), findingJson);
}

} // namespace quadric::app
