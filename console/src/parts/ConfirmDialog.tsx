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
  /** The button that changes nothing. */
  readonly keep?: string
  readonly change: Change
  readonly onConfirm: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Asks for confirmation before an action that cannot be undone or affects others. */
export function ConfirmDialog({ title, danger = false, onConfirm, children, ...change }: Props) {
  return (
    <Dialog title={title} onClose={change.onClose}>
      <ChangeBody {...change} kind={danger ? 'danger' : 'primary'} onAction={onConfirm}>
        {children}
      </ChangeBody>
    </Dialog>
  )
}

type BodyProps = Pick<Props, 'action' | 'keep' | 'change' | 'onClose' | 'children'> & {
  readonly kind: 'primary' | 'danger'
  /** Without it, the button submits the form around it. */
  readonly onAction?: () => void
}

/** What a dialog shows, the error of its change, and the buttons that start it or not. */
export function ChangeBody({ action, keep = 'Cancel', change, onClose, children, kind, onAction }: BodyProps) {
  return (
    <>
      <div className="scroll">
        {children}
        {change.error ? <ErrorBox error={change.error} /> : null}
      </div>
      <footer>
        <Button onClick={onClose}>{keep}</Button>
        <Button kind={kind} type={onAction ? 'button' : 'submit'} busy={change.isPending} onClick={onAction}>
          {action}
        </Button>
      </footer>
    </>
  )
}
