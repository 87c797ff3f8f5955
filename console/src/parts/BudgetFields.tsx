import type { BudgetPeriod } from '../graphql/generated.ts'
import { Field, SelectField } from './Field.tsx'
import { type BudgetDraft, PERIODS } from './values/budgets.ts'

type Props = {
  readonly draft: BudgetDraft
  readonly fault?: string | undefined
  readonly hint?: string | undefined
  /** An amount has to be entered. */
  readonly required?: boolean
  /** What the fields are called, if there are several budgets beside each other. */
  readonly labels?: { readonly credits: string; readonly period: string }
  readonly onChange: (change: Partial<BudgetDraft>) => void
}

const LABELS = { credits: 'Budget in credits', period: 'Budget for' } as const

/** An amount and its period. An empty amount is no budget. */
export function BudgetFields({
  draft: { budget, period },
  fault,
  hint,
  required = false,
  labels = LABELS,
  onChange,
}: Props) {
  return (
    <div className="columns">
      <Field
        label={labels.credits}
        placeholder={required ? '' : 'None'}
        inputMode="decimal"
        autoComplete="off"
        name="budget"
        value={budget}
        fault={fault}
        hint={hint}
        onChange={({ target }) => onChange({ budget: target.value })}
      />
      <SelectField
        label={labels.period}
        options={PERIODS}
        value={period}
        onPick={(picked) => onChange({ period: picked as BudgetPeriod })}
      />
    </div>
  )
}
