import { useEffect, useState } from 'react'
import { Field } from './Field.tsx'

type Props = {
  readonly label: string
  readonly value: string
  readonly placeholder: string
  readonly onPick: (value: string) => void
}

/** A text filter that applies on Enter or blur, not on every keystroke. */
export function TextFilter({ label, value, placeholder, onPick }: Props) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  const pick = () => typed !== value && onPick(typed.trim())
  return (
    <Field
      label={label}
      placeholder={placeholder}
      autoComplete="off"
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={pick}
      onKeyDown={({ key }) => key === 'Enter' && pick()}
    />
  )
}
