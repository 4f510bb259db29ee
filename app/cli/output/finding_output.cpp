// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/finding_output.h"

namespace quadric::app {

Json findingJson(const report::Finding& finding)
{
    return {{"code", finding.code},
            {"topic", finding.topic},
            {"verdict", nameOf(finding.severity)},
            {"sentence", finding.sentence},
            {"what_to_do", finding.advice}};
}

Json sentencesJson(const std::vector<report::Finding>& findings)
{
    return listOf(findings, [](const report::Finding& finding) { return finding.sentence; });
}

} // namespace quadric::app
