// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/recipe/watched_files.h"

#include "core/run/recipe/recipe.h"
#include "core/study/files/file.h"

#include <QCryptographicHash>

#include <algorithm>
#include <array>
#include <climits>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace quadric::run {

namespace {

namespace fs = std::filesystem;

/// Words that one argument may become over all runs before it is given up.
constexpr std::size_t kMostWords = 1000;

/// The argument itself, and what stands between blanks and signs in it: "--config=a.yaml", "./x.sh; ./y.sh".
void addWords(const std::string& text, std::set<std::string>& words)
{
    constexpr std::string_view kSeparators = " \t\r\n\"'`=:,;|&()<>@$[]{}";
    words.insert(text);
    for (std::size_t start = 0; start < text.size() && words.size() <= kMostWords;) {
        const std::size_t end = std::min(text.find_first_of(kSeparators, start), text.size());
        if (end > start)
            words.insert(text.substr(start, end - start));
        start = end + 1;
    }
}

bool mentionsRunId(const std::string& text)
{
    const std::vector<std::string> names = placeholdersOf(text);
    return std::ranges::find(names, "run_id") != names.end();
}

bool isWithin(const fs::path& path, const fs::path& folder)
{
    const fs::path relative = path.lexically_relative(folder);
    return !relative.empty() && *relative.begin() != "..";
}

fs::path canonicalOf(const fs::path& path)
{
    std::error_code error;
    fs::path canonical = fs::weakly_canonical(path, error);
    return error ? path : canonical;
}

class NameFinder {
public:
    NameFinder(const study::Study& study, const fs::path& document)
        : m_study(study)
        , m_launchFolder(workingFolder(study, document))
        , m_folder(canonicalOf(m_launchFolder))
        , m_studyFolder(canonicalOf(fs::absolute(document).parent_path()))
        , m_common(workerSettings(study, study::Run()))
    {
        for (const study::Factor& factor : study.factors)
            m_factors.insert(factor.name);
    }

    FileNames find()
    {
        const study::Benchmark& benchmark = m_study.benchmark;
        if (benchmark.workload == "command") {
            for (std::size_t i = 1; i < benchmark.argv.size(); ++i)
                addTemplate("argv[" + std::to_string(i) + "]", benchmark.argv[i]);
            for (const auto& [name, value] : benchmark.env)
                addTemplate("env." + name, value);
            if (!benchmark.argv.empty())
                addPrograms(benchmark.argv.front());
            if (benchmark.parse.kind == study::ParseSpec::Kind::File)
                leaveOut(benchmark.parse.file, ", the result file");
            for (const std::string& file : benchmark.writes)
                leaveOut(file, ", which the command writes");
        }
        for (const std::vector<std::string>* lines : {&benchmark.slurm.options, &benchmark.slurm.setup})
            for (const std::string& line : *lines)
                addAll("slurm: " + line, wordsOf({line}));
        return std::move(m_names);
    }

private:
    /// The values of these names in a run. Without `runIds` the place of {run_id} is taken by a character
    /// that is in no name of a file.
    study::Settings valuesOf(const std::vector<std::string>& names, const study::Run& run, bool runIds) const
    {
        study::Settings values;
        for (const std::string& name : names) {
            const auto own = m_factors.contains(name) ? run.settings.find(name) : run.settings.end();
            const auto common = m_common.find(name);
            if (own != run.settings.end())
                values[name] = own->second;
            else if (common != m_common.end())
                values[name] = common->second;
        }
        if (runIds)
            values["run_id"] = static_cast<double>(run.id);
        else
            values["run_id"] = std::string(1, '\0');
        return values;
    }

    static study::Settings blanks(const std::string& text)
    {
        study::Settings values;
        for (const std::string& name : placeholdersOf(text))
            values[name] = std::string(1, '\0');
        return values;
    }

    /// What a template becomes in the runs; more than kMostWords texts are not collected.
    std::set<std::string> fill(const std::string& text, bool runIds) const
    {
        const std::vector<std::string> names = placeholdersOf(text);
        if (names.empty())
            return {fillTemplate(text, {})};
        std::set<std::string> texts;
        for (const study::Run& run : m_study.runs) {
            try {
                texts.insert(fillTemplate(text, valuesOf(names, run, runIds)));
            } catch (const RecipeError&) {
                continue; // a run without this setting is refused when it is to start
            }
            if (texts.size() > kMostWords)
                break;
        }
        return texts;
    }

    static std::set<std::string> wordsOf(const std::set<std::string>& texts)
    {
        std::set<std::string> words;
        for (const std::string& text : texts) {
            addWords(text, words);
            if (words.size() > kMostWords)
                break;
        }
        return words;
    }

    void addTemplate(const std::string& where, const std::string& text)
    {
        if (mentionsRunId(text))
            m_names.unwatched.push_back(where + ", names with {run_id}: the files of one run");
        addAll(where, wordsOf(fill(text, false)));
        addAll(where, wordsOf({fillTemplate(text, blanks(text))})); // however many runs there are
    }

    /// As it is going to be started (see locateProgram()).
    void addPrograms(const std::string& text)
    {
        const std::set<std::string> programs = fill(text, true);
        if (programs.size() > kMostWords)
            m_names.unwatched.push_back("argv[0], more than " + std::to_string(kMostWords) + " names");
        for (const std::string& program : programs) {
            const fs::path path = locateProgram(program, m_launchFolder).toStdString();
            if (fs::path(program).is_absolute() ? isNear(path)
                                                : program.find('/') != program.npos || isNear(path))
                m_programs.insert(add(path));
        }
    }

    void addAll(const std::string& where, const std::set<std::string>& words)
    {
        if (words.size() > kMostWords) {
            const std::string note = where + ", more than " + std::to_string(kMostWords) + " names";
            if (m_names.unwatched.empty() || m_names.unwatched.back() != note)
                m_names.unwatched.push_back(note);
            return;
        }
        for (const std::string& word : words) {
            if (word.empty() || word.size() >= PATH_MAX || word.find('\0') != word.npos)
                continue;
            if (!fs::path(word).is_absolute() || isNear(word))
                add(m_folder / word);
        }
    }

    /// In the working folder or the study's, also as a link that leads out of it.
    bool isNear(const fs::path& path) const
    {
        return std::ranges::any_of(std::array{canonicalOf(path), canonicalOf(path.parent_path())},
                                   [this](const fs::path& place) {
                                       return isWithin(place, m_folder) || isWithin(place, m_studyFolder);
                                   });
    }

    /// Its name. "a/../b" is not shortened: a may be a link.
    std::string add(const fs::path& path)
    {
        const bool isPlain = std::ranges::find(path, fs::path("..")) == path.end();
        const fs::path place = isPlain ? path.lexically_normal() : path;
        m_names.paths[nameOf(place)] = place;
        return nameOf(place);
    }

    std::string nameOf(const fs::path& path) const
    {
        for (const fs::path& folder : {m_launchFolder, m_folder}) {
            if (isWithin(path, folder))
                return path.lexically_relative(folder).string();
        }
        return path.string();
    }

    /// What the command writes, but for the program itself. Named as the study has it: which runs there are
    /// is no part of the recipe.
    void leaveOut(const std::string& text, const char* why)
    {
        bool isAny = false;
        for (const std::string& file : fill(text, true)) {
            const std::string name = nameOf((m_folder / file).lexically_normal());
            isAny = (!m_programs.contains(name) && m_names.paths.erase(name) > 0) || isAny;
        }
        if (isAny)
            m_names.unwatched.push_back(text + why);
    }

    const study::Study& m_study;
    fs::path m_launchFolder, m_folder, m_studyFolder;
    study::Settings m_common; ///< of all runs
    std::set<std::string> m_factors;
    std::set<std::string> m_programs; ///< names of those that argv[0] stands for
    FileNames m_names;
};

/// A regular file, open for reading; a pipe or device is not waited for.
study::FileHandle openRegular(const fs::path& path, struct stat& status)
{
    study::FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    const bool isRegular = file.isOpen() && ::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode);
    return isRegular ? std::move(file) : study::FileHandle();
}

bool isRegularFile(const fs::path& path, struct stat& status)
{
    return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

FileDigest digestOf(const fs::path& path, struct stat status, std::uint64_t mostBytes)
{
    FileDigest digest{.size = static_cast<std::uint64_t>(status.st_size)};
    const study::FileHandle file = openRegular(path, status);
    if (!file.isOpen())
        return digest;
    digest.size = static_cast<std::uint64_t>(status.st_size);
    QCryptographicHash hash(QCryptographicHash::Sha256);
    std::array<char, 65536> block = {};
    while (digest.looked < mostBytes) {
        const auto wanted = std::min<std::uint64_t>(block.size(), mostBytes - digest.looked);
        const ssize_t count = ::read(file.get(), block.data(), wanted);
        if (count <= 0)
            break;
        hash.addData(QByteArray::fromRawData(block.data(), count));
        digest.looked += static_cast<std::uint64_t>(count);
    }
    digest.sha256 = hash.result().toHex().toStdString();
    return digest;
}

} // namespace

FileNames findFileNames(const study::Study& study, const std::filesystem::path& document)
{
    return NameFinder(study, document).find();
}

FileDigests digestFiles(const FileNames& names)
{
    FileDigests digests;
    std::uint64_t left = kMostBytesOfFiles;
    for (const auto& [name, path] : names.paths) {
        struct stat status = {};
        if (!isRegularFile(path, status))
            continue;
        const FileDigest digest = digestOf(path, status, std::min(left, kMostBytesOfFile));
        left -= digest.looked;
        digests[name] = digest;
    }
    return digests;
}

} // namespace quadric::run
