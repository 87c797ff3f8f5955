import { useState } from 'react'
import { useChange } from '../../api/useChange.ts'
import { SetKeyRulesDocument } from '../../graphql/generated.ts'
import { BudgetFields } from '../../parts/BudgetFields.tsx'
import { BudgetShare } from '../../parts/BudgetShare.tsx'
import { Button } from '../../parts/Button.tsx'
import { Card } from '../../parts/Card.tsx'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { type RulesDraft, ruleFaults, rulesDraftOf, rulesIn } from './keyRules.ts'
import type { Rules } from './projectWords.ts'

/** What keys that developers create may have. */
export function KeyRulesCard({ rules, mayChange }: { readonly rules: Rules; readonly mayChange: boolean }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Card
      title="Rules for keys of developers"
      action={
        mayChange && (
          <Button aria-label="Change the rules for keys of developers" onClick={() => setOpen(true)}>
            Change
          </Button>
        )
      }
    >
      <div className="inside stack">
        <dl className="facts">
          <dt>Default budget</dt>
          <dd>
            <BudgetShare of={rules.defaultBudget} />
          </dd>
          <dt>Maximum budget</dt>
          <dd>
            <BudgetShare of={rules.maximumBudget} />
          </dd>
          <dt>Project</dt>
          <dd>{rules.projectRequired ? 'Required' : 'Not required'}</dd>
        </dl>
        <p className="muted small">
          They hold for keys that developers create, rotate or change from now on, and not for keys of owners and
          admins.
        </p>
      </div>
      {isOpen && <RulesDialog rules={rules} onClose={() => setOpen(false)} />}
    </Card>
  )
}

const DEFAULT_LABELS = { credits: 'Default budget in credits', period: 'Default budget for' } as const
const MAXIMUM_LABELS = { credits: 'Maximum budget in credits', period: 'Maximum budget for' } as const

function RulesDialog({ rules, onClose }: { readonly rules: Rules; readonly onClose: () => void }) {
  const set = useChange(SetKeyRulesDocument, 'company')
  const [draft, setDraft] = useState(() => rulesDraftOf(rules))
  const [tried, setTried] = useState(false)
  const found = ruleFaults(draft)
  const faults = tried ? found : {}
  const change = (changed: Partial<RulesDraft>) => setDraft((before) => ({ ...before, ...changed }))
  const submit = () => {
    setTried(true)
    if (Object.keys(found).length === 0) set.mutate({ input: rulesIn(draft) }, { onSuccess: onClose })
  }
  return (
    <FormDialog title="Rules for keys of developers" action="Save" change={set} onSubmit={submit} onClose={onClose}>
      <BudgetFields
        draft={draft.standard}
        labels={DEFAULT_LABELS}
        hint="For keys without one."
        fault={faults.standard}
        onChange={(changed) => change({ standard: { ...draft.standard, ...changed } })}
      />
      <BudgetFields
        draft={draft.maximum}
        labels={MAXIMUM_LABELS}
        hint="Every key then needs a budget of the same period."
        fault={faults.maximum}
        onChange={(changed) => change({ maximum: { ...draft.maximum, ...changed } })}
      />
      <label className="choice">
        <input
          type="checkbox"
          checked={draft.projectRequired}
          onChange={({ target }) => change({ projectRequired: target.checked })}
        />
        <span>
          Project required <span className="muted small">Every key is in a project of its developer</span>
        </span>
      </label>
    </FormDialog>
  )
}
