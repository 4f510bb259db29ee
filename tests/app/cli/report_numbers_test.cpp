// SPDX-License-Identifier: GPL-3.0-or-later
// Every number of `analyze --json` stands in the report, rounded as the report says.
#include "command_fixture.h"
#include "report_studies.h"

#include "core/study/document.h"

#include <cmath>
#include <cstdio>
#include <memory>
#include <regex>

namespace quadric::test {

namespace {

void replaceAll(std::string& text, const std::string& from, const std::string& to)
{
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

/// "1.2e-³²" → "1.2e-32".
std::string withPlainExponents(const std::string& text)
{
    static const std::regex kExponent("e[+-](?:[0-9]|²|³)+");
    std::string plain;
    auto rest = text.cbegin();
    for (std::sregex_iterator match(text.begin(), text.end(), kExponent), end; match != end; ++match) {
        plain.append(rest, (*match)[0].first);
        std::string exponent = (*match)[0].str();
        replaceAll(exponent, "²", "2");
        replaceAll(exponent, "³", "3");
        plain += exponent;
        rest = (*match)[0].second;
    }
    return plain.append(rest, text.cend());
}

/// The words of a PDF in the order in which they were drawn, signs as ASCII, white space as single spaces.
std::string wordsOf(const std::string& path)
{
    const std::string command = "pdftotext -raw -enc UTF-8 '" + path + "' -";
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), &::pclose);
    std::string text;
    for (int letter = std::fgetc(pipe.get()); letter != EOF; letter = std::fgetc(pipe.get()))
        text += static_cast<char>(letter);
    const std::pair<const char*, const char*> kSigns[] = {
        {"\u2009", ""}, {"\u202F", ""}, {"\u00A0", " "}, {"\u2212", "-"}, {" × 10⁻", "e-"}, {" × 10", "e+"},
        {"⁰", "0"},     {"¹", "1"},     {"⁴", "4"},      {"⁵", "5"},      {"⁶", "6"},       {"⁷", "7"},
        {"⁸", "8"},     {"⁹", "9"},     {"–", "none"},   {"\n", " "},     {"\f", " "},      {"  ", " "}};
    for (const auto& [from, to] : kSigns)
        replaceAll(text, from, to);
    while (text.find("  ") != std::string::npos)
        replaceAll(text, "  ", " ");
    return withPlainExponents(text);
}

/// A name of a term as it is typeset.
std::string typeset(std::string term)
{
    if (term == "1")
        return "intercept";
    replaceAll(term, "*", " × ");
    replaceAll(term, "^2", "²");
    return term;
}

/// A printed number: what it says, and the distance to the next number that it could have said.
struct Printed {
    std::string text;
    double value = 0.0, step = 0.0;
};

Printed read(const std::string& text)
{
    std::string ungrouped = text;
    std::erase(ungrouped, ' ');
    Printed printed{ungrouped, std::stod(ungrouped), 1.0};
    const std::size_t exponent = ungrouped.find('e');
    const std::string digits = ungrouped.substr(0, exponent);
    if (const std::size_t point = digits.find('.'); point != std::string::npos)
        printed.step = std::pow(10.0, -static_cast<double>(digits.size() - point - 1));
    if (exponent != std::string::npos)
        printed.step *= std::pow(10.0, std::stod(ungrouped.substr(exponent + 1)));
    return printed;
}

/// Whole numbers may have been rounded to tens, hundreds, …: the zeros at their end say so.
double coarsest(const Printed& printed)
{
    if (printed.text.find_first_of(".e") != std::string::npos)
        return printed.step;
    double step = 1.0;
    for (std::size_t i = printed.text.size(); i-- > 1 && printed.text[i] == '0';)
        step *= 10.0;
    return step;
}

/// Reads on through the words of a report, cell by cell.
class Reader {
public:
    explicit Reader(std::string words)
        : m_words(std::move(words))
    {
    }

    /// Goes behind the next occurrence of these words.
    void find(const std::string& words)
    {
        const std::size_t found = m_words.find(words, m_at);
        if (found == std::string::npos) {
            ADD_FAILURE() << "\"" << words << "\" is not in the report after \"" << m_words.substr(m_at, 80)
                          << "\"";
            return;
        }
        m_at = found + words.size();
    }

    /// The next cell is this number, or nothing where there is none. `slack`: the coarsest step allowed.
    void expect(const std::string& what, const Json& number, double slack = 0.0)
    {
        ++m_compared;
        const std::vector<std::string> readings = nextCell();
        for (const std::string& reading : readings)
            if (says(reading, number, slack)) {
                m_at += reading.size() + 1;
                return;
            }
        ADD_FAILURE() << what << ": expected " << number << ", found \"" << m_words.substr(m_at, 40) << "\"";
    }

    int compared() const { return m_compared; }

private:
    /// What the next cell may be, longest first: thousands are separated by spaces, as cells are.
    std::vector<std::string> nextCell() const
    {
        static const std::regex kCell(
            R"(^ (none|[<>] [0-9.]+|-?[0-9]+(\.[0-9]+)?(e[+-][0-9]+)?)(?=[ ,;)]|[.] |$))");
        static const std::regex kGroup(R"(^ [0-9]{3}(\.[0-9]+)?(?=[ ,;)]|[.] |$))");
        std::smatch match;
        std::string rest = m_words.substr(m_at, 80);
        std::vector<std::string> readings;
        for (const std::regex* part = &kCell; std::regex_search(rest, match, *part); part = &kGroup) {
            readings.insert(readings.begin(),
                            readings.empty() ? match[0].str().substr(1) : readings.front() + match[0].str());
            rest = match.suffix();
            if (readings.front().find_first_not_of("-0123456789 ") != std::string::npos)
                break; // no thousands follow a decimal, a bound or a dash
        }
        return readings;
    }

    static bool says(const std::string& cell, const Json& number, double slack)
    {
        if (number.is_null() || cell == "none")
            return number.is_null() && cell == "none";
        const auto value = number.get<double>();
        if (cell.front() == '<' || cell.front() == '>') {
            const double bound = std::stod(cell.substr(2));
            return cell.front() == '<' ? value < bound : value > bound;
        }
        const Printed printed = read(cell);
        if (number.is_number_integer() || value == 0.0)
            return printed.value == value;
        // Zeros at the end are not printed: what is exact to four digits may have fewer.
        const double error = std::abs(printed.value - value);
        const bool isFine = printed.step <= std::max({slack, 0.011, std::abs(value) * 0.1});
        return error <= 0.5 * coarsest(printed) * (1 + 1e-9) && (isFine || error <= 0.0006 * std::abs(value));
    }

    std::string m_words;
    std::size_t m_at = 0;
    int m_compared = 0;
};

void expectStatistics(Reader& reader, const Json& fit)
{
    reader.find(" Meaning R²");
    reader.expect("r2", fit["r2"]);
    reader.find("R² adjusted");
    reader.expect("r2_adj", fit["r2_adj"]);
    reader.find("R² predicted");
    reader.expect("r2_pred", fit["r2_pred"]);
    reader.find("Sigma");
    reader.expect("sigma", fit["sigma"]);
    reader.find("Adequate precision");
    reader.expect("adequate_precision", fit["adequate_precision"]);
    reader.find("Runs");
    reader.expect("n", fit["n"]);
    reader.find("Residual df");
    reader.expect("df_residual", fit["df_residual"]);
    reader.find("PRESS");
    reader.expect("press", fit["press"]);
    if (!fit["aicc"].is_null()) {
        reader.find("AICc");
        reader.expect("aicc", fit["aicc"]);
    }
}

void expectRows(Reader& reader, const std::string& caption, const Json& rows, const std::string& name,
                const std::vector<std::string>& keys)
{
    reader.find(caption);
    for (const Json& row : rows) {
        const std::string label = typeset(row[name].get<std::string>());
        reader.find(" " + label);
        for (const std::string& key : keys)
            reader.expect(caption + ", " + label + ", " + key, row[key]);
    }
}

void expectCoefficients(Reader& reader, const Json& fit)
{
    reader.find("Coefficients in coded units");
    for (const Json& row : fit["coefficients"]) {
        const std::string label = typeset(row["term"].get<std::string>());
        const double se = row["se"].is_null() ? 0.0 : row["se"].get<double>();
        reader.find(" " + label);
        for (const char* key : {"estimate", "se", "t", "p", "low", "high", "vif"})
            reader.expect("coefficient " + label + ", " + key, row[key], se);
    }
    expectRows(reader, "Coefficients in actual units", fit["actual_coefficients"], "term", {"estimate"});
}

/// `factors` in the order of the study.
void expectCanonical(Reader& reader, const Json& canonical, const std::vector<std::string>& factors)
{
    if (canonical.is_null())
        return;
    reader.find("Stationary point and canonical axes");
    std::size_t component = 0;
    for (const std::string& factor : factors) {
        reader.find(" " + factor);
        reader.expect(factor, canonical["stationary_point"][factor]);
        reader.expect(factor + ", coded", canonical["stationary_point_coded"][factor]);
        for (const Json& axis : canonical["eigenvectors"])
            reader.expect(factor + " of an axis", axis[component]);
        ++component;
    }
    reader.find("Eigenvalue");
    for (const Json& value : canonical["eigenvalues"])
        reader.expect("eigenvalue", value);
}

/// The models of rising order, each with what it would be worth.
void expectOrders(Reader& reader, const Json& orders)
{
    reader.find("Fit summary");
    reader.find("AICc");
    for (const Json& row : orders) {
        const std::string label = row["order"].get<std::string>() + (row["suggested"] ? " (suggested)" : "");
        reader.find(" " + label);
        for (const char* key :
             {"parameters", "sequential_p", "lack_of_fit_p", "sigma", "r2", "r2_adj", "r2_pred", "aicc"})
            reader.expect("order " + label + ", " + key, row[key]);
    }
}

/// From where on an effect is more than chance explains.
void expectEffectLimit(Reader& reader, const Json& limit)
{
    if (limit["method"] != "t") {
        reader.find("margin of error");
        return;
    }
    reader.find("|t| =");
    reader.expect("effect limit", limit["value"]);
    reader.find("(Bonferroni)");
    reader.expect("effect limit for all terms", limit["bonferroni"]);
}

/// An end of the interval that lies beyond the powers that were tried is none.
void expectPowers(Reader& reader, const Json& powers)
{
    if (powers.is_null())
        return;
    reader.find("likeliest power of the response is");
    reader.expect("lambda", powers["lambda"]);
    reader.find("95 % interval");
    powers["low"].is_null() ? reader.find("below -5") : reader.expect("least power", powers["low"]);
    reader.find(" to");
    powers["high"].is_null() ? reader.find("above 5") : reader.expect("largest power", powers["high"]);
}

void expectModel(Reader& reader, const Json& fit)
{
    expectStatistics(reader, fit);
    expectOrders(reader, fit["orders"]);
    expectRows(reader, "Analysis of variance Source df", fit["anova"], "source",
               {"df", "ss", "ms", "f", "p"});
    expectRows(reader, "Terms, each given all others", fit["terms"], "source",
               {"df", "ss", "f", "p", "contribution"});
    expectCoefficients(reader, fit);
    expectRows(reader, "Effects Term", fit["effects"], "term", {"effect", "standardized", "p"});
    expectEffectLimit(reader, fit["effect_limit"]);
    expectRows(reader, "Importance of the factors", fit["importance"], "factor", {"main", "total"});
    std::vector<std::string> factors;
    for (const Json& each : fit["importance"])
        factors.push_back(each["factor"]);
    expectCanonical(reader, fit["canonical"], factors);
    expectPowers(reader, fit["boxcox"]);
}

void expectDiagnostics(Reader& reader, const Json& fit)
{
    reader.find("Runs as the model sees them");
    reader.find("DFFITS");
    for (const Json& row : fit["diagnostics"])
        for (const char* key :
             {"run", "order", "observed", "fitted", "residual", "leverage", "internally_studentized",
              "externally_studentized", "cooks_distance", "dffits"})
            reader.expect("diagnostics, " + std::string(key), row[key]);
}

class ReportNumbersTest : public CommandTest {
protected:
    void expectAllNumbers(const std::string& study)
    {
        const CommandResult analysis = quadric({"analyze", study, "--json"});
        ASSERT_EQ(analysis.status, 0) << analysis.err;
        const CommandResult report = quadric({"report", study, "-o", "numbers.pdf", "--sections",
                                              "models,diagnostics", "--title", "ReportOfNumbers"});
        ASSERT_EQ(report.status, 0) << report.err;
        Reader reader(withoutMargins(wordsOf(file("numbers.pdf"))));
        int expected = 0;
        const Json analyzed = analysis.json();
        for (const Json& fit : analyzed["responses"]) {
            reader.find(" " + fit["response"].get<std::string>());
            expectModel(reader, fit);
            expectDiagnostics(reader, fit);
            expected += static_cast<int>(8 * fit["coefficients"].size() + 10 * fit["diagnostics"].size());
        }
        EXPECT_GT(reader.compared(), expected);
    }

    /// Header, footer and the repeated head of the table stand between its rows where it goes over a page.
    static std::string withoutMargins(const std::string& words)
    {
        static const std::regex kMargins(
            R"( ReportOfNumbers [^Q]{0,60}Quadric Page \d+ of \d+( Run Order Observed .{0,120}? DFFITS)?)");
        return std::regex_replace(words, kMargins, "");
    }
};

} // namespace

TEST_F(ReportNumbersTest, TheExampleIsReportedInFull)
{
    expectAllNumbers(example("resnet50-scaling.quadric"));
}

TEST_F(ReportNumbersTest, FiveFactorsAndFourResponsesAreReportedInFull)
{
    write(fiveFactors(), "five.quadric");
    ASSERT_EQ(quadric({"design", "five.quadric", "--type", "box-behnken", "--center", "6"}).status, 0);
    write(finished(study::loadStudy(file("five.quadric")).study), "five.quadric");
    expectAllNumbers("five.quadric");
}

} // namespace quadric::test
