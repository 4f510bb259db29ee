// SPDX-License-Identifier: GPL-3.0-or-later
// A pattern and what a program prints, separated by a NUL byte: by pattern, as the last JSON object and as a
// result file there are finite numbers or a failure in words.
#include "core/run/recipe/output_parse.h"
#include "core/run/recipe/result_pattern.h"

#include "fuzz.h"

#include <cmath>

using namespace quadric;

namespace {

void check(const std::variant<run::Result, study::Failure>& parsed)
{
    if (const auto* failure = std::get_if<study::Failure>(&parsed)) {
        fuzz::expect(!failure->kind.empty() && !failure->message.empty(), "a failure without words");
        return;
    }
    for (const auto& [name, value] : std::get<run::Result>(parsed).responses)
        fuzz::expect(std::isfinite(value), "a result is not finite: " + name);
}

void readByPattern(const std::string& pattern, std::string_view output)
{
    if (run::findPatternProblem(pattern).empty())
        check(
            run::parseOutput({.kind = study::ParseSpec::Kind::Regex, .patterns = {{"y", pattern}}}, output));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const fuzz::Folder folder;
    const std::string_view text = fuzz::textOf(data, size);
    const std::size_t end = std::min(text.find('\0'), text.size());
    const std::string_view output = text.substr(std::min(end + 1, text.size()));
    readByPattern(std::string(text.substr(0, end)), output);
    study::ParseSpec spec;
    spec.kind = study::ParseSpec::Kind::LastJson;
    check(run::parseOutput(spec, output));
    spec.file = "result.json";
    folder.write(spec.file, output);
    check(run::parseResultFile(spec, folder / ".", {}));
    return 0;
}
