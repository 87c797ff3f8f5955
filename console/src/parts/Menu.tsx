import * as Radix from '@radix-ui/react-dropdown-menu'
import { createContext, type ReactNode, useContext } from 'react'

/** Where menus are rendered: in the main landmark, or in the modal dialog that they are opened from. */
export const MenuPlace = createContext<HTMLElement | null>(null)

export type MenuItem = {
  readonly label: string
  readonly danger?: boolean
  /** Why its action would be refused. The item then shows it and does nothing. */
  readonly refusal?: string | null
  readonly onPick: () => void
}

type Props = {
  readonly trigger: ReactNode
  readonly items: readonly MenuItem[]
  readonly heading?: ReactNode
  readonly align?: 'start' | 'end'
}

/** Not modal: Radix would insert a style sheet to stop the page from scrolling, which the document's policy forbids. */
export function Menu({ trigger, items, heading, align = 'end' }: Props) {
  const place = useContext(MenuPlace) ?? document.getElementById('content')
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal container={place}>
        <Radix.Content className="menu" align={align} sideOffset={4} collisionPadding={8}>
          {heading && <Radix.Label className="label">{heading}</Radix.Label>}
          {items.map(({ label, danger, refusal, onPick }) => (
            // Radix skips a disabled item, so that its reason could not be reached with the keyboard.
            <Radix.Item
              key={label}
              className={danger ? 'danger' : ''}
              aria-disabled={refusal ? true : undefined}
              onSelect={refusal ? (event) => event.preventDefault() : onPick}
            >
              {label}
              {refusal && <div className="small">{refusal}</div>}
            </Radix.Item>
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
