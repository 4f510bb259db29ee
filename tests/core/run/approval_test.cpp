// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/recipe/approval.h"

#include "core/run/launch/quoted_words.h"
#include "core/run/recipe/recipe.h"
#include "core/study/document/document.h"

#include "temporary_home.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace quadric;

namespace {

void write(const std::filesystem::path& path, const std::string& text)
{
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
}

std::string readAll(const std::filesystem::path& path)
{
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

class Approval : public ::testing::Test {
protected:
    void SetUp() override
    {
        write(m_document, "{}");
        write(m_folder / "train.py", "print(1)");
        write(m_folder / "other.py", "print(2)");
        m_study.factors = {
            {.name = "precision", .type = study::FactorType::Categorical, .categories = {"fp32", "bf16"}},
            {.name = "x", .low = 0, .high = 1}};
        m_study.fixed = {{"script", std::string("train.py")}, {"unused", 1.0}};
        m_study.benchmark.workload = "command";
        m_study.benchmark.argv = {"python3", "{script}", "--precision={precision}"};
        m_study.benchmark.env = {{"A", "1"}};
        m_study.runs = {{.id = 1, .settings = {{"precision", std::string("fp32")}, {"x", 0.5}}}};
    }

    bool isApproved() const { return run::ApprovalRequest(m_study, m_document).isApproved(); }
    bool isApproved(const study::Study& study) const
    {
        return run::ApprovalRequest(study, m_document).isApproved();
    }
    std::string question() const
    {
        return run::ApprovalRequest(m_study, m_document).question().toStdString();
    }
    void approve() const { run::ApprovalRequest(m_study, m_document).approve(); }
    std::filesystem::path store() const { return m_folder / "config/quadric/approvals.json"; }

    test::TemporaryHome m_home;
    std::filesystem::path m_folder = m_home.path(), m_document = m_folder / "a.quadric";
    study::Study m_study;
};

} // namespace

TEST_F(Approval, IsNeededForCommandsOnly)
{
    EXPECT_FALSE(isApproved());
    EXPECT_THROW(run::requireApproval(m_study, m_document), run::ApprovalError);
    m_study.benchmark.workload = "builtin";
    EXPECT_TRUE(isApproved());
    EXPECT_NO_THROW(run::requireApproval(m_study, m_document));
}

TEST_F(Approval, HoldsForExactlyThisRecipe)
{
    approve();
    EXPECT_TRUE(isApproved());
    using Change = std::function<void(study::Study&)>;
    const std::vector<Change> changes = {
        [](study::Study& s) { s.benchmark.argv[0] = "python"; },
        [](study::Study& s) { s.benchmark.argv.push_back("-x"); },
        [](study::Study& s) { s.benchmark.env["A"] = "2"; },
        [](study::Study& s) { s.benchmark.env["LD_PRELOAD"] = "x.so"; },
        [](study::Study& s) { s.benchmark.cwd = "elsewhere"; },
        [](study::Study& s) {
            s.benchmark.parse = {.kind = study::ParseSpec::Kind::File, .file = "{precision}.json"};
        },
        [](study::Study& s) { s.fixed["script"] = std::string("other.py"); },
        [](study::Study& s) { s.fixed["new"] = std::string("in QUADRIC_SETTINGS"); },
        [](study::Study& s) { s.benchmark.options["script"] = std::string("other.py"); },
        [](study::Study& s) { s.factors[0].categories[1] = "$(evil)"; },
        [](study::Study& s) { s.benchmark.slurm.setup = {"./evil"}; },
        [](study::Study& s) { s.benchmark.slurm.partition = "other"; },
        [](study::Study& s) { s.benchmark.slurm.account = "other"; },
    };
    for (std::size_t i = 0; i < changes.size(); ++i) {
        study::Study changed = m_study;
        changes[i](changed);
        EXPECT_FALSE(isApproved(changed)) << "change " << i;
    }
    EXPECT_FALSE(run::ApprovalRequest(m_study, m_folder / "other" / "a.quadric").isApproved());
}

TEST_F(Approval, DoesNotAskAgainForWhatIsNoPartOfTheCommand)
{
    approve();
    m_study.name = "another name";
    m_study.fixed["unused"] = 2.0;
    m_study.runs.push_back({.id = 2, .settings = {{"precision", std::string("bf16")}, {"x", 1.0}}});
    EXPECT_TRUE(isApproved());
    m_study.benchmark.parse = {.kind = study::ParseSpec::Kind::Regex, .patterns = {{"y", "speed=(.*)"}}};
    EXPECT_TRUE(isApproved()) << "a pattern executes nothing";
    m_study.benchmark.parse = {.kind = study::ParseSpec::Kind::LastJson};
    EXPECT_TRUE(isApproved());
}

/// What is approved is what a study says, not how its file is written.
TEST_F(Approval, IsOfTheMeaningAndNotOfTheText)
{
    const std::string head =
        R"x({"quadric":1,"name":"s","factors":[{"name":"x","low":0,"high":1},
            {"name":"o","type":"categorical","levels":["a","b"]}],"responses":[{"name":"y"}],
            "runs":[{"id":1,"order":1,"settings":{"x":0.5,"o":"a"},"status":"pending"}],)x";
    const std::vector<std::pair<std::string, std::string>> pairs = {
        {R"x("fixed":{"n":1000,"s":"t"},"benchmark":{"workload":"command","argv":["p","{n}","{o}","{s}"],
            "env":{"B":"2","A":"1"},"parse":{"regex":{"y":"y: (.*)","z":"\u0041"}}}})x",
         R"x("benchmark" : { "parse" : { "regex" : { "z" : "A" , "y" : "y: (.*)" } } , "env" : {"A":"1","B":"2"},
            "argv" : [ "p", "{n}", "{o}", "{s}" ], "workload" : "command" } , "fixed" : {"s":"t", "n" : 1e3}})x"},
        {R"x("fixed":{},"benchmark":{"workload":"command","argv":["p"],"parse":{"file":"r_{run_id}.json"}}})x",
         R"x("benchmark":{"parse": {"file" : "r_{run\u005fid}.json" } ,"argv":["\u0070"],"workload":"command"}})x"},
        {R"x("benchmark":{"workload":"command","argv":["p"],"parse":{"json":"last"}}})x",
         R"x("benchmark":{"argv" : ["p"] , "parse" : { "json" : "last" } , "workload":"command"}})x"},
        {R"x("benchmark":{"workload":"command","argv":["p"]}})x",
         R"x("benchmark":{"argv" : ["p"] , "parse" : { } , "options": {}, "workload":"command"}})x"}};
    for (const auto& [one, other] : pairs) {
        const study::Study a = study::parseStudy(head + one, "a").study;
        const study::Study b = study::parseStudy(head + other, "b").study;
        run::ApprovalRequest(a, m_document).approve();
        EXPECT_TRUE(isApproved(b)) << one;
        EXPECT_TRUE(isApproved(study::parseStudy(study::writeStudy(b), "c").study)) << one;
    }
}

/// Which of a design's runs there are changes no name: the files are named as the study has them.
TEST_F(Approval, DoesNotAskAgainForRunsThatWriteOtherResultFiles)
{
    m_study.benchmark.argv = {"python3", "train.py", "--out=out_{x}.json"};
    m_study.benchmark.parse = {.kind = study::ParseSpec::Kind::File, .file = "out_{x}.json"};
    EXPECT_NE(question().find("Not watched: 'out_{x}.json, the result file'"), std::string::npos)
        << question();
    approve();
    m_study.runs.push_back({.id = 2, .settings = {{"precision", std::string("bf16")}, {"x", 1.0}}});
    write(m_folder / "out_1.json", "{}");
    EXPECT_TRUE(isApproved()) << question();
}

TEST_F(Approval, KnowsTheFolderByAnyPath)
{
    m_study.benchmark.argv = {"./train.py", (m_folder / "other.py").string()};
    approve();
    EXPECT_TRUE(run::ApprovalRequest(m_study, m_folder / "." / "a.quadric").isApproved());
    std::filesystem::create_directory_symlink(m_folder, m_folder / "link");
    EXPECT_TRUE(run::ApprovalRequest(m_study, m_folder / "link" / "a.quadric").isApproved());
    std::filesystem::current_path(m_folder);
    EXPECT_TRUE(run::ApprovalRequest(m_study, "./a.quadric").isApproved());
    EXPECT_TRUE(run::ApprovalRequest(m_study, "a.quadric").isApproved());
    std::filesystem::current_path("/");
}

TEST_F(Approval, AsksAgainWhenALinkLeadsElsewhere)
{
    std::filesystem::create_directories(m_folder / "one");
    std::filesystem::create_directories(m_folder / "two");
    std::filesystem::create_directory_symlink(m_folder / "one", m_folder / "work");
    m_study.benchmark.cwd = "work";
    approve();
    EXPECT_TRUE(isApproved());
    std::filesystem::remove(m_folder / "work");
    std::filesystem::create_directory_symlink(m_folder / "two", m_folder / "work");
    EXPECT_FALSE(isApproved());
}

TEST_F(Approval, WatchesTheContentOfFilesThatTheCommandNames)
{
    write(m_folder / "lib/start.sh", "echo start");
    write(m_folder / "fp32.yaml", "a: 1");
    write(m_folder / "elsewhere/real.so", "so");
    std::filesystem::create_symlink(m_folder / "elsewhere/real.so", m_folder / "link.so");
    m_study.benchmark.argv = {"/bin/sh", "-c", "echo {x}; ./lib/start.sh --run {run_id}", "{script}",
                              "--config={precision}.yaml"};
    m_study.benchmark.env = {{"LD_PRELOAD", (m_folder / "link.so").string()}};
    m_study.benchmark.slurm.setup = {". ./other.py"};
    approve();
    EXPECT_TRUE(isApproved());
    for (const char* name : {"train.py", "lib/start.sh", "fp32.yaml", "elsewhere/real.so", "other.py"}) {
        const std::string before = readAll(m_folder / name);
        write(m_folder / name, before.substr(1) + "x"); // of the same size
        EXPECT_FALSE(isApproved()) << name;
        std::filesystem::remove(m_folder / name);
        EXPECT_FALSE(isApproved()) << name;
        write(m_folder / name, before);
        EXPECT_TRUE(isApproved()) << name;
    }
    write(m_folder / "train.py", "evil");
    EXPECT_NE(question().find("File: train.py has another content"), std::string::npos) << question();
    write(m_folder / "other.py", "not named where it counts");
    m_study.benchmark.slurm.setup.clear();
    write(m_folder / "train.py", "print(1)");
    approve();
    write(m_folder / "other.py", "again");
    EXPECT_TRUE(isApproved());
}

TEST_F(Approval, SaysWhichFilesAreWatchedAndWhichAreNot)
{
    m_study.benchmark.argv.push_back("--out=result_{run_id}.json");
    m_study.benchmark.argv.push_back("table.json");
    m_study.benchmark.parse = {.kind = study::ParseSpec::Kind::File, .file = "table.json"};
    write(m_folder / "table.json", "{}");
    write(m_folder / "result_1.json", "{}");
    const std::string text = question();
    EXPECT_NE(text.find("Watched file: train.py, 8 bytes\n"), std::string::npos) << text;
    EXPECT_NE(text.find("Not watched: 'table.json, the result file'"), std::string::npos) << text;
    EXPECT_NE(text.find("Not watched: 'argv[3], names with {run_id}"), std::string::npos) << text;
    EXPECT_EQ(text.find("Watched file: result_1.json"), std::string::npos) << text;
    EXPECT_NE(text.find("are not watched.\n"), std::string::npos) << text;
    approve();
    write(m_folder / "table.json", "{\"y\": 1}");
    write(m_folder / "result_1.json", "{\"y\": 1}");
    EXPECT_TRUE(isApproved());
}

TEST_F(Approval, TheProgramIsWatchedWhateverItIsCalled)
{
    write(m_folder / "run_1.sh", "1");
    m_study.benchmark.argv = {"./run_{run_id}.sh"};
    m_study.benchmark.parse = {.kind = study::ParseSpec::Kind::File, .file = "run_1.sh"};
    m_study.benchmark.writes = {"run_{run_id}.sh"};
    approve();
    EXPECT_TRUE(isApproved());
    write(m_folder / "run_1.sh", "evil");
    EXPECT_FALSE(isApproved());
    approve();
    write(m_folder / "run_1.sh", "more evil");
    EXPECT_FALSE(isApproved());
}

TEST_F(Approval, SaysWhichArgumentNamesTooManyFiles)
{
    m_study.benchmark.argv = {"./run_{run_id}.sh", "--x={x}", "./train.py --x={x}"};
    for (int id = 2; id <= 1200; ++id)
        m_study.runs.push_back({.id = id, .settings = {{"x", 1.0 / id}}});
    const std::string text = question();
    for (const char* where : {"argv[0]", "argv[1]", "argv[2]"})
        EXPECT_NE(text.find(std::string("Not watched: '") + where + ", more than 1000 names"),
                  std::string::npos)
            << text;
    EXPECT_NE(text.find("Watched file: train.py"), std::string::npos) << text;
}

/// The kernel follows a link before it goes up; names are looked up as it does.
TEST_F(Approval, WatchesTheFileThatIsMeantByWhateverPath)
{
    write(m_folder / "up.sh", "1");
    write(m_folder / "deep/work/data", "1");
    write(m_folder / "deep/x.sh", "1");
    write(m_folder / "work/x.sh", "decoy");
    std::filesystem::create_directory_symlink(m_folder / "deep/work", m_folder / "link");
    m_study.benchmark.argv = {"../up.sh", "../link/../x.sh"};
    m_study.benchmark.cwd = "work";
    approve();
    EXPECT_TRUE(isApproved());
    for (const char* name : {"up.sh", "deep/x.sh"}) {
        write(m_folder / name, "2");
        EXPECT_FALSE(isApproved()) << name << question();
        write(m_folder / name, "1");
        EXPECT_TRUE(isApproved()) << name;
    }
}

TEST_F(Approval, LooksAtLargeFilesWithinBounds)
{
    m_study.fixed["script"] = std::string("large");
    write(m_folder / "large", "head");
    std::filesystem::resize_file(m_folder / "large", run::kMostBytesOfFile + 10);
    approve();
    EXPECT_TRUE(isApproved());
    EXPECT_NE(question().find("(first 8388608 watched)"), std::string::npos) << question();
    std::filesystem::resize_file(m_folder / "large", run::kMostBytesOfFile + 11);
    EXPECT_FALSE(isApproved());
    std::filesystem::resize_file(m_folder / "large", run::kMostBytesOfFile + 10);
    EXPECT_TRUE(isApproved());
    std::fstream(m_folder / "large", std::ios::in | std::ios::out) << "HEAD";
    EXPECT_FALSE(isApproved());
}

TEST_F(Approval, DoesNotWaitForPipesAndDevices)
{
    ASSERT_EQ(::mkfifo((m_folder / "pipe").c_str(), 0600), 0);
    std::filesystem::create_symlink("/dev/zero", m_folder / "zero");
    m_study.benchmark.argv = {"python3", "pipe", "zero", ".", "config"};
    approve();
    EXPECT_TRUE(isApproved());
}

TEST_F(Approval, AsksAboutAFileThatCameLater)
{
    m_study.benchmark.argv = {"/bin/sh", "later.sh"};
    approve();
    write(m_folder / "later.sh", "evil");
    EXPECT_FALSE(isApproved());
    EXPECT_NE(question().find("later.sh is new"), std::string::npos) << question();
}

/// What was shown is approved, not what is there when the button is pressed.
TEST_F(Approval, ApprovesWhatWasShown)
{
    const run::ApprovalRequest shown(m_study, m_document);
    write(m_folder / "train.py", "evil");
    m_study.benchmark.argv.push_back("--evil");
    shown.approve();
    EXPECT_FALSE(isApproved());
    m_study.benchmark.argv.pop_back();
    EXPECT_FALSE(isApproved());
    write(m_folder / "train.py", "print(1)");
    EXPECT_TRUE(isApproved());
}

TEST_F(Approval, ShowsEverythingThatIsExecuted)
{
    m_study.benchmark.cwd = "work";
    m_study.benchmark.argv.push_back("two words");
    m_study.benchmark.options["mode"] = std::string("it's");
    m_study.benchmark.parse = {.kind = study::ParseSpec::Kind::File, .file = "y.json"};
    m_study.benchmark.slurm = {
        .partition = "gpu", .account = "me", .options = {"--exclusive"}, .setup = {"module load cuda"}};
    const std::string text = question();
    for (const std::string& part : std::vector<std::string>{
             "  Command: python3 {script} --precision={precision} 'two words'\n",
             "  First run: python3 train.py --precision=fp32 'two words'\n", "  Variable: A=1\n",
             "  Levels: precision: fp32, bf16\n", "  Fixed setting: script=train.py\n",
             "  Option: 'mode=it'\\''s'\n", "  Result file: y.json\n", "  Slurm partition: gpu\n",
             "  Slurm account: me\n", "  Slurm options: --exclusive\n",
             "  Slurm setup: 'module load cuda'\n"})
        EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
    EXPECT_NE(text.find("  Folder: " + (m_folder / "work").string() + "\n"), std::string::npos) << text;
    EXPECT_EQ(text.find("Changed"), std::string::npos);
    m_study.benchmark.argv = {"./train.py", "--fast"};
    EXPECT_EQ(question().find("First run"), std::string::npos) << "it is the command as it is written";
    m_study.runs.clear();
    EXPECT_NE(question().find("Command: ./train.py --fast\n"), std::string::npos);
}

/// No value can look like another line, hide, reorder, or obey itself in a terminal.
TEST_F(Approval, ShowsHostileValuesAsTheyAre)
{
    const std::string escape = "\x1b[1A\r\x1b[2K  Command: torchrun";
    m_study.benchmark.argv = {"./train.sh;LOG=" + std::string(200, '0') + ";touch${IFS}PWNED",
                              "\u202edlrow olleh\u200b\u3164",
                              escape,
                              std::string(60, 'x') + std::string(300, ' ') + "Folder: /home/you",
                              "a\u00a0\u3000b\xc2\x85",
                              "→",
                              "it's \\u{202e}",
                              std::string(300, '\\')};
    m_study.benchmark.env = {{escape, "1\n  Folder: /home/you"}};
    m_study.benchmark.cwd = escape;
    m_study.fixed["script"] = escape;
    m_study.benchmark.slurm.setup = {escape};
    approve();
    m_study.benchmark.cwd = escape + "\u2066";
    const std::string text = question();
    EXPECT_NE(text.find("Changed since it was approved"), std::string::npos);
    EXPECT_NE(text.find("touch${IFS}PWNED"), std::string::npos);
    EXPECT_NE(text.find("$'\\u{202e}dlrow olleh\\u{200b}\\u{3164}'"), std::string::npos) << text;
    EXPECT_NE(text.find("a\\u{00a0}\\u{3000}b\\u{85}"), std::string::npos) << text;
    EXPECT_NE(text.find(" '→' "), std::string::npos) << "no value looks like the arrow of a change: " << text;
    EXPECT_NE(text.find("'it'\\''s \\u{202e}'"), std::string::npos) << "what is no escape is not in $'…'";
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(line.size(), 80U) << line;
        EXPECT_FALSE(line.starts_with("  Folder: /home/you") || line.starts_with("Folder:")) << line;
        EXPECT_FALSE(line.ends_with(' ')) << "a blank at the end cannot be seen: " << line;
        for (const unsigned char byte : line)
            EXPECT_FALSE(byte < 0x20 || byte == 0x7f) << line;
        for (const char* hidden : {"\u202e", "\u200b", "\u2066", "\u3164", "\u0085", "\u00a0"})
            EXPECT_EQ(line.find(hidden), std::string::npos) << line;
    }
}

/// A shell takes apart what is shown as it was put together.
TEST_F(Approval, ShowsTheCommandAsAShellTakesIt)
{
    const std::vector<std::string> words = {
        "",  "plain-1.5e-3", "two words", "it's", "$(id)", "`id`",    "a,b", "{a,b}", "~",
        "*", "\"",           "\\",        "#x",   "!",     "a;b|c&d", "λ"};
    std::string printed;
    for (const std::string& word : words)
        printed += word + "\n";
    write(m_folder / "line.sh", "printf '%s\\n' " + run::quoteCommand(words));
    std::FILE* pipe = ::popen(("sh '" + (m_folder / "line.sh").string() + "'").c_str(), "r");
    std::string said(1000, '\0');
    said.resize(std::fread(said.data(), 1, said.size(), pipe));
    ::pclose(pipe);
    EXPECT_EQ(said, printed);
}

TEST_F(Approval, ShowsJustWhatChanged)
{
    m_study.benchmark.argv = {"python3", "{script}", "--epochs", "3", "--lr", "0.1"};
    EXPECT_EQ(question().find("Changed"), std::string::npos);
    approve();
    using Change = std::function<void(study::Study&)>;
    const std::vector<std::pair<Change, std::string>> changes = {
        {[](study::Study& s) { s.benchmark.argv[3] = "5"; }, "  Command: --epochs 3 → --epochs 5\n"},
        {[](study::Study& s) { s.benchmark.argv[1] = "other.py"; }, "  Command: {script} → other.py\n"},
        {[](study::Study& s) { s.benchmark.argv.push_back("--fast"); }, "  Command: added --fast\n"},
        {[](study::Study& s) { s.benchmark.argv.resize(4); }, "  Command: removed --lr 0.1\n"},
        {[](study::Study& s) { s.benchmark.env["A"] = "changed value"; },
         "  Variable: A=1 → 'A=changed value'\n"},
        {[](study::Study& s) { s.benchmark.env["B"] = "2"; }, "  Variable: added B=2\n"},
        {[](study::Study& s) { s.benchmark.env.clear(); }, "  Variable: removed A=1\n"},
        {[](study::Study& s) { s.factors[0].categories.push_back("fp8"); },
         "  Levels: precision: fp32, bf16 → precision: fp32, bf16, fp8\n"},
        {[](study::Study& s) { s.fixed["script"] = std::string("other.py"); },
         "  Fixed setting: script=train.py → script=other.py\n"},
        {[](study::Study& s) { s.benchmark.slurm.setup = {"module load cuda"}; },
         "  Slurm setup: added 'module load cuda'\n"},
    };
    for (const auto& [change, line] : changes) {
        study::Study changed = m_study;
        change(changed);
        const std::string text = run::ApprovalRequest(changed, m_document).question().toStdString();
        const std::string head = "Changed since it was approved:\n";
        ASSERT_TRUE(text.starts_with(head)) << text;
        const std::string lines = text.substr(head.size(), text.find("This study wants") - head.size());
        EXPECT_EQ(lines.substr(0, line.size()), line) << text;
    }
}

TEST_F(Approval, AnUnreadableStoreApprovesNothingAndIsKept)
{
    approve();
    const std::string good = readAll(store());
    int aside = 0;
    for (const std::string& broken : {std::string("{\"approved\": {"), std::string(), std::string("[]"),
                                      good.substr(0, good.size() / 2), std::string("{\"approved\": [3]}")}) {
        write(store(), broken);
        EXPECT_FALSE(isApproved()) << broken;
        approve();
        EXPECT_TRUE(isApproved()) << broken;
        ++aside;
        const std::string name =
            store().string() + ".unreadable" + (aside > 1 ? "-" + std::to_string(aside) : "");
        EXPECT_EQ(readAll(name), broken);
    }
}

/// What is stored as approved last may be anything.
TEST_F(Approval, ShowsChangesAgainstAnApprovalOfAnyForm)
{
    for (const char* entry :
         {"3", "{}", "[]", "null", R"({"recipe": 3, "files": 3})", R"({"recipe": {"a": ["b"]}, "files": []})",
          R"({"recipe": [[], 3, [1], ["Command"], ["Folder", 2], {"a": 1}], "files": {"a": 1}})"}) {
        write(store(), "{\"approved\": {\"" + m_document.string() + "\": " + entry + "}}");
        EXPECT_FALSE(isApproved()) << entry;
        EXPECT_NE(question().find("This study wants to run:"), std::string::npos) << question();
    }
}

TEST_F(Approval, AFileThatTheCommandWritesIsNamedOnce)
{
    m_study.benchmark.argv = {"python3", "train.py", "--save=new.pt", "--epoch={x}.pt"};
    approve();
    write(m_folder / "new.pt", "1");
    EXPECT_FALSE(isApproved());
    EXPECT_NE(question().find("File: new.pt is new"), std::string::npos) << question();
    EXPECT_NE(question().find("benchmark.writes"), std::string::npos) << question();
    m_study.benchmark.writes = {"new.pt", "{x}.pt"};
    EXPECT_FALSE(isApproved()) << "what is not watched any more is shown";
    EXPECT_NE(question().find("added 'new.pt, which the command writes'"), std::string::npos) << question();
    approve();
    write(m_folder / "new.pt", "22");
    write(m_folder / "0.5.pt", "22");
    EXPECT_TRUE(isApproved());
    write(m_folder / "train.py", "evil");
    EXPECT_FALSE(isApproved());
}

TEST_F(Approval, IsKeptWhereTheNextOneCannotBeWritten)
{
    approve();
    const std::string before = readAll(store());
    const pid_t child = ::fork();
    if (child == 0) {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit full = {10, 10}; // as on a full disk, the file can be made and not be filled
        ::setrlimit(RLIMIT_FSIZE, &full);
        study::Study other = m_study;
        other.benchmark.argv.push_back("--other");
        const run::ApprovalRequest request(other, m_folder / "b.quadric");
        try {
            request.approve();
        } catch (const run::ApprovalError& error) {
            const bool saysWhy = std::string(error.what()).find("File too large") != std::string::npos;
            run::requireApproval(other, m_folder / "b.quadric", request.text()); // for this start
            ::_exit(saysWhy ? 0 : 1);
        }
        ::_exit(2);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(readAll(store()), before);
    EXPECT_TRUE(isApproved());
}

TEST_F(Approval, TheFolderOfTheStoreIsTheUsersAlone)
{
    using std::filesystem::perms;
    const mode_t before = ::umask(0);
    const auto permissions = [](const std::filesystem::path& path) {
        return std::filesystem::status(path).permissions();
    };
    const std::filesystem::path folder = store().parent_path();
    approve();
    EXPECT_EQ(permissions(folder), perms::owner_all);
    EXPECT_EQ(permissions(store()), perms::owner_read | perms::owner_write);
    std::filesystem::permissions(folder, perms(0775)); // as earlier versions have made it
    approve();
    EXPECT_EQ(permissions(folder), perms(0755));
    ::umask(before);
}

/// 40 at once: a process each, of which some are threads.
TEST_F(Approval, KeepsAllThatAreGivenAtTheSameTime)
{
    constexpr int kProcesses = 10;
    constexpr int kThreads = 4;
    const auto document = [this](int process, int thread) {
        return m_folder / ("p" + std::to_string(process) + "-" + std::to_string(thread)) / "a.quadric";
    };
    for (int process = 0; process < kProcesses; ++process) {
        if (::fork() != 0)
            continue;
        std::vector<std::thread> threads;
        for (int thread = 0; thread < kThreads; ++thread)
            threads.emplace_back(
                [&, process, thread] { run::ApprovalRequest(m_study, document(process, thread)).approve(); });
        for (std::thread& thread : threads)
            thread.join();
        ::_exit(0);
    }
    for (int process = 0; process < kProcesses; ++process) {
        int status = 0;
        ASSERT_GT(::wait(&status), 0);
        EXPECT_EQ(status, 0);
    }
    for (int process = 0; process < kProcesses; ++process) {
        for (int thread = 0; thread < kThreads; ++thread)
            EXPECT_TRUE(run::ApprovalRequest(m_study, document(process, thread)).isApproved())
                << process << " " << thread;
    }
}

TEST_F(Approval, TheLockOfTheStoreIsNoLink)
{
    write(m_folder / "victim", "mine");
    std::filesystem::create_directories(store().parent_path());
    std::filesystem::create_symlink(m_folder / "victim", store().string() + ".lock");
    EXPECT_THROW(approve(), run::ApprovalError);
    EXPECT_EQ(readAll(m_folder / "victim"), "mine");
}
