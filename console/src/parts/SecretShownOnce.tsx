import { type ReactNode, useState } from 'react'
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
  /** How to use it. What is copied there may contain the secret. */
  readonly children?: (onCopied: () => void) => ReactNode
}

/**
 * Shows a secret that is not stored and cannot be shown again. A click outside the dialog does not close it, and it asks
 * first if nothing was copied.
 */
export function SecretShownOnce({ title, description, secret, what, wide = false, onClose, children }: Props) {
  const [isCopied, setCopied] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const noteCopied = () => setCopied(true)
  const close = () => (isCopied ? onClose() : setAsking(true))
  return (
    <Dialog title={title} description={description} wide={wide} holds onClose={close}>
      <div className="scroll" onCopy={noteCopied}>
        <div className="secret">
          <code data-secret="">{secret}</code>
          <CopyButton text={secret} what={what} onCopied={noteCopied} />
        </div>
        {children?.(noteCopied)}
      </div>
      <footer>
        {isAsking && !isCopied ? (
          <>
            <p role="alert">You have not copied {what}. It cannot be shown again.</p>
            <Button onClick={() => setAsking(false)}>Go back</Button>
            <Button kind="danger" onClick={onClose}>
              Close without it
            </Button>
          </>
        ) : (
          <Button kind="primary" onClick={close}>
            I have saved it
          </Button>
        )}
      </footer>
    </Dialog>
  )
}
