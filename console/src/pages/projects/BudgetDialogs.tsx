import { useState } from 'react'
import { useChange } from '../../api/useChange.ts'
import { type BudgetTarget, SetBudgetDocument } from '../../graphql/generated.ts'
import { BudgetFields } from '../../parts/BudgetFields.tsx'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { Field } from '../../parts/Field.tsx'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { amountFault, type BudgetAmount, budgetDraftOf, budgetIn } from '../../parts/values/budgets.ts'

/** What a budget is for. */
export type Budgeted = {
  readonly target: BudgetTarget
  /** As it stands in titles, such as “the company”. */
  readonly name: string
  readonly budget: BudgetAmount | null
}

/** Sets a budget. Without a target, it is for the label that is typed. */
export function BudgetDialog({ of, onClose }: { readonly of: Budgeted | null; readonly onClose: () => void }) {
  const set = useChange(SetBudgetDocument, 'company')
  const [draft, setDraft] = useState(() => budgetDraftOf(of?.budget ?? null))
  const [label, setLabel] = useState('')
  const [tried, setTried] = useState(false)
  const fault = amountFault(draft.budget) ?? (budgetIn(draft) ? undefined : 'Enter the most that may be spent.')
  const labelFault = of === null && label.trim() === '' ? 'Enter a label that keys have fixed.' : undefined
  const submit = () => {
    setTried(true)
    const budget = budgetIn(draft)
    if (fault || labelFault || !budget) return
    const target = of?.target ?? { label: label.trim() }
    set.mutate({ target, credits: budget.credits, period: budget.period }, { onSuccess: onClose })
  }
  return (
    <FormDialog
      title={of ? `Budget of ${of.name}` : 'Budget of a label'}
      description="Once it is used up, calls are refused with 402 until the next period begins or it is raised."
      action="Set the budget"
      change={set}
      onSubmit={submit}
      onClose={onClose}
    >
      {of === null && (
        <Field
          label="Usage label"
          autoComplete="off"
          maxLength={64}
          hint="It holds for all keys that have this label fixed."
          value={label}
          fault={tried ? labelFault : undefined}
          onChange={({ target }) => setLabel(target.value)}
        />
      )}
      <BudgetFields
        draft={draft}
        required
        fault={tried ? fault : undefined}
        onChange={(changed) => setDraft((before) => ({ ...before, ...changed }))}
      />
    </FormDialog>
  )
}

export function RemoveBudgetDialog({ of, onClose }: { readonly of: Budgeted; readonly onClose: () => void }) {
  const set = useChange(SetBudgetDocument, 'company')
  return (
    <ConfirmDialog
      title={`Remove the budget of ${of.name}?`}
      action="Remove the budget"
      danger
      change={set}
      onConfirm={() => set.mutate({ target: of.target, credits: null }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>Calls are then limited only by the other budgets and by the balance.</p>
    </ConfirmDialog>
  )
}
