import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { CopyButton } from './CopyButton.tsx'
import { Dialog } from './Dialog.tsx'

type Props = {
  readonly title: string
  readonly description: string
  readonly secret: string
  /** Names the copied text for screen readers. */
  readonly what: string
  readonly wide?: boolean
  readonly onClose: () => void
  /** How to use it. */
  readonly children?: ReactNode
}

/** Shows a secret that is not stored and cannot be shown again. A click outside the dialog does not close it. */
export function SecretShownOnce({ title, description, secret, what, wide = false, onClose, children }: Props) {
  return (
    <Dialog title={title} description={description} wide={wide} holds onClose={onClose}>
      <div className="scroll">
        <div className="secret">
          <code data-secret="">{secret}</code>
          <CopyButton text={secret} what={what} />
        </div>
        {children}
      </div>
      <footer>
        <Button kind="primary" onClick={onClose}>
          I have saved it
        </Button>
      </footer>
    </Dialog>
  )
}
