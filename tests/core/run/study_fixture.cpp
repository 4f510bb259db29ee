// SPDX-License-Identifier: GPL-3.0-or-later
#include "study_fixture.h"

#include "core/study/document/document.h"

#include <algorithm>
#include <fstream>

namespace quadric::test {

namespace {

study::Factor numeric(const std::string& name)
{
    study::Factor factor;
    factor.name = name;
    factor.low = 0.0;
    factor.high = 100.0;
    return factor;
}

study::Factor behavior()
{
    study::Factor factor;
    factor.name = "behave";
    factor.type = study::FactorType::Categorical;
    factor.categories = {
        "work",        "hang",   "deaf",        "crash",     "exit",       "nan",
        "missing",     "silent", "memory",      "simulated", "children",   "hang with children",
        "flood",       "slow",   "first good",  "disturbed", "crash once", "eater",
        "sharer",      "noise",  "gigabyte",    "daemons",   "liar",       "full disk",
        "result file", "killed", "tell devices"};
    return factor;
}

study::Run pendingRun(int id, const std::string& behave)
{
    study::Run run;
    run.id = id;
    run.order = id;
    run.settings = {{"a", 1.0 * id}, {"b", 0.5 * id}, {"behave", behave}};
    return run;
}

} // namespace

StudyFixture::StudyFixture(const std::vector<std::string>& behaviors)
    : m_path(std::filesystem::path(m_folder.path().toStdString()) / "study with spaces.quadric")
{
    m_study.name = "fixture";
    m_study.factors = {numeric("a"), numeric("b"), behavior()};
    study::Response response;
    response.name = "speed";
    m_study.responses = {response};
    m_study.design.type = "custom";
    for (std::size_t i = 0; i < behaviors.size(); ++i)
        m_study.runs.push_back(pendingRun(static_cast<int>(i) + 1, behaviors[i]));
    save();
}

void StudyFixture::save() const
{
    study::saveStudy(m_study, m_path);
}

study::Study StudyFixture::load() const
{
    return study::loadStudy(m_path).study;
}

double trueSpeed(const study::Run& run)
{
    return 10.0 * study::numberOf(run.settings.at("a")) + study::numberOf(run.settings.at("b"));
}

std::vector<int> processesWith(const std::string& token)
{
    std::vector<int> found;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        const std::string name = entry.path().filename().string();
        if (!std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; }))
            continue;
        std::ifstream file(entry.path() / "environ", std::ios::binary);
        bool isFound = false;
        // Reading fails, also half way, where the process ends.
        for (std::string variable; !isFound && std::getline(file, variable, '\0');)
            isFound = variable.find(token) != std::string::npos;
        if (isFound)
            found.push_back(std::stoi(name));
    }
    return found;
}

} // namespace quadric::test
