import type { BudgetPeriod } from '../../graphql/generated.ts'
import { Field, SelectField } from '../../parts/Field.tsx'
import type { Faults, KeyDraft } from './keyForm.ts'
import { PERIODS, SCOPES } from './keyWords.ts'
import { ModelPicker, type Models } from './ModelPicker.tsx'

type Props = {
  readonly draft: KeyDraft
  readonly faults: Faults
  readonly models: Models
  readonly onChange: (change: Partial<KeyDraft>) => void
}

/** The fields that minting and editing a key share. */
export function KeyFields({ draft, faults, models, onChange }: Props) {
  const text = (name: 'name' | 'rpm' | 'tpm' | 'expires' | 'label' | 'budget') => ({
    name,
    value: draft[name],
    fault: faults[name],
    onChange: ({ target }: { target: HTMLInputElement }) => onChange({ [name]: target.value }),
  })
  const toggle = (scope: string, on: boolean) =>
    onChange({
      scopes: SCOPES.map(({ value }) => value).filter((one) => (one === scope ? on : draft.scopes.includes(one))),
    })
  return (
    <>
      <Field label="Name" placeholder="The program that uses it" autoComplete="off" maxLength={100} {...text('name')} />
      <fieldset>
        <legend>Scopes</legend>
        {SCOPES.map(({ value, label, hint }) => (
          <label key={value} className="choice">
            <input
              type="checkbox"
              checked={draft.scopes.includes(value)}
              onChange={({ target }) => toggle(value, target.checked)}
            />
            <span>
              {label} <span className="muted small">{hint}</span>
            </span>
          </label>
        ))}
        {faults.scopes && (
          <div className="field">
            <div className="fault">{faults.scopes}</div>
          </div>
        )}
      </fieldset>
      <ModelPicker draft={draft} faults={faults} models={models} onChange={onChange} />
      <div className="columns">
        <Field label="Budget in credits" placeholder="None" inputMode="decimal" {...text('budget')} />
        <SelectField
          label="Budget for"
          options={PERIODS}
          value={draft.period}
          onPick={(period) => onChange({ period: period as BudgetPeriod })}
        />
      </div>
      <div className="columns">
        <Field label="Requests per minute" placeholder="Default" inputMode="numeric" {...text('rpm')} />
        <Field label="Tokens per minute" placeholder="Default" inputMode="numeric" {...text('tpm')} />
      </div>
      <div className="columns">
        <Field label="Usage label" placeholder="None" maxLength={64} autoComplete="off" {...text('label')} />
        <Field label="Expires (local time)" type="datetime-local" {...text('expires')} />
      </div>
    </>
  )
}
