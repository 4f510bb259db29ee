// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/shell/completion.h"
#include "core/study/study.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace quadric::app {

/// What an option takes, stated where the option is declared: what shells offer in its place, and what the
/// parser refuses.
struct Kind {
    /// Words for a value that is being typed, from the study on the line: one without anything where there is
    /// none that can be read.
    using Offer = std::function<Completion(const study::Study& study, const std::string& typed)>;

    Offer offer = {};                                              ///< empty: nothing is offered
    std::function<std::string(const std::string&)> complaint = {}; ///< why a text is refused; "": it is not
    std::string shownCheck = {}; ///< what --help shows of that behind the name of the value
    bool isStudy = false;        ///< a link is followed here, and nowhere later

    static Kind freeText() { return {}; }
    static Kind number() { return {}; }
    /// Others are refused with "--runs: 0, expected a whole number from 1 to 1000".
    static Kind wholeNumber(std::uint64_t least, std::uint64_t most);
    /// Both ends included; others are refused with "--watts: -1, expected 0 or more".
    static Kind numberFrom(double least, double most = std::numeric_limits<double>::infinity());
    static Kind pixels(int least, int most);

    /// Other words are refused as text::describeUnknown() says it.
    static Kind oneOf(const std::vector<std::string>& words);
    /// Others are taken, too.
    static Kind suggested(const std::vector<std::string>& words);
    static Kind suggested(const std::function<Completion()>& words);

    static Kind offering(Files files)
    {
        return {.offer = [files](const study::Study&, const std::string&) { return Completion{{}, files}; }};
    }
    static Kind file() { return offering(Files::Any); }
    static Kind studyFile()
    {
        Kind kind = offering(Files::Studies);
        kind.isStudy = true;
        return kind;
    }
    static Kind folder() { return offering(Files::Folders); }

    static Kind factor();
    static Kind numericFactor();
    static Kind response();
    static Kind run(); ///< its number
    /// A formula, or the name of a usual model.
    static Kind model() { return suggested({"auto", "linear", "interactions", "quadratic"}); }
    static Kind setting(); ///< FACTOR=LEVEL
    static Kind settings() { return listOf(setting()); }

    static Kind assignment(const Kind& name, const Kind& value); ///< NAME=VALUE
    static Kind listOf(const Kind& item);                        ///< with commas, each item once
};

/// "name=" for each name; behind the equals sign what `valuesOf` says of that name. A candidate that ends
/// with an equals sign wants a value.
Completion assigned(const std::string& typed, const Completion& names,
                    const std::function<Completion(const std::string&)>& valuesOf);

/// Numbers of the runs with one of these statuses (none given: of all), with settings or results as meaning.
Completion runNumbers(const study::Study& study, const std::vector<study::RunStatus>& statuses = {});

} // namespace quadric::app
