import { type KeyboardEvent, useId } from 'react'
import { Button } from '../../parts/Button.tsx'
import { Field } from '../../parts/Field.tsx'
import { CALL_NAMES_DAYS } from '../../shell/useCallNames.ts'
import type { Faults, KeyDraft } from './keyForm.ts'
import { matchingModels, typedModel } from './models.ts'

export type Models = {
  /** Others can be added by name. */
  readonly offered: readonly string[]
  /** Those of the last calls; undefined until they are read. */
  readonly called: readonly string[] | undefined
}

type Props = {
  readonly draft: KeyDraft
  readonly faults: Faults
  readonly models: Models
  readonly onChange: (change: Partial<KeyDraft>) => void
}

/** Limits a key to models that are chosen from a list, or allows every model. */
export function ModelPicker({ draft, faults, models, onChange }: Props) {
  const { isLimited } = draft
  const name = useId()
  return (
    <fieldset>
      <legend>Models</legend>
      {[false, true].map((limits) => (
        <label key={String(limits)} className="choice">
          <input
            type="radio"
            name={name}
            checked={isLimited === limits}
            onChange={() => onChange({ isLimited: limits })}
          />
          {limits ? 'Only some' : 'Every model, also those that are added later'}
        </label>
      ))}
      {isLimited && <Choice draft={draft} faults={faults} models={models} onChange={onChange} />}
    </fieldset>
  )
}

function Choice({ draft: { models: chosen, typedModel: text }, faults, models: { offered, called }, onChange }: Props) {
  const all = [...new Set([...offered, ...chosen])].toSorted()
  const typed = typedModel(all, text)
  const toggle = (model: string) =>
    onChange({
      models: chosen.includes(model) ? chosen.filter((one) => one !== model) : [...chosen, model].toSorted(),
      typedModel: '',
    })
  const onEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    // Otherwise Enter would submit the whole form.
    event.preventDefault()
    if (typed.kind !== 'new' && typed.kind !== 'listed') return
    if (chosen.includes(typed.model)) onChange({ typedModel: '' })
    else toggle(typed.model)
  }
  return (
    <div className="models">
      <div className="spread">
        <Field
          label="Find or add a model"
          hint={offered.length === 0 && 'No model was called yet. Enter the name of one.'}
          autoComplete="off"
          maxLength={100}
          value={text}
          fault={typed.kind === 'impossible' ? typed.why : faults.typedModel}
          onChange={({ target }) => onChange({ typedModel: target.value })}
          onKeyDown={onEnter}
        />
        {typed.kind === 'new' && <Button onClick={() => toggle(typed.model)}>Add “{typed.model}”</Button>}
      </div>
      <div className="model-list">
        {matchingModels(all, text).map((model) => (
          <label key={model} className="choice">
            <input type="checkbox" checked={chosen.includes(model)} onChange={() => toggle(model)} />
            <span>
              {model}{' '}
              {called && !called.includes(model) && (
                <span className="muted small">No call in {CALL_NAMES_DAYS} days: check that the name is right.</span>
              )}
            </span>
          </label>
        ))}
      </div>
      {faults.models && (
        <div className="field">
          <div className="fault">{faults.models}</div>
        </div>
      )}
    </div>
  )
}
