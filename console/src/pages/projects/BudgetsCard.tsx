import { Badge } from '../../parts/Badge.tsx'
import { BudgetShare } from '../../parts/BudgetShare.tsx'
import { Button } from '../../parts/Button.tsx'
import { Card } from '../../parts/Card.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Menu } from '../../parts/Menu.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import type { Budgeted } from './BudgetDialogs.tsx'
import { type Budget, isUsedUp } from './projectWords.ts'

export type BudgetAction =
  | { readonly dialog: 'setBudget'; readonly of: Budgeted | null }
  | { readonly dialog: 'unsetBudget'; readonly of: Budgeted }

type Props = {
  readonly budgets: readonly Budget[]
  readonly mayChange: boolean
  readonly onAct: (action: BudgetAction) => void
}

const PAGE_ROWS = 25
const COMPANY = { target: { company: true }, name: 'the company', budget: null } as const

/** The budgets of the company and of labels; those of projects and keys are in their own tables. */
export function BudgetsCard({ budgets, mayChange, onAct }: Props) {
  const listed = budgets.filter(({ level }) => level === 'COMPANY' || level === 'LABEL')
  const hasCompany = listed.some(({ level }) => level === 'COMPANY')
  const columns: Column<Budget>[] = [
    {
      id: 'for',
      header: 'Budget of',
      place: 'main',
      sort: ({ label }) => label ?? '',
      cell: (budget) => (
        <span className="row">
          <strong>{budget.label ?? 'The whole company'}</strong>
          {budget.level === 'LABEL' && <Badge>Label</Badge>}
          {isUsedUp(budget) && <Badge tone="danger">Used up</Badge>}
        </span>
      ),
    },
    {
      id: 'budget',
      header: 'Spent',
      sort: ({ spent, credits }) => spent / credits,
      cell: (budget) => <BudgetShare of={budget} />,
    },
  ]
  if (mayChange)
    columns.push({
      id: 'act',
      header: '',
      place: 'corner',
      cell: (budget) => <Actions of={budgeted(budget)} onAct={onAct} />,
    })
  return (
    <Card
      title="Budgets of the company and of labels"
      action={
        mayChange && (
          <div className="row">
            {!hasCompany && (
              <Button onClick={() => onAct({ dialog: 'setBudget', of: COMPANY })}>Budget of the company</Button>
            )}
            <Button onClick={() => onAct({ dialog: 'setBudget', of: null })}>Budget of a label</Button>
          </div>
        )
      }
    >
      {listed.length === 0 ? (
        <EmptyState title="No budgets yet">
          A budget of the company binds all calls, and one of a label those of keys that have the label fixed.
        </EmptyState>
      ) : (
        <Table label="Budgets" columns={columns} rows={listed} rowId={rowId} pageRows={PAGE_ROWS} />
      )}
    </Card>
  )
}

function rowId({ level, label }: Budget): string {
  return `${level} ${label ?? ''}`
}

function budgeted({ label, credits, period }: Budget): Budgeted {
  const budget = { credits, period }
  return label === null ? { ...COMPANY, budget } : { target: { label }, name: `the label “${label}”`, budget }
}

function Actions({ of, onAct }: { readonly of: Budgeted; readonly onAct: Props['onAct'] }) {
  return (
    <Menu
      trigger={
        <Button kind="quiet" icon aria-label={`Actions for the budget of ${of.name}`}>
          ⋯
        </Button>
      }
      items={[
        { label: 'Change the budget', onPick: () => onAct({ dialog: 'setBudget', of }) },
        { label: 'Remove the budget', danger: true, onPick: () => onAct({ dialog: 'unsetBudget', of }) },
      ]}
    />
  )
}
