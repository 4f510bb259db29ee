// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/recipe/recipe_problems.h"

#include <QObject>
#include <QProcess>
#include <QWidget>

#include <filesystem>
#include <optional>

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;

namespace quadric::widgets {

/// Asks the Python of this machine for its PyTorch, in the background.
class TorchProbe : public QObject {
    Q_OBJECT

public:
    explicit TorchProbe(QObject* parent = nullptr);
    ~TorchProbe() override;

    /// Once; what it said is told again where it was asked before.
    void ask();

signals:
    /// What was found, in a sentence.
    void told(const QString& sentence);

private:
    void reportProbeResult();

    QProcess m_python;
    QString m_sentence;
};

class FieldNote;
class ReadingForm;

/// A command that the user types: argv template, environment, folder, time limit, and how its results are
/// read. Shows the line as it will be run, and beside each field what is wrong with it, while one types.
/// Recipes and files that are dropped add to what is there, and can be undone.
class CommandForm : public QWidget {
    Q_OBJECT

public:
    explicit CommandForm(QWidget* parent = nullptr);
    void setStudy(const study::Study& study);

    /// Where the study is or will be: relative names are seen from there. Problems that the study which is
    /// shown has already do not keep anybody from changing the rest of it.
    void setDocument(const std::filesystem::path& document, bool isNew);

    /// Puts this file into the command, and its folder into the folder.
    void applyScript(const QString& path);

    /// What keeps the command from being run, in words.
    QStringList refusals() const;

signals:
    void benchmarkEdited(const quadric::study::Benchmark& benchmark);
    void testRequested();

protected:
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void setUpFields();
    void nameFields();
    void connectFields();
    void buildRows();
    void fillRecipes();
    void applyRecipe(int index);
    void showTorch();
    void take();
    void change(const study::Benchmark& benchmark);
    void undoChange();
    void addUnmentioned();
    void browseScript();
    void browseFolder();
    std::vector<run::RecipeProblem> findProblems() const;
    void check();
    void showHelp();

    study::Study m_study;
    std::filesystem::path m_document; ///< empty: not known
    std::vector<run::RecipeProblem> m_problems, m_accepted;
    std::optional<study::Benchmark> m_before; ///< what *Undo* brings back
    study::Benchmark m_made;                  ///< what this form has asked for last
    QFormLayout* m_form;
    QComboBox* m_recipe;
    QPushButton* m_undo;
    QLabel* m_torch; ///< what is found where the template needs it
    TorchProbe* m_probe;
    QLineEdit* m_command;
    QLabel* m_preview;
    QLabel* m_help;
    QPushButton* m_add;
    FieldNote* m_commandNote;
    QPlainTextEdit* m_environment;
    FieldNote* m_environmentNote;
    QLineEdit* m_folder;
    FieldNote* m_folderNote;
    QSpinBox* m_timeout;
    ReadingForm* m_reading;
    QPushButton* m_test;
    bool m_isShowing = false;
};

} // namespace quadric::widgets
