import { useState } from 'react'
import { ProjectPeopleDocument, ProjectsDocument, type ProjectsQuery } from '../../graphql/generated.ts'
import { Button } from '../../parts/Button.tsx'
import { Card } from '../../parts/Card.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { Page } from '../../parts/Page.tsx'
import { Segments } from '../../parts/Segments.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { useCompanyQuery, useViewer } from '../../shell/viewer.ts'
import { ArchiveDialog } from './ArchiveDialog.tsx'
import { BudgetDialog, type Budgeted, RemoveBudgetDialog } from './BudgetDialogs.tsx'
import { type BudgetAction, BudgetsCard } from './BudgetsCard.tsx'
import { CompanyLimitsCard } from './CompanyLimitsCard.tsx'
import { KeyRulesCard } from './KeyRulesCard.tsx'
import { ProjectDialog } from './ProjectDialog.tsx'
import { type ProjectAction, ProjectTable } from './ProjectTable.tsx'
import type { Person, Project } from './projectWords.ts'

const SHOWN = [
  { value: 'present', label: 'In use' },
  { value: 'all', label: 'All' },
] as const

type Open = { readonly dialog: 'create' } | { readonly dialog: ProjectAction; readonly project: Project } | BudgetAction

/** Spend is shown as it was a moment ago, also while the page stays open. */
const REFETCH_MS = 15_000

export function ProjectsPage() {
  const { may } = useViewer()
  const [open, setOpen] = useState<Open | null>(null)
  const { data, isPending, error, refetch } = useCompanyQuery(ProjectsDocument, {}, { refetchInterval: REFETCH_MS })
  const people = useCompanyQuery(ProjectPeopleDocument, {}, { enabled: may('readPeople') }).data?.users
  const create = may('changeProjects') ? (
    <Button kind="primary" onClick={() => setOpen({ dialog: 'create' })}>
      New project
    </Button>
  ) : null
  return (
    <Page title="Projects" description="Groups of keys with members, limits and budgets." action={create}>
      {error && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {isPending && (
        <Card title="Projects">
          <Skeleton lines={4} />
        </Card>
      )}
      {data && <Cards data={data} people={people} onOpen={setOpen} />}
      {open && <Dialogs open={open} people={people} onClose={() => setOpen(null)} />}
    </Page>
  )
}

type CardsProps = {
  readonly data: ProjectsQuery
  readonly people: readonly Person[] | undefined
  readonly onOpen: (open: Open) => void
}

function Cards({ data, people, onOpen }: CardsProps) {
  const { user, may } = useViewer()
  const [shown, setShown] = useState<'present' | 'all'>('present')
  const { projects: all, budgets, companyLimits, keyRules } = data
  const projects = shown === 'all' ? all : all.filter(({ archived }) => !archived)
  const [mayChange, mayBudget] = [may('changeProjects'), may('setBudgets')]
  return (
    <>
      <Card
        title={`${projects.length} ${projects.length === 1 ? 'project' : 'projects'}`}
        action={<Segments label="Which projects are listed" options={SHOWN} value={shown} onPick={setShown} />}
      >
        {projects.length === 0 ? (
          <EmptyState title={all.length === 0 ? 'No projects yet' : 'No projects in use'}>
            {mayChange
              ? 'Create one for a team or a product, put keys into it, and set what they may spend together.'
              : 'Owners and admins create projects and choose their members.'}
          </EmptyState>
        ) : (
          <ProjectTable
            projects={projects}
            budgets={budgets}
            people={people}
            mayChange={mayChange}
            mayBudget={mayBudget}
            onAct={(dialog, project) => onOpen({ dialog, project })}
          />
        )}
      </Card>
      {/* Developers are not told these budgets. */}
      {user.role !== 'DEVELOPER' && <BudgetsCard budgets={budgets} mayChange={mayBudget} onAct={onOpen} />}
      <CompanyLimitsCard limits={companyLimits} mayChange={mayChange} />
      <KeyRulesCard rules={keyRules} mayChange={mayChange} />
    </>
  )
}

type DialogsProps = Pick<CardsProps, 'people'> & { readonly open: Open; readonly onClose: () => void }

function Dialogs({ open, people, onClose }: DialogsProps) {
  switch (open.dialog) {
    case 'create':
      return <ProjectDialog project={null} people={people} onClose={onClose} />
    case 'edit':
      return <ProjectDialog project={open.project} people={people} onClose={onClose} />
    case 'budget':
      return <BudgetDialog of={budgeted(open.project)} onClose={onClose} />
    case 'removeBudget':
      return <RemoveBudgetDialog of={budgeted(open.project)} onClose={onClose} />
    case 'archive':
      return <ArchiveDialog project={open.project} onClose={onClose} />
    case 'setBudget':
      return <BudgetDialog of={open.of} onClose={onClose} />
    case 'unsetBudget':
      return <RemoveBudgetDialog of={open.of} onClose={onClose} />
  }
}

function budgeted({ id, name, budget }: Project): Budgeted {
  return { target: { projectId: id }, name: `“${name}”`, budget }
}
