import { type FormEvent, useState } from 'react'
import { Button } from '../../parts/Button.tsx'
import { Dialog } from '../../parts/Dialog.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { Field } from '../../parts/Field.tsx'
import { adjustmentFaults, type Company } from './companyWords.ts'
import { useCompanyChanges } from './useCompanyChanges.ts'

const ID_BYTES = 16

/** Adds or takes credits. A dialog adjusts only once, however often it is submitted. */
export function AdjustDialog({ company, onClose }: { readonly company: Company; readonly onClose: () => void }) {
  const { adjust } = useCompanyChanges()
  const [credits, setCredits] = useState('')
  const [reason, setReason] = useState('')
  const [tried, setTried] = useState(false)
  const [idempotencyKey] = useState(newId)
  const faults = adjustmentFaults(credits, reason)
  const shown = tried ? faults : {}
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (Object.keys(faults).length > 0) return
    const adjustment = { companyId: company.id, credits: Number(credits), reason: reason.trim(), idempotencyKey }
    adjust.mutate(adjustment, { onSuccess: onClose })
  }
  return (
    <Dialog
      title={`Adjust the credits of “${company.name}”`}
      description="The ledger records an entry with your name and the reason. It is permanent; a later adjustment can undo its effect."
      onClose={onClose}
      holds
    >
      <form onSubmit={submit} noValidate>
        <div className="scroll">
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
          {adjust.error && <ErrorBox error={adjust.error} />}
        </div>
        <footer>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={adjust.isPending}>
            Adjust
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}

/** A random idempotency key. `crypto.randomUUID` is missing on pages served without TLS. */
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(ID_BYTES)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
