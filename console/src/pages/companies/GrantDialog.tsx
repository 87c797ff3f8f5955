import { useState } from 'react'
import { nowMs } from '../../api/now.ts'
import { useChange } from '../../api/useChange.ts'
import { GrantCreditsDocument } from '../../graphql/generated.ts'
import { Field } from '../../parts/Field.tsx'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { PLATFORM } from '../../shell/platform.ts'
import { type Company, grantFaults } from './companyWords.ts'
import { newIdempotencyKey } from './idempotencyKey.ts'

const EMPTY = { credits: '', reason: '', expires: '' }

/** Grants credits that may expire. A dialog grants only once, however often it is submitted. */
export function GrantDialog({ company, onClose }: { readonly company: Company; readonly onClose: () => void }) {
  const grant = useChange(GrantCreditsDocument, PLATFORM, 'company')
  const [draft, setDraft] = useState(EMPTY)
  const [promotional, setPromotional] = useState(false)
  const [tried, setTried] = useState(false)
  const [idempotencyKey] = useState(newIdempotencyKey)
  const faults = grantFaults(draft, nowMs())
  const text = (name: keyof typeof EMPTY) => ({
    name,
    value: draft[name],
    fault: tried ? faults[name] : undefined,
    onChange: ({ target }: { target: HTMLInputElement }) => setDraft({ ...draft, [name]: target.value }),
  })
  const submit = () => {
    setTried(true)
    if (Object.keys(faults).length > 0) return
    const expiresAt = draft.expires === '' ? null : new Date(draft.expires).toISOString()
    const amount = { companyId: company.id, credits: Number(draft.credits), reason: draft.reason.trim() }
    grant.mutate({ ...amount, idempotencyKey, expiresAt, promotional }, { onSuccess: onClose })
  }
  return (
    <FormDialog
      title={`Grant credits to “${company.name}”`}
      description="The credits are a lot of their own. The ledger records your name and the reason, and the entry is permanent."
      action="Grant"
      change={grant}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="columns">
        <Field label="Credits" inputMode="decimal" placeholder="25" autoComplete="off" {...text('credits')} />
        <Field
          label="Expires (local time)"
          type="datetime-local"
          hint="Empty: the credits do not expire."
          {...text('expires')}
        />
      </div>
      <Field label="Reason" autoComplete="off" maxLength={500} {...text('reason')} />
      <label className="choice">
        <input type="checkbox" checked={promotional} onChange={({ target }) => setPromotional(target.checked)} />
        <span>
          Promotional <span className="muted small">Calls use promotional credits before all others.</span>
        </span>
      </label>
    </FormDialog>
  )
}
