import { useEffect, useId, useState } from 'react'
import { Field } from './Field.tsx'
import { foundName } from './values/foundName.ts'

type Props = {
  readonly label: string
  readonly value: string
  readonly placeholder: string
  /** What can be found; undefined until it is read. Names are suggested, and part of one is enough if no other contains it. */
  readonly names?: readonly string[] | undefined
  readonly onPick: (value: string) => void
}

/** A filter that the server applies: on Enter or blur, or once a suggestion is chosen, not on every keystroke. */
export function TextFilter({ label, value, placeholder, names, onPick }: Props) {
  const suggestions = useId()
  const [typed, setTyped] = useState(value)
  const [isUnclear, setUnclear] = useState(false)
  const [early, setEarly] = useState<string | null>(null)
  useEffect(() => setTyped(value), [value])
  const pick = (text: string) => {
    setEarly(names ? null : text)
    const name = foundName(text, names ?? [])
    setUnclear(name === null)
    if (name === null) return
    setTyped(name)
    if (name !== value) onPick(name)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a text that was picked before the names were read is looked up once.
  useEffect(() => {
    if (names && early !== null) pick(early)
  }, [names === undefined])
  const type = (text: string) => {
    setTyped(text)
    setUnclear(false)
    setEarly(null)
    if (names?.includes(text)) pick(text)
  }
  return (
    <>
      <Field
        label={label}
        placeholder={placeholder}
        autoComplete="off"
        fault={isUnclear ? 'Several match. Type more.' : undefined}
        value={typed}
        onChange={({ target }) => type(target.value)}
        onBlur={() => pick(typed)}
        onKeyDown={({ key }) => key === 'Enter' && pick(typed)}
        {...(names ? { list: suggestions } : {})}
      />
      {names && (
        <datalist id={suggestions}>
          {names.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      )}
    </>
  )
}
