import { Button } from '../../parts/Button.tsx'
import { Field, SelectField } from '../../parts/Field.tsx'
import type { Edit, TierEdit } from './priceDraft.ts'
import { RATES } from './priceKinds.ts'
import { RateFields } from './RateFields.tsx'

const BOUNDS = [
  { value: 'above', label: 'Above' },
  { value: 'from', label: 'From' },
]

type Props = {
  readonly edit: Edit
  readonly faults: ReadonlySet<string>
  readonly onEdit: (tiers: readonly TierEdit[]) => void
}

/** Other rates for calls with more input. A new tier begins with the rates for less input, because each is complete. */
export function InputTiers({ edit, faults, onEdit }: Props) {
  const tiers = edit.inputTiers.map((tier, n) => ({ ...tier, place: n + 1 }))
  const change = (place: number, changes: Partial<TierEdit>) =>
    onEdit(edit.inputTiers.map((tier, n) => (n + 1 === place ? { ...tier, ...changes } : tier)))
  const add = () => onEdit([...edit.inputTiers, { tokens: '', inclusive: false, cells: ownRates(edit) }])
  return (
    <fieldset>
      <legend>Tiers of input size</legend>
      <div className="stack">
        <p className="muted small">All tokens of a call with as much input are charged at the rates of its tier.</p>
        {tiers.map(({ place, tokens, inclusive, cells }) => (
          <fieldset key={place} className="tier" aria-label={`Tier ${place}`}>
            <div className="amounts">
              <SelectField
                label="Input"
                options={BOUNDS}
                value={inclusive ? 'from' : 'above'}
                onPick={(bound) => change(place, { inclusive: bound === 'from' })}
              />
              <Field
                label="Tokens"
                aria-invalid={faults.has(`inputTiers.${place - 1}.tokens`) || undefined}
                inputMode="numeric"
                autoComplete="off"
                placeholder="200000"
                value={tokens}
                onChange={({ target }) => change(place, { tokens: target.value })}
              />
              <Button
                kind="quiet"
                aria-label={`Remove tier ${place}`}
                onClick={() => onEdit(edit.inputTiers.filter((_, n) => n + 1 !== place))}
              >
                Remove
              </Button>
            </div>
            <RateFields
              rates={RATES}
              cells={cells}
              isFaulty={(id) => faults.has(`inputTiers.${place - 1}.${id}`)}
              onEdit={(id, text) => change(place, { cells: { ...cells, [id]: text } })}
            />
          </fieldset>
        ))}
        <div>
          <Button onClick={add}>Add a tier</Button>
        </div>
      </div>
    </fieldset>
  )
}

function ownRates({ cells }: Edit): TierEdit['cells'] {
  return Object.fromEntries(RATES.map(({ id }) => [id, cells[id]])) as TierEdit['cells']
}
