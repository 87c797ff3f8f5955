import { Badge } from '../../parts/Badge.tsx'
import { BudgetShare } from '../../parts/BudgetShare.tsx'
import { Button } from '../../parts/Button.tsx'
import { Menu } from '../../parts/Menu.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { type Budget, budgetOf, isUsedUp, limitWords, type Person, type Project } from './projectWords.ts'

export type ProjectAction = 'edit' | 'budget' | 'removeBudget' | 'archive'

type Props = {
  readonly projects: readonly Project[]
  readonly budgets: readonly Budget[]
  /** undefined for roles that may not read them. */
  readonly people: readonly Person[] | undefined
  readonly mayChange: boolean
  readonly mayBudget: boolean
  readonly onAct: (action: ProjectAction, project: Project) => void
}

const PAGE_ROWS = 25

export function ProjectTable({ projects, budgets, people, mayChange, mayBudget, onAct }: Props) {
  const columns: Column<Project>[] = [
    {
      id: 'name',
      header: 'Project',
      place: 'main',
      sort: ({ name }) => name.toLowerCase(),
      cell: (project) => (
        <span className="row">
          <strong>{project.name}</strong>
          {project.archived && <Badge>Archived</Badge>}
          {isUsedUp(budgetOf(project, budgets)) && <Badge tone="danger">Budget used up</Badge>}
        </span>
      ),
    },
    { id: 'members', header: 'Members', cell: ({ members }) => <Members ids={members} people={people} /> },
    {
      id: 'limits',
      header: 'Limits',
      cell: ({ limits }) => limitWords(limits).join(' · ') || <span className="muted">None</span>,
    },
    {
      id: 'budget',
      header: 'Budget',
      sort: (project) => {
        const budget = budgetOf(project, budgets)
        return budget ? (budget.spent ?? 0) / budget.credits : -1
      },
      cell: (project) => <BudgetShare of={budgetOf(project, budgets)} />,
    },
    { id: 'keys', header: 'Live keys', align: 'right', sort: ({ keys }) => keys, cell: ({ keys }) => keys },
  ]
  if (mayChange || mayBudget)
    columns.push({
      id: 'act',
      header: '',
      place: 'corner',
      cell: (project) => <Actions of={project} mayChange={mayChange} mayBudget={mayBudget} onAct={onAct} />,
    })
  return <Table label="Projects" columns={columns} rows={projects} rowId={({ id }) => id} pageRows={PAGE_ROWS} />
}

function Members({ ids, people }: { readonly ids: readonly string[]; readonly people: Props['people'] }) {
  if (ids.length === 0) return <span className="muted">None</span>
  const count = `${ids.length} ${ids.length === 1 ? 'member' : 'members'}`
  if (!people) return count
  const emails = ids.map((id) => people.find((person) => person.id === id)?.email ?? 'a former member')
  return emails.length === 1 ? <span>{emails[0]}</span> : <span title={emails.join(', ')}>{count}</span>
}

type ActionsProps = Pick<Props, 'mayChange' | 'mayBudget' | 'onAct'> & { readonly of: Project }

function Actions({ of: project, mayChange, mayBudget, onAct }: ActionsProps) {
  const { name, archived, budget, keys } = project
  const act = (action: ProjectAction) => () => onAct(action, project)
  const edits = mayChange && !archived ? [{ label: 'Change', onPick: act('edit') }] : []
  const budgets =
    mayBudget && !archived
      ? [
          { label: budget ? 'Change the budget' : 'Set a budget', onPick: act('budget') },
          ...(budget ? [{ label: 'Remove the budget', onPick: act('removeBudget') }] : []),
        ]
      : []
  const refusal = !archived && keys > 0 ? 'Revoke its keys or take them out first.' : null
  const archives = mayChange ? [{ label: archived ? 'Restore' : 'Archive', refusal, onPick: act('archive') }] : []
  const items = [...edits, ...budgets, ...archives]
  if (items.length === 0) return null
  return (
    <Menu
      trigger={
        <Button kind="quiet" icon aria-label={`Actions for ${name}`}>
          ⋯
        </Button>
      }
      items={items}
    />
  )
}
