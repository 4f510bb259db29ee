// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/dialogs/command_trial.h"

#include "app/gui/dialogs/approval_box.h"
#include "core/run/recipe/approval.h"
#include "core/run/worker/trial.h"
#include "widgets/wizard/command/trial_dialog.h"

namespace quadric::app {

CommandTrial::CommandTrial(QWidget& window)
    : QObject(&window)
    , m_window(window)
{
}

void CommandTrial::start(const study::Study& study, const std::filesystem::path& document)
{
    try {
        const run::ApprovalRequest request(study, document);
        if (request.isApproved())
            return run(study, document);
        askForApproval(&m_window, request.question(),
                       [this, request, study, document] { approveAndRun(request, study, document); });
    } catch (const std::exception& error) {
        emit failed(tr("The command has a mistake"), QString::fromUtf8(error.what()));
    }
}

void CommandTrial::approveAndRun(const run::ApprovalRequest& request, const study::Study& study,
                                 const std::filesystem::path& document)
{
    try {
        request.approve();
    } catch (const std::exception& error) {
        emit failed(tr("The approval cannot be saved"), QString::fromUtf8(error.what()));
        return;
    }
    run(study, document);
}

void CommandTrial::run(const study::Study& study, const std::filesystem::path& document)
{
    try {
        std::filesystem::create_directories(document.parent_path());
        auto trial = std::make_unique<run::Trial>(study, 0, document);
        auto* dialog = new widgets::TrialDialog(study, trial->settings(), &m_window);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        run::Trial* running = trial.release();
        running->setParent(dialog); // closing the dialog ends the program
        connect(running, &run::Trial::ended, dialog, &widgets::TrialDialog::setReport);
        connect(dialog, &widgets::TrialDialog::stopRequested, running, &run::Trial::stop);
        connect(dialog, &widgets::TrialDialog::parseChosen, this, &CommandTrial::parseChosen);
        running->start();
        dialog->open();
    } catch (const std::exception& error) {
        emit failed(tr("The command has a mistake"), QString::fromUtf8(error.what()));
    }
}

} // namespace quadric::app
