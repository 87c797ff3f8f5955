import { InputTiers } from './InputTiers.tsx'
import { NamedNumbers } from './NamedNumbers.tsx'
import type { Edit } from './priceDraft.ts'
import { KNOWN_SERVICE_TIERS, KNOWN_UNITS, OTHER_RATES } from './priceKinds.ts'
import { RateFields } from './RateFields.tsx'

type Props = {
  readonly id: string
  readonly alias: string
  readonly edit: Edit
  /** The price in force, which changed fields differ from. */
  readonly before: Edit
  /** As `faultsIn` names them. */
  readonly faults: ReadonlySet<string>
  readonly onEdit: (edit: Edit) => void
}

/** What a price has besides the columns of the grid: other kinds of tokens, tiers of input, units and service tiers. */
export function AllKinds({ id, alias, edit, before, faults, onEdit }: Props) {
  return (
    <section id={id} className="all-kinds" aria-label={`All kinds of ${alias}`}>
      <fieldset className="stack" disabled={edit.isRetired}>
        <fieldset>
          <legend>Other kinds of tokens, credits per million</legend>
          <RateFields
            rates={OTHER_RATES}
            cells={edit.cells}
            before={before.cells}
            isFaulty={(field) => faults.has(field)}
            onEdit={(rate, text) => onEdit({ ...edit, cells: { ...edit.cells, [rate]: text } })}
          />
        </fieldset>
        <InputTiers edit={edit} faults={faults} onEdit={(inputTiers) => onEdit({ ...edit, inputTiers })} />
        <NamedNumbers
          legend="Units"
          hint="A call that may use a unit without a price is refused."
          nameLabel="Unit"
          names={KNOWN_UNITS}
          numberLabel="Credits for one"
          add="Add a unit"
          rows={edit.units}
          isFaulty={(n, field) => faults.has(`units.${n}.${field}`)}
          onEdit={(units) => onEdit({ ...edit, units })}
        />
        <NamedNumbers
          legend="Service tiers"
          hint="The cost of tokens is multiplied by the factor. Other tiers cost as much as the usual one."
          nameLabel="Service tier"
          names={KNOWN_SERVICE_TIERS}
          numberLabel="Factor"
          add="Add a service tier"
          rows={edit.serviceTiers}
          isFaulty={(n, field) => faults.has(`serviceTiers.${n}.${field}`)}
          onEdit={(serviceTiers) => onEdit({ ...edit, serviceTiers })}
        />
      </fieldset>
    </section>
  )
}
