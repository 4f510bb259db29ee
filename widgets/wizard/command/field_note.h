// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/recipe/recipe_problems.h"

#include <QLabel>

namespace quadric::widgets {

/// What is wrong with a field, under it: takes no room while there is nothing.
class FieldNote : public QLabel {
    Q_OBJECT

public:
    explicit FieldNote(const char* objectName, const QString& accessibleName, QWidget* parent = nullptr);

    /// Shows those whose place begins with one of these.
    void showProblems(const std::vector<run::RecipeProblem>& problems, const QStringList& places);
};

} // namespace quadric::widgets
