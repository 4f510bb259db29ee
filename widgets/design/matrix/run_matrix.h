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

} // namespace quadric::widgets
