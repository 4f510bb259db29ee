// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/base/command.h"

namespace quadric::app {

/// Each adds one command with its options; the work is done while the command line is parsed.
void addNew(CommandLine& line);
void addDesign(CommandLine& line);
void addEvaluate(CommandLine& line);
void addRun(CommandLine& line);
void addControl(CommandLine& line);
void addStatus(CommandLine& line);
void addInfo(CommandLine& line);
void addAnalyze(CommandLine& line);
void addPredict(CommandLine& line);
void addOptimize(CommandLine& line);
void addNext(CommandLine& line);
void addPlan(CommandLine& line);
void addPlot(CommandLine& line);
void addReport(CommandLine& line);
void addImport(CommandLine& line);
void addExport(CommandLine& line);
void addAudit(CommandLine& line);
void addCompare(CommandLine& line);
void addDerive(CommandLine& line);
void addWorkload(CommandLine& line);
void addThumbnail(CommandLine& line);

} // namespace quadric::app
