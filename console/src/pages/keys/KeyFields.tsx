import { BudgetFields } from '../../parts/BudgetFields.tsx'
import { Field, type Option, SelectField } from '../../parts/Field.tsx'
import { AdvancedFields } from './AdvancedFields.tsx'
import type { Faults, KeyDraft } from './keyForm.ts'
import { SCOPES } from './keyWords.ts'
import { ModelPicker, type Models } from './ModelPicker.tsx'

type Props = {
  readonly draft: KeyDraft
  readonly faults: Faults
  readonly models: Models
  /** Those that the key can be put into. */
  readonly projects: readonly Option[]
  readonly budgetHint: string | undefined
  readonly onChange: (change: Partial<KeyDraft>) => void
}

/** The fields that minting and editing a key share. */
export function KeyFields({ draft, faults, models, projects, budgetHint, onChange }: Props) {
  const text = (name: 'name' | 'rpm' | 'tpm' | 'expires' | 'label') => ({
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
      {(projects.length > 0 || faults.project) && (
        <SelectField
          label="Project"
          options={[{ value: '', label: 'None' }, ...projects]}
          value={draft.project}
          fault={faults.project}
          onPick={(project) => onChange({ project })}
        />
      )}
      <BudgetFields draft={draft} fault={faults.budget} hint={budgetHint} onChange={onChange} />
      <div className="columns">
        <Field label="Requests per minute" placeholder="Default" inputMode="numeric" {...text('rpm')} />
        <Field label="Tokens per minute" placeholder="Default" inputMode="numeric" {...text('tpm')} />
      </div>
      <div className="columns">
        <Field label="Usage label" placeholder="None" maxLength={64} autoComplete="off" {...text('label')} />
        <Field label="Expires (local time)" type="datetime-local" {...text('expires')} />
      </div>
      <AdvancedFields draft={draft} faults={faults} onChange={onChange} />
    </>
  )
}
