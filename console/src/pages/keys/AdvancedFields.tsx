import { useState } from 'react'
import { Field } from '../../parts/Field.tsx'
import type { Faults, KeyDraft } from './keyForm.ts'

type Props = {
  readonly draft: KeyDraft
  readonly faults: Faults
  readonly onChange: (change: Partial<KeyDraft>) => void
}

/** What few keys need: folded away unless one of the fields is set or wrong. */
export function AdvancedFields({ draft, faults, onChange }: Props) {
  const { labelFixed, callsInFlight, networks } = draft
  const [isOpen, setOpen] = useState(labelFixed || callsInFlight !== '' || networks !== '')
  const isWrong = Boolean(faults.labelFixed || faults.callsInFlight || faults.networks)
  return (
    <details open={isOpen || isWrong} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Advanced</summary>
      <div className="stack grouped">
        <div>
          <label className="choice">
            <input
              type="checkbox"
              checked={labelFixed}
              onChange={({ target }) => onChange({ labelFixed: target.checked })}
            />
            <span>
              Fixed label <span className="muted small">Every call is counted under it, and no other is accepted</span>
            </span>
          </label>
          {faults.labelFixed && (
            <div className="field">
              <div className="fault">{faults.labelFixed}</div>
            </div>
          )}
        </div>
        <Field
          label="Calls at the same time"
          placeholder="No limit"
          inputMode="numeric"
          autoComplete="off"
          value={callsInFlight}
          fault={faults.callsInFlight}
          onChange={({ target }) => onChange({ callsInFlight: target.value })}
        />
        <Field
          label="Allowed networks"
          placeholder="Every network"
          hint="Such as 203.0.113.0/24, separated by commas."
          autoComplete="off"
          value={networks}
          fault={faults.networks}
          onChange={({ target }) => onChange({ networks: target.value })}
        />
      </div>
    </details>
  )
}
