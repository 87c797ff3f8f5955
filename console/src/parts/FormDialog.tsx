import type { FormEvent, ReactNode } from 'react'
import { Button } from './Button.tsx'
import type { Change } from './ConfirmDialog.tsx'
import { Dialog } from './Dialog.tsx'
import { ErrorBox } from './ErrorBox.tsx'

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
        <div className="scroll">
          {children}
          {change.error ? <ErrorBox error={change.error} /> : null}
        </div>
        <footer>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={change.isPending}>
            {action}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
