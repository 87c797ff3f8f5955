import { Field } from '../../parts/Field.tsx'
import type { LimitFaults, LimitsDraft } from './projectWords.ts'

type Props = {
  readonly draft: LimitsDraft
  readonly faults: LimitFaults
  readonly onChange: (change: Partial<LimitsDraft>) => void
}

const FIELDS = [
  { name: 'rpm', label: 'Requests per minute' },
  { name: 'tpm', label: 'Tokens per minute' },
  { name: 'callsInFlight', label: 'Calls at the same time' },
] as const

/** The limits that all keys of a company or a project share. */
export function LimitFields({ draft, faults, onChange }: Props) {
  return (
    <div className="columns">
      {FIELDS.map(({ name, label }) => (
        <Field
          key={name}
          label={label}
          placeholder="No limit"
          inputMode="numeric"
          autoComplete="off"
          value={draft[name]}
          fault={faults[name]}
          onChange={({ target }) => onChange({ [name]: target.value })}
        />
      ))}
    </div>
  )
}
