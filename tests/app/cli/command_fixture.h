// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace quadric::test {

using Json = nlohmann::json;

struct CommandResult {
    int status = -1; ///< exit status, −1 when a signal ended the program
    std::string out, err;
    Json json() const { return Json::parse(out); }
};

/// Runs the real program in a folder of its own.
class CommandTest : public ::testing::Test {
protected:
    void SetUp() override;
    void TearDown() override;

    CommandResult quadric(const std::vector<std::string>& arguments) const;
    /// The same with another program.
    CommandResult program(const std::filesystem::path& path, const std::vector<std::string>& arguments) const;

    std::string file(const std::string& name) const { return (m_folder / name).string(); }
    /// A copy of an example study; returns its path.
    std::string example(const std::string& name) const;
    void write(const study::Study& study, const std::string& name) const;
    /// Gives every response of the study in this file the model; without one all is left to the runs.
    void giveModel(const std::string& name, const std::string& model = {}) const;
    Json readJson(const std::string& name) const;
    void writeText(const std::string& name, const std::string& text) const;
    std::string content(const std::string& name) const;

    /// What a command that succeeds answers with --json.
    Json ask(std::vector<std::string> arguments) const;
    /// Wrong use ends with status 2, says nothing on standard output, and names what is wrong.
    void expectWrong(const std::vector<std::string>& arguments, const std::vector<std::string>& words) const;

    std::filesystem::path m_folder;
};

study::Factor numericFactor(const std::string& name, double low, double high);
study::Response response(const std::string& name);

/// Factors a, b and what the fake worker does, and a pending run for each way to behave: "work", "hang", ….
study::Study fakeWorkerStudy(const std::vector<std::string>& behaviors);

/// Three factors a, b, c from 0 to 10 with the runs of a Box–Behnken design, each with y = f(settings).
template <typename Function> study::Study boxBehnkenStudy(Function f);

/// The coded rows of the design for three factors with three center runs, in standard order (Box & Behnken
/// 1960).
const std::vector<std::vector<int>>& boxBehnkenRows();

template <typename Function> study::Study boxBehnkenStudy(Function f)
{
    study::Study study;
    study.name = "closed form";
    study.factors = {numericFactor("a", 0, 10), numericFactor("b", 0, 10), numericFactor("c", 0, 10)};
    study.responses = {response("y")};
    study.benchmark.workload = "none";
    study.design.type = "box-behnken";
    for (const std::vector<int>& row : boxBehnkenRows()) {
        study::Run run;
        run.id = run.order = static_cast<int>(study.runs.size()) + 1;
        const double a = 5.0 + 5.0 * row[0];
        const double b = 5.0 + 5.0 * row[1];
        const double c = 5.0 + 5.0 * row[2];
        run.settings = {{"a", a}, {"b", b}, {"c", c}};
        run.status = study::RunStatus::Done;
        run.results = {{"y", f(a, b, c)}};
        run.provenance.source = study::Source::Typed;
        study.runs.push_back(run);
    }
    return study;
}

} // namespace quadric::test
