// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/views/coefficient_view.h"

#include "core/report/equation.h"
#include "core/report/findings/reading.h"
#include "core/report/tables/model_tables.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>

namespace quadric::widgets {

CoefficientView::CoefficientView()
    : TableView(
          [](const study::Study&, const model::Fit& fit) {
              return withColumnAt(report::makeCoefficientTable(fit), "vif", 3);
          },
          [](const model::Fit& fit) {
              return QString::fromStdString(report::joinSentences(report::readCoefficients(fit)));
          })
    , m_equation(new QLineEdit)
    , m_copy(new QPushButton(tr("Copy equation")))
{
    m_equation->setReadOnly(true);
    m_equation->setObjectName(QStringLiteral("equation"));
    m_equation->setAccessibleName(tr("Equation in actual units"));
    m_copy->setObjectName(QStringLiteral("copyEquation"));
    auto* caption = new QLabel(tr("In actual units"));
    caption->setBuddy(m_equation);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(caption);
    row->addWidget(m_equation, 1);
    row->addWidget(m_copy);
    static_cast<QVBoxLayout*>(layout())->addLayout(row);
    connect(m_copy, &QPushButton::clicked, this, &CoefficientView::copyEquation);
}

void CoefficientView::showFit(const study::Study& study, const model::Fit& fit)
{
    TableView::showFit(study, fit);
    m_equation->setText(QString::fromStdString(report::writeEquation(fit)));
    m_equation->setCursorPosition(0);
    m_equation->setToolTip(QString::fromStdString(fit.isOk() ? report::describeEquation(fit) : fit.message));
    m_copy->setEnabled(fit.isOk());
}

void CoefficientView::addCopyAction(QMenu& menu)
{
    TableView::addCopyAction(menu);
    QAction* copy = menu.addAction(tr("Copy &equation"), this, &CoefficientView::copyEquation);
    copy->setEnabled(m_copy->isEnabled());
}

void CoefficientView::copyEquation()
{
    QGuiApplication::clipboard()->setText(m_equation->text());
}

} // namespace quadric::widgets
