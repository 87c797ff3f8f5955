import { Field } from '../../parts/Field.tsx'
import type { Rate, RateId } from './priceKinds.ts'

type Cells = { readonly [Id in RateId]: string }

type Props = {
  readonly rates: readonly Rate[]
  readonly cells: Cells
  /** Fields that differ from it are marked. */
  readonly before?: Cells
  readonly isFaulty: (id: RateId) => boolean
  readonly onEdit: (id: RateId, text: string) => void
}

/** A field for the rate of each kind of tokens, which says what an empty one means. */
export function RateFields({ rates, cells, before, isFaulty, onEdit }: Props) {
  return (
    <div className="rates">
      {rates.map(({ id, header, empty }) => (
        <Field
          key={id}
          label={header}
          className={before && cells[id].trim() !== before[id] ? 'input price changed' : 'input price'}
          aria-invalid={isFaulty(id) || undefined}
          inputMode="decimal"
          autoComplete="off"
          placeholder={empty ?? 'none'}
          value={cells[id]}
          onChange={({ target }) => onEdit(id, target.value)}
        />
      ))}
    </div>
  )
}
