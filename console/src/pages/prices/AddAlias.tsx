import { type FormEvent, useState } from 'react'
import { Button } from '../../parts/Button.tsx'
import { Field } from '../../parts/Field.tsx'

/** Adds a row for an alias that has neither a price nor a route yet. */
export function AddAlias({ onAdd }: { readonly onAdd: (alias: string) => void }) {
  const [alias, setAlias] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (alias.trim() === '') return
    onAdd(alias.trim())
    setAlias('')
  }
  return (
    <form className="filters" onSubmit={submit}>
      <Field
        label="Another alias"
        placeholder="svc/…"
        autoComplete="off"
        maxLength={100}
        value={alias}
        onChange={({ target }) => setAlias(target.value)}
      />
      <Button type="submit" disabled={alias.trim() === ''}>
        Add
      </Button>
    </form>
  )
}
