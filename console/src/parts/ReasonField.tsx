import { useState } from 'react'
import { Field } from './Field.tsx'

export type Reason = {
  /** What was entered; null if it is empty, which the field says from then on. */
  readonly take: () => string | null
  readonly value: string
  readonly isRefused: boolean
  readonly change: (text: string) => void
}

/** The reason of a change, which cannot be submitted without one. */
export function useReason(): Reason {
  const [value, change] = useState('')
  const [tried, setTried] = useState(false)
  const reason = value.trim()
  const take = () => {
    setTried(true)
    return reason === '' ? null : reason
  }
  return { take, value, isRefused: tried && reason === '', change }
}

/** `missing`: what the field says if it is empty. */
export function ReasonField({ reason, missing }: { readonly reason: Reason; readonly missing: string }) {
  return (
    <Field
      label="Reason"
      autoComplete="off"
      maxLength={500}
      value={reason.value}
      fault={reason.isRefused ? missing : undefined}
      onChange={({ target }) => reason.change(target.value)}
    />
  )
}
