// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/study_session.h"
#include "app/gui/window_main.h"
#include "widgets/design/design_page.h"

#include <QMainWindow>

class QSettings;
class QStackedWidget;

namespace quadric::app {

class DocumentBanner;
class Exchange;
class Pages;
class Rail;
class StartPage;
class StatusLine;
class StudyDialogs;
class WindowActions;
struct Example;

/// The one window: start page, or rail and pages of the open study. Owns the parts and connects them.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    /// `store` keeps what the program remembers; it must outlive the window.
    explicit MainWindow(QSettings& store, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Opens a study; shows in words why, if it cannot be opened.
    void openStudy(const QString& path);
    /// Opens a study, imports a table, or starts the wizard with a script, as if the file were dropped here.
    void openFile(const QString& path);
    StudySession& session() { return m_session; }

public slots:
    void newStudy();
    void showStep(quadric::widgets::Step step);

protected:
    void changeEvent(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    void buildCentral();
    void connectActions();
    void connectSession();
    void connectWarnings();
    void connectPalette();
    void connectStart();
    void connectDialogs();
    void connectExchange();
    void openExample(const Example& example);
    void closeStudy();
    bool confirmClose();
    void showContext(const widgets::ContextPointer& context);
    void showTitle();
    void showStart();
    void showOpenedStudy(const QString& path);
    void forgetStudy(const QString& path);
    void setTheme(widgets::ThemeChoice choice);
    void showPageHelp();
    void complain(const QString& title, const QString& reason);
    void store();

    QSettings& m_store;
    Settings m_settings;
    StudySession m_session;
    StudyDialogs* m_dialogs;
    Exchange* m_exchange;
    WindowActions* m_actions;
    QStackedWidget* m_central = nullptr;
    StartPage* m_start = nullptr;
    QWidget* m_workspace = nullptr;
    DocumentBanner* m_banner = nullptr;
    Rail* m_rail = nullptr;
    Pages* m_pages = nullptr;
    StatusLine* m_status = nullptr;
    bool m_wasRunning = false; ///< the open study, a moment ago
};

} // namespace quadric::app
