import { utcDayStart } from '../../api/now.ts'
import { Button } from '../../parts/Button.tsx'
import { Field } from '../../parts/Field.tsx'
import { lastMonth, type Period, type StatementSearch } from './statementSearch.ts'

type Props = { readonly days: Period; readonly onPick: (search: StatementSearch) => void }

export function PeriodPicker({ days, onPick }: Props) {
  const today = utcDayStart(0).slice(0, 10)
  return (
    <search className="filters">
      <Field
        label="From (UTC day)"
        type="date"
        required
        max={days.to}
        value={days.from}
        onChange={({ target }) => target.value && onPick({ ...days, from: target.value })}
      />
      <Field
        label="To, inclusive"
        type="date"
        required
        min={days.from}
        value={days.to}
        onChange={({ target }) => target.value && onPick({ ...days, to: target.value })}
      />
      <Button onClick={() => onPick({})}>This month</Button>
      <Button onClick={() => onPick(lastMonth(today))}>Last month</Button>
    </search>
  )
}
