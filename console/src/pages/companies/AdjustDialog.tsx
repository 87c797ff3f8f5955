import { useState } from 'react'
import { useChange } from '../../api/useChange.ts'
import { AdjustCreditsDocument } from '../../graphql/generated.ts'
import { Field } from '../../parts/Field.tsx'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { PLATFORM } from '../../shell/platform.ts'
import { adjustmentFaults, type Company } from './companyWords.ts'
import { newIdempotencyKey } from './idempotencyKey.ts'

/** Adds or takes credits. A dialog adjusts only once, however often it is submitted. */
export function AdjustDialog({ company, onClose }: { readonly company: Company; readonly onClose: () => void }) {
  const adjust = useChange(AdjustCreditsDocument, PLATFORM, 'company')
  const [credits, setCredits] = useState('')
  const [reason, setReason] = useState('')
  const [tried, setTried] = useState(false)
  const [idempotencyKey] = useState(newIdempotencyKey)
  const faults = adjustmentFaults(credits, reason)
  const shown = tried ? faults : {}
  const submit = () => {
    setTried(true)
    if (Object.keys(faults).length > 0) return
    const adjustment = { companyId: company.id, credits: Number(credits), reason: reason.trim(), idempotencyKey }
    adjust.mutate(adjustment, { onSuccess: onClose })
  }
  return (
    <FormDialog
      title={`Adjust the credits of “${company.name}”`}
      description="The ledger records an entry with your name and the reason. It is permanent; a later adjustment can undo its effect."
      action="Adjust"
      change={adjust}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        label="Credits"
        inputMode="text"
        placeholder="25, or -25 to take credits"
        autoComplete="off"
        value={credits}
        fault={shown.credits}
        onChange={({ target }) => setCredits(target.value)}
      />
      <Field
        label="Reason"
        autoComplete="off"
        maxLength={500}
        value={reason}
        fault={shown.reason}
        onChange={({ target }) => setReason(target.value)}
      />
    </FormDialog>
  )
}
