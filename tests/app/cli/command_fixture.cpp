// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_fixture.h"

#include "core/study/document/document.h"
#include "tests/support/test_paths.h"

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <sys/wait.h>

namespace quadric::test {

namespace {

std::string readAll(const std::filesystem::path& path)
{
    std::ifstream in(path, std::ios::binary);
    return std::string((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
}

std::string quoted(const std::string& text)
{
    std::string out = "'";
    for (const char c : text)
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

} // namespace

void CommandTest::SetUp()
{
    std::string pattern = (std::filesystem::temp_directory_path() / "quadric-XXXXXX").string();
    m_folder = ::mkdtemp(pattern.data());
    ::setenv("XDG_CONFIG_HOME", (m_folder / "config").c_str(), 1);
    ::setenv("XDG_RUNTIME_DIR", m_folder.c_str(), 1); // the session's own may be missing, or another user's
    ::setenv("QUADRIC_TRAINER", builtPath("bin/fake_worker"), 1);
}

void CommandTest::TearDown()
{
    std::filesystem::remove_all(m_folder);
}

CommandResult CommandTest::quadric(const std::vector<std::string>& arguments) const
{
    return program(builtPath("bin/quadric"), arguments);
}

CommandResult CommandTest::program(const std::filesystem::path& path,
                                   const std::vector<std::string>& arguments) const
{
    std::string command = "cd " + quoted(m_folder.string()) + " && " + quoted(path.string());
    for (const std::string& argument : arguments)
        command += " " + quoted(argument);
    // Commands may run beside each other: each has files of its own.
    static std::atomic<int> count = 0;
    const std::string call = std::to_string(++count);
    command += " > .out" + call + " 2> .err" + call + " < /dev/null";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, readAll(m_folder / (".out" + call)),
            readAll(m_folder / (".err" + call))};
}

std::string CommandTest::example(const std::string& name) const
{
    std::filesystem::copy_file(std::filesystem::path(sourcePath("resources/examples")) / name,
                               m_folder / name, std::filesystem::copy_options::overwrite_existing);
    return file(name);
}

void CommandTest::write(const study::Study& study, const std::string& name) const
{
    study::saveStudy(study, m_folder / name);
}

void CommandTest::giveModel(const std::string& name, const std::string& model) const
{
    study::Study study = study::loadStudy(m_folder / name).study;
    study.model.clear();
    for (const study::Response& response : study.responses)
        if (!model.empty())
            study.model[response.name] = model;
    write(study, name);
}

Json CommandTest::readJson(const std::string& name) const
{
    return Json::parse(readAll(m_folder / name));
}

void CommandTest::writeText(const std::string& name, const std::string& text) const
{
    std::ofstream(m_folder / name, std::ios::binary) << text;
}

std::string CommandTest::content(const std::string& name) const
{
    return readAll(m_folder / name);
}

Json CommandTest::ask(std::vector<std::string> arguments) const
{
    arguments.emplace_back("--json");
    const CommandResult result = quadric(arguments);
    EXPECT_EQ(result.status, 0) << arguments.front() << ": " << result.err;
    return result.status == 0 ? result.json() : Json();
}

void CommandTest::expectWrong(const std::vector<std::string>& arguments,
                              const std::vector<std::string>& words) const
{
    const CommandResult result = quadric(arguments);
    EXPECT_EQ(result.status, 2) << arguments.front() << ": " << result.err;
    EXPECT_EQ(result.out, "");
    for (const std::string& word : words)
        EXPECT_NE(result.err.find(word), std::string::npos) << "\"" << word << "\" not in: " << result.err;
}

study::Factor numericFactor(const std::string& name, double low, double high)
{
    study::Factor factor;
    factor.name = name;
    factor.low = low;
    factor.high = high;
    return factor;
}

study::Response response(const std::string& name)
{
    study::Response item;
    item.name = name;
    return item;
}

study::Study fakeWorkerStudy(const std::vector<std::string>& behaviors)
{
    study::Study study;
    study.name = "runs";
    study.factors = {numericFactor("a", 0, 100), numericFactor("b", 0, 100)};
    study.factors.push_back({.name = "behave",
                             .type = study::FactorType::Categorical,
                             .categories = {"work", "hang", "crash", "simulated", "disturbed", "slow"}});
    study.responses = {response("speed")};
    for (const std::string& behavior : behaviors) {
        const int id = static_cast<int>(study.runs.size()) + 1;
        study.runs.push_back(
            {.id = id, .order = id, .settings = {{"a", 1.0 * id}, {"b", 3.0}, {"behave", behavior}}});
    }
    return study;
}

const std::vector<std::vector<int>>& boxBehnkenRows()
{
    static const std::vector<std::vector<int>> rows = {
        {-1, -1, 0}, {1, -1, 0}, {-1, 1, 0}, {1, 1, 0}, {-1, 0, -1}, {1, 0, -1}, {-1, 0, 1}, {1, 0, 1},
        {0, -1, -1}, {0, 1, -1}, {0, -1, 1}, {0, 1, 1}, {0, 0, 0},   {0, 0, 0},  {0, 0, 0}};
    return rows;
}

} // namespace quadric::test
