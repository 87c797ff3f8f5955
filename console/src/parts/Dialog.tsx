import * as Radix from '@radix-ui/react-dialog'
import { type ReactNode, useState } from 'react'

type Props = {
  readonly title: string
  readonly description?: ReactNode
  readonly wide?: boolean
  /** A click outside does not close it, because its content would be lost. */
  readonly holds?: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/**
 * A modal dialog: the focus stays in it, Escape closes it. The shade is a plain element because Radix's own overlay
 * inserts a style sheet, which the document's policy forbids; `base.css` keeps the page behind from scrolling.
 */
export function Dialog({ title, description, wide = false, holds = false, onClose, children }: Props) {
  const [opener] = useState(openerNow)
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <div className="shade" />
        <Radix.Content
          className={wide ? 'dialog wide' : 'dialog'}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            giveFocusBack(opener)
          }}
          onPointerDownOutside={(event) => holds && event.preventDefault()}
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          <header>
            <Radix.Title>{title}</Radix.Title>
            {description && (
              <Radix.Description asChild>
                <p>{description}</p>
              </Radix.Description>
            )}
          </header>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** The element that opened the dialog, also if this dialog follows another one. */
let lastOpener: HTMLElement | null = null

/** The element to return focus to: for a dialog opened from a menu, the menu's button. */
function openerNow(): HTMLElement | null {
  const active = document.activeElement
  // The previous dialog is still there, and may have lost focus because its button turned busy.
  if (!(active instanceof HTMLElement) || document.querySelector('[role="dialog"]')) return lastOpener
  const menuButton = active.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  lastOpener = menuButton ? document.getElementById(menuButton) : active
  return lastOpener
}

/** Focuses the page content if the opener is gone, such as the row of a deleted item. */
function giveFocusBack(opener: HTMLElement | null): void {
  // The next dialog already has the focus.
  if (document.querySelector('[role="dialog"]')) return
  const isShown = opener?.isConnected && opener !== document.body
  const target = isShown ? opener : document.getElementById('content')
  target?.focus()
}
