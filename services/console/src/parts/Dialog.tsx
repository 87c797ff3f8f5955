import * as Radix from '@radix-ui/react-dialog'
import type { ReactNode } from 'react'

type Props = {
  readonly title: string
  readonly description?: ReactNode
  readonly wide?: boolean
  /** A press outside does not close it: what it shows would be lost. */
  readonly holds?: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/**
 * A modal dialog: the focus stays in it, Escape closes it. The shade is a plain element because Radix's own overlay
 * inserts a style sheet, which the document's policy forbids; `base.css` keeps the page behind from scrolling.
 */
export function Dialog({ title, description, wide = false, holds = false, onClose, children }: Props) {
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <div className="shade" />
        <Radix.Content
          className={wide ? 'dialog wide' : 'dialog'}
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
