// SPDX-License-Identifier: GPL-3.0-or-later
#include "study_fixtures.h"

#include <gmock/gmock.h>

#include <chrono>
#include <sys/stat.h>

namespace quadric::study {
namespace {

using ::testing::AllOf;
using testing::documentWith;
using ::testing::HasSubstr;
using testing::messageOf;
using ::testing::StartsWith;
using testing::TemporaryFolder;

std::string errorOf(const std::string& text)
{
    return messageOf<DocumentError>([&] { static_cast<void>(parseStudy(text, "f.quadric")); });
}

std::string factorError(const std::string& factor)
{
    return errorOf(R"({"quadric": 1, "factors": [)" + factor + "]}");
}

TEST(BadDocumentTest, ANewerFormatIsRefusedWithAdvice)
{
    EXPECT_EQ(errorOf(R"({"quadric": 2, "factors": "other"})"),
              "f.quadric: quadric: the file has format 2 of a newer Quadric, this one reads formats up to 1; "
              "open it "
              "with a newer version");
}

TEST(BadDocumentTest, AFileOfAnotherKindIsRefused)
{
    EXPECT_EQ(errorOf("{}"), "f.quadric: quadric: missing, expected \"quadric\": 1 as in every study file");
    EXPECT_EQ(errorOf("[1]"), "f.quadric: found a list, expected an object");
    EXPECT_THAT(errorOf(""), StartsWith("f.quadric: not a valid JSON document"));
    EXPECT_THAT(errorOf("\x89PNG\r\n"), StartsWith("f.quadric: not a valid JSON document"));
    EXPECT_THAT(errorOf(R"({"quadric": "1"})"), HasSubstr("quadric: found \"1\", expected a whole number"));
}

TEST(BadDocumentTest, WrongTypesNamePathValueAndExpectation)
{
    EXPECT_EQ(factorError(R"({"name": "a", "low": "x", "high": 1})"),
              "f.quadric: factors[0].low: found \"x\", expected a number");
    EXPECT_EQ(factorError(R"({"name": "a", "low": 0})"),
              "f.quadric: factors[0].high: missing, expected a value");
    EXPECT_EQ(factorError(R"({"low": 0, "high": 1})"),
              "f.quadric: factors[0].name: missing, expected a value");
    EXPECT_EQ(
        factorError(R"({"name": "a", "type": "float", "low": 0, "high": 1})"),
        "f.quadric: factors[0].type: found \"float\", expected continuous, integer, discrete or categorical");
    EXPECT_EQ(factorError("3"), "f.quadric: factors[0]: found 3, expected an object");
    EXPECT_EQ(factorError(R"({"name": "a", "type": "integer", "low": 0, "high": 9, "multiple_of": 0})"),
              "f.quadric: factors[0].multiple_of: found 0, expected a whole number of at least 1");
    EXPECT_EQ(errorOf(R"({"quadric": 1, "factors": {}})"),
              "f.quadric: factors: found an object, expected a list");
    EXPECT_EQ(errorOf(documentWith(R"("design": {"randomize": "yes"})")),
              "f.quadric: design.randomize: found \"yes\", expected true or false");
    EXPECT_EQ(errorOf(documentWith(R"("design": {"seed": -1})")),
              "f.quadric: design.seed: found -1, expected a whole number of at least 0");
}

TEST(BadDocumentTest, WrongTypesInResponsesAndRuns)
{
    EXPECT_EQ(errorOf(documentWith(R"("responses": [{"name": "y", "transform": "cube"}])")),
              "f.quadric: responses[0].transform: found \"cube\", expected none, log, sqrt, inverse, "
              "logit or {\"boxcox\": λ}");
    for (const char* bounds : {"5", "[0]", "{}", "[0, 1, 2]"})
        EXPECT_THAT(
            errorOf(documentWith(std::string(R"("responses": [{"name": "y", "bounds": )") + bounds + "}]")),
            HasSubstr("expected two bounds, such as [0, 100], or [0, null] for 0 and above"));
    EXPECT_EQ(errorOf(documentWith(R"("responses": [{"name": "y", "bounds": [100, 0]}])")),
              "f.quadric: responses[0].bounds: of y: the lower bound 100 is not less than the upper bound 0");
    EXPECT_EQ(
        errorOf(documentWith(R"("responses": [{"name": "y", "bounds": [5, null]}])")),
        "f.quadric: responses[0].bounds: of y: the only bound is 5, expected 0 (0 and above) or an upper "
        "bound beside it");
    EXPECT_EQ(
        errorOf(documentWith(R"("responses": [{"name": "y", "shape": [1, 2, 3]}])")),
        "f.quadric: responses[0].shape: found a list, expected one exponent, or two (below and above the "
        "target)");
    EXPECT_EQ(errorOf(documentWith(R"("responses": [{"name": "y", "goal": "target"}])")),
              "f.quadric: responses[0].target: missing, expected a value");
    EXPECT_EQ(errorOf(documentWith(R"("runs": [{"id": 1.5, "settings": {}}])")),
              "f.quadric: runs[0].id: found 1.5, expected a whole number of at least 1");
    EXPECT_EQ(errorOf(documentWith(R"("runs": [{"id": 1, "settings": {"a": true}}])")),
              "f.quadric: runs[0].settings.a: found true, expected a number or a text in quotes");
    EXPECT_EQ(errorOf(documentWith(R"("runs": [{"id": 1, "settings": {"a": "five"}}])")),
              "f.quadric: runs[0].settings.a: \"five\", expected a number");
    EXPECT_EQ(errorOf(documentWith(R"("runs": [{"id": 1, "settings": {"a": 1}, "results": {"y": null}}])")),
              "f.quadric: runs[0].results.y: found null, expected a number");
    EXPECT_EQ(errorOf(documentWith(R"("runs": [{"id": 99999999999, "settings": {}}])")),
              "f.quadric: runs[0].id: found 99999999999, expected a whole number of at least 1");
}

TEST(BadDocumentTest, NumbersThatAreNotFiniteAreRefused)
{
    for (const char* number : {"NaN", "nan", "Infinity", "-Infinity", "inf", "0x10", "01", "+1", "1."}) {
        const std::string text = R"({"name": "a", "low": 0, "high": )" + std::string(number) + "}";
        EXPECT_THAT(
            factorError(text),
            AllOf(StartsWith("f.quadric: factors[0].high: not a valid JSON document"), HasSubstr("line 1")))
            << number;
    }
}

TEST(BadDocumentTest, ANumberBeyondTheRangeOfADoubleIsRefused)
{
    EXPECT_EQ(factorError(R"({"name": "a", "low": -1e999, "high": 1})"),
              "f.quadric: factors[0].low: found -1e999, expected a finite number");
}

TEST(BadDocumentTest, BadRangesAreRefused)
{
    EXPECT_EQ(factorError(R"({"name": "a", "low": 5, "high": 5})"),
              "f.quadric: factors[0].low: the low of a, 5, is not less than its high, 5");
    EXPECT_EQ(
        factorError(R"({"name": "a", "low": 0, "high": 5, "scale": "log2"})"),
        "f.quadric: factors[0].scale: the value 0 of a has no logarithm, expected values above 0 or the "
        "linear scale");
    EXPECT_EQ(factorError(R"({"name": "a", "type": "discrete", "levels": [3]})"),
              "f.quadric: factors[0].levels: a has 1 level, expected at least two");
    EXPECT_EQ(factorError(R"({"name": "a", "type": "categorical", "levels": ["x", "x"]})"),
              "f.quadric: factors[0].levels: the level x of a appears twice, expected different levels");
}

TEST(BadDocumentTest, NamesThatAreUsedTwiceAreRefused)
{
    const std::string a = R"({"name": "a", "low": 0, "high": 1})";
    EXPECT_EQ(factorError(a + "," + a),
              "f.quadric: factors[1].name: the name \"a\" is used twice, expected different names");
    EXPECT_EQ(errorOf(documentWith(R"("responses": [{"name": "y"}, {"name": "y"}])")),
              "f.quadric: responses[1].name: the name \"y\" is used twice, expected different names");
    EXPECT_EQ(errorOf(documentWith(
                  R"("runs": [{"id": 3, "settings": {"a": 1}}, {"id": 3, "settings": {"a": 2}}])")),
              "f.quadric: runs[1].id: 3 is used twice, expected an id of its own");
    EXPECT_EQ(errorOf(documentWith(R"("runs": [{"id": 3, "settings": {"a": 1, "a": 2}}])")),
              "f.quadric: runs[0].settings.a: the key appears twice in the same object, expected once");
}

TEST(BadDocumentTest, TextThatIsNotUtf8IsRefused)
{
    EXPECT_THAT(errorOf("{\"quadric\": 1, \"name\": \"\xff\xfe\"}"),
                AllOf(StartsWith("f.quadric: name: not a valid JSON document"), HasSubstr("UTF-8")));
}

TEST(BadDocumentTest, EveryTruncationIsRefused)
{
    const std::string whole = writeStudy(testing::smallStudy());
    const std::string trimmed = whole.substr(0, whole.size() - 1); // less the last line break
    for (std::size_t size = 0; size < trimmed.size(); ++size)
        EXPECT_THAT(errorOf(trimmed.substr(0, size)), StartsWith("f.quadric: ")) << size;
}

TEST(BadDocumentTest, DeepNestingIsRefusedAtOnce)
{
    const auto start = std::chrono::steady_clock::now();
    const std::string deep(1'000'000, '[');
    EXPECT_THAT(errorOf(deep), HasSubstr("nested more than 64 levels deep"));
    EXPECT_THAT(errorOf(R"({"quadric": 1, "x": )" + deep), HasSubstr("nested more than 64 levels deep"));
    std::string objects;
    for (int i = 0; i < 1'000'000; ++i)
        objects += "{\"a\":";
    EXPECT_THAT(errorOf(objects), HasSubstr("nested more than 64 levels deep"));
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

TEST(BadDocumentTest, OverlongTextsAreRefused)
{
    EXPECT_EQ(errorOf(R"({"quadric": 1, "name": ")" + std::string(2'000'000, 'x') + "\"}"),
              "f.quadric: name: a text of 2000000 bytes, expected at most 1048576");
    EXPECT_EQ(errorOf(std::string((std::size_t{64} << 20) + 1, ' ')),
              "f.quadric: 67108865 bytes, expected at most 67108864");
}

TEST(BadDocumentTest, MessagesStayShort)
{
    EXPECT_LT(factorError(R"({"name": "a", "low": ")" + std::string(100'000, 'x') + "\"}").size(), 300U);
    EXPECT_LT(errorOf("{\"quadric\": 1, \"name\": \"" + std::string(100'000, 'x')).size(), 600U);
}

TEST(BadDocumentTest, FilesThatCannotBeReadSayWhy)
{
    const TemporaryFolder folder;
    const auto errorFor = [](const std::filesystem::path& path) {
        return messageOf<DocumentError>([&] { static_cast<void>(loadStudy(path)); });
    };
    EXPECT_EQ(errorFor(folder / "none.quadric"),
              (folder / "none.quadric").string() + ": cannot be read: No such file or directory");
    EXPECT_THAT(errorFor(folder.path()), HasSubstr("a folder, expected a file"));
    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    EXPECT_THAT(errorFor(folder / "pipe"), HasSubstr("not an ordinary file"));
    testing::writeFile(folder / "large", "");
    std::filesystem::resize_file(folder / "large", (std::uintmax_t{64} << 20) + 1);
    EXPECT_THAT(errorFor(folder / "large"), HasSubstr("67108865 bytes, expected at most"));
}

TEST(BadDocumentTest, ABadFileIsLeftAsItIs)
{
    const TemporaryFolder folder;
    const std::string bad = R"({"quadric": 1, "factors": [)";
    testing::writeFile(folder / "bad.quadric", bad);
    EXPECT_THROW(static_cast<void>(loadStudy(folder / "bad.quadric")), DocumentError);
    EXPECT_EQ(testing::contentOf(folder / "bad.quadric"), bad);
}

} // namespace
} // namespace quadric::study
