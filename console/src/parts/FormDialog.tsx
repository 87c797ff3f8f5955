import type { FormEvent, ReactNode } from 'react'
import { type Change, ChangeBody } from './ConfirmDialog.tsx'
import { Dialog } from './Dialog.tsx'

type Props = {
  readonly title: string
  readonly description?: string
  readonly action: string
  readonly change: Change
  readonly onSubmit: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Asks for the facts of a change. A click outside the dialog does not close it. */
export function FormDialog({ title, description, action, change, onSubmit, onClose, children }: Props) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <Dialog title={title} description={description} onClose={onClose} holds>
      <form onSubmit={submit} noValidate>
        <ChangeBody action={action} change={change} kind="primary" onClose={onClose}>
          {children}
        </ChangeBody>
      </form>
    </Dialog>
  )
}
