import type { Option } from './Field.tsx'

type Props<Value extends string> = {
  readonly label: string
  readonly options: readonly (Option & { readonly value: Value })[]
  readonly value: Value
  readonly onPick: (value: Value) => void
}

/** A segmented control: a few choices side by side, one of them selected. */
export function Segments<Value extends string>({ label, options, value, onPick }: Props<Value>) {
  return (
    <fieldset className="segments" aria-label={label}>
      {options.map((option) => (
        <button
          type="button"
          key={option.value}
          aria-pressed={option.value === value}
          onClick={() => onPick(option.value)}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  )
}
