import { useId } from 'react'
import { Button } from '../../parts/Button.tsx'
import { Field } from '../../parts/Field.tsx'
import type { NamedNumber } from './priceDraft.ts'

type Props = {
  readonly legend: string
  readonly hint: string
  readonly nameLabel: string
  /** Suggestions; others can be entered. */
  readonly names: readonly string[]
  readonly numberLabel: string
  readonly add: string
  readonly rows: readonly NamedNumber[]
  readonly isFaulty: (n: number, field: keyof NamedNumber) => boolean
  readonly onEdit: (rows: readonly NamedNumber[]) => void
}

/** Rows of a name and a number: units with their credits, or service tiers with their factors. */
export function NamedNumbers({ legend, hint, nameLabel, names, numberLabel, add, rows, isFaulty, onEdit }: Props) {
  const suggestions = useId()
  const placed = rows.map((row, n) => ({ ...row, place: n + 1 }))
  const change = (place: number, changes: Partial<NamedNumber>) =>
    onEdit(rows.map((row, n) => (n + 1 === place ? { ...row, ...changes } : row)))
  return (
    <fieldset>
      <legend>{legend}</legend>
      <div className="stack">
        <p className="muted small">{hint}</p>
        {placed.map(({ place, name, number }) => (
          <div key={place} className="amounts">
            <Field
              label={nameLabel}
              aria-invalid={isFaulty(place - 1, 'name') || undefined}
              autoComplete="off"
              maxLength={100}
              list={suggestions}
              value={name}
              onChange={({ target }) => change(place, { name: target.value })}
            />
            <Field
              label={numberLabel}
              aria-invalid={isFaulty(place - 1, 'number') || undefined}
              inputMode="decimal"
              autoComplete="off"
              value={number}
              onChange={({ target }) => change(place, { number: target.value })}
            />
            <Button
              kind="quiet"
              aria-label={`Remove ${nameLabel.toLowerCase()} ${name}`}
              onClick={() => onEdit(rows.filter((_, n) => n + 1 !== place))}
            >
              Remove
            </Button>
          </div>
        ))}
        <div>
          <Button onClick={() => onEdit([...rows, { name: '', number: '' }])}>{add}</Button>
        </div>
        <datalist id={suggestions}>
          {names.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </div>
    </fieldset>
  )
}
