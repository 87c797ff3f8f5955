import { SelectField } from './Field.tsx'
import { DAYS } from './values/days.ts'

type Props = { readonly days: number | undefined; readonly onPick: (days: number | undefined) => void }

/** Limits a list to the last UTC days, including today. */
export function DaysFilter({ days, onPick }: Props) {
  return (
    <SelectField
      label="Time"
      value={String(days ?? '')}
      options={[
        { value: '', label: 'All' },
        ...DAYS.map((one) => ({ value: String(one), label: one === 1 ? 'Today (UTC)' : `${one} days` })),
      ]}
      onPick={(picked) => onPick(picked === '' ? undefined : Number(picked))}
    />
  )
}
