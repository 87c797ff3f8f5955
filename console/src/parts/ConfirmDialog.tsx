import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { ErrorBox } from './ErrorBox.tsx'

/** The mutation that a dialog starts. */
export type Change = { readonly isPending: boolean; readonly error: unknown }

type Props = {
  readonly title: string
  readonly action: string
  readonly danger?: boolean
  readonly change: Change
  readonly onConfirm: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Asks for confirmation before an action that cannot be undone or affects others. */
export function ConfirmDialog({ title, action, danger = false, change, onConfirm, onClose, children }: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="scroll">
        {children}
        {change.error ? <ErrorBox error={change.error} /> : null}
      </div>
      <footer>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind={danger ? 'danger' : 'primary'} busy={change.isPending} onClick={onConfirm}>
          {action}
        </Button>
      </footer>
    </Dialog>
  )
}
