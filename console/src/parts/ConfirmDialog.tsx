import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { ErrorBox } from './ErrorBox.tsx'

type Props = {
  readonly title: string
  readonly action: string
  readonly danger?: boolean
  readonly busy: boolean
  readonly error: unknown
  readonly onConfirm: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Asks for confirmation before an action that cannot be undone or affects others. */
export function ConfirmDialog({ title, action, danger = false, busy, error, onConfirm, onClose, children }: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="scroll">
        {children}
        {error ? <ErrorBox error={error} /> : null}
      </div>
      <footer>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind={danger ? 'danger' : 'primary'} busy={busy} onClick={onConfirm}>
          {action}
        </Button>
      </footer>
    </Dialog>
  )
}
