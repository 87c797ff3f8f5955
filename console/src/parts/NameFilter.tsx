import { Field } from './Field.tsx'

type Props = {
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Filters a list that is loaded completely, as one types. */
export function NameFilter({ onChange, ...field }: Props) {
  return (
    <div className="filters">
      <Field autoComplete="off" type="search" onChange={({ target }) => onChange(target.value)} {...field} />
    </div>
  )
}

/** Shorter lists are read faster than filtered. */
export const FILTERED_ROWS_MIN = 10
