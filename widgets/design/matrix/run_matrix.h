// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <QString>

#include <map>
#include <optional>

namespace quadric::widgets {

/// In which units a matrix of runs shows the settings: the factors' own, −1 … +1, or both side by side.
enum class SettingUnits { Actual, Coded, Both };

struct MatrixColumn {
    enum Kind { Order, Number, RunKind, State, Block, Setting, CodedSetting, Result };
    Kind kind = Order;
    size_t index = 0; ///< of the factor or the response

    bool isNumber() const { return kind != RunKind && kind != State; }
    bool operator==(const MatrixColumn&) const = default;
};

/// The runs of a study in run order as a table of texts: run order, standard order, point type, status, block
/// (where there is more than one), settings, results.
class RunMatrix {
public:
    RunMatrix() = default;
    RunMatrix(const study::Study& study, SettingUnits units);

    const std::vector<MatrixColumn>& columns() const { return m_columns; }
    const std::vector<study::Run>& runs() const { return m_runs; }
    const std::vector<study::Factor>& factors() const { return m_factors; }
    const std::vector<study::Response>& responses() const { return m_responses; }

    /// Name of the factor or response of a column; empty for the others.
    std::string nameOf(const MatrixColumn& column) const;

    /// Over two or three lines, with the unit.
    QString heading(const MatrixColumn& column) const;
    /// One word for spreadsheets: the factor's or response's own name.
    QString plainHeading(const MatrixColumn& column) const;
    /// As it is read, with the digits that it deserves.
    QString text(const study::Run& run, const MatrixColumn& column) const;
    /// With all digits, for editors and spreadsheets.
    QString exactText(const study::Run& run, const MatrixColumn& column) const;
    /// What a sorted table compares: the number, NaN where there is none.
    double number(const study::Run& run, const MatrixColumn& column) const;

private:
    double coded(const study::Run& run, size_t factor) const;

    std::vector<MatrixColumn> m_columns;
    std::vector<study::Run> m_runs;
    std::vector<study::Factor> m_factors;
    std::vector<study::Response> m_responses;
    std::vector<std::optional<study::Coding>> m_codings; ///< one per factor; empty where it is not sound
    std::map<std::string, double> m_uncertainty;         ///< response name → what its digits are chosen by
};

/// "−1", "0", "+0.5": a coded value with at most three decimals; empty for NaN.
QString codedText(double coded);

/// A study after a change that the user asked for, or why it cannot be made (the study is then as before).
struct Edit {
    study::Study study;
    QString problem;
    bool isPossible() const { return problem.isEmpty(); }
};

/// A run that waits and has no result: a result belongs to the settings that produced it.
bool canChangeSettings(const study::Run& run);

/// The study with another setting of one run, checked: a number or a level, one that can be run, and inside
/// all constraints.
Edit withSetting(const study::Study& study, int runId, const std::string& factor, const QString& typed);

/// The study with this result typed into the run (`value` empty: taken away). A run counts as done once every
/// response has a value, and as waiting before that.
study::Study withTypedResult(study::Study study, int runId, const std::string& response,
                             std::optional<double> value);

/// The study with these runs left out of all models, their results kept, and why.
study::Study withRunsLeftOut(study::Study study, const std::vector<int>& runIds, const std::string& reason);

/// The reverse of withRunsLeftOut().
study::Study withRunsTakenBack(study::Study study, const std::vector<int>& runIds);

/// True where nothing is known of the run but its settings: what was measured is excluded, never deleted.
bool canDelete(const study::Run& run);

/// The study without those of these runs that canDelete() allows.
study::Study withoutRuns(study::Study study, const std::vector<int>& runIds);

} // namespace quadric::widgets
