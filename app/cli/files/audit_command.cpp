// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/commands.h"
#include "app/cli/output/finding_output.h"
#include "app/cli/output/study_output.h"
#include "core/exchange/import/audit.h"
#include "core/report/findings/data_findings.h"
#include "core/study/files/file.h"

#include <algorithm>
#include <iostream>
#include <memory>

namespace quadric::app {

namespace {

struct AuditOptions {
    StudyOption study;
    std::string claims;
};

using exchange::AuditItem;
using exchange::Verdict;

/// The file that was asked for, or the one beside the study, if there is one.
exchange::Claims readClaims(const AuditOptions& options)
{
    if (!options.claims.empty())
        return exchange::parseClaims(study::readTextFile(options.claims), options.claims);
    return exchange::readClaimsIfThere(exchange::claimsBeside(options.study.path))
        .value_or(exchange::Claims{});
}

Json auditJson(const exchange::Claims& claims, const std::vector<AuditItem>& items,
               const std::vector<report::Finding>& findings)
{
    Json json = {{"source", claims.source}, {"claims", Json::array()}, {"findings", sentencesJson(findings)}};
    for (const AuditItem& item : items)
        json["claims"].push_back(
            {{"verdict", exchange::nameOf(item.verdict)}, {"claim", item.claim}, {"data", item.data}});
    return json;
}

void printAudit(const exchange::Claims& claims, const std::vector<AuditItem>& items,
                const std::vector<report::Finding>& findings)
{
    if (!claims.source.empty())
        std::cout << "Claims of " << claims.source << "\n\n";
    for (const AuditItem& item : items) {
        constexpr std::string_view marks[] = {"agrees       ", "DIFFERS      ", "cannot tell  "};
        std::cout << marks[static_cast<std::size_t>(item.verdict)] << item.claim << "\n             "
                  << item.data << '\n';
    }
    if (!findings.empty())
        std::cout << (items.empty() ? "" : "\n") << "The data themselves:\n";
    for (const report::Finding& finding : findings)
        std::cout << "- " << finding.sentence << '\n';
    if (items.empty() && findings.empty())
        std::cout << "Nothing suspicious was found.\n";
}

int runAudit(const AuditOptions& options)
{
    const study::Study study = readStudy(options.study.path);
    const exchange::Claims claims = readClaims(options);
    const std::vector<AuditItem> items = exchange::audit(study, claims);
    const std::vector<report::Finding> findings = report::findInData(study);
    if (options.study.json)
        printJson(auditJson(claims, items, findings));
    else
        printAudit(claims, items, findings);
    const bool differs =
        std::ranges::any_of(items, [](const AuditItem& item) { return item.verdict == Verdict::Differs; });
    return differs ? kWorkFailed : kDone;
}

} // namespace

void addAudit(CommandLine& line)
{
    auto options = std::make_shared<AuditOptions>();
    CLI::App* command = line.app.add_subcommand("audit", "Check published claims against the data");
    addStudyOption(*command, options->study);
    command
        ->add_option(
            "--claims", options->claims,
            "JSON file with claimed fits, settings and scaling (docs/exchange.md); STUDY-claims.json if not "
            "given")
        ->type_name("FILE");
    command->callback([&line, options] { line.exitStatus = runAudit(*options); });
}

} // namespace quadric::app
