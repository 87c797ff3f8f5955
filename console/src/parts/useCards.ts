import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Below this width of the window, only narrow tables have rows. */
const PHONE_PX_MAX = 640

/**
 * Shows the rows of a table as cards if its columns do not fit beside each other, so that no button or amount is out of
 * sight. What fits follows from the content and is measured after each change.
 */
export function useCards(isNarrow: boolean): RefObject<HTMLTableElement | null> {
  const ref = useRef<HTMLTableElement>(null)
  useLayoutEffect(() => {
    const table = ref.current
    const frame = table?.parentElement
    if (!table || !frame) return
    const measure = () => {
      table.classList.remove('cards')
      const fits = table.offsetWidth <= frame.clientWidth && (isNarrow || innerWidth > PHONE_PX_MAX)
      table.classList.toggle('cards', !fits)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(frame)
    return () => observer.disconnect()
  })
  return ref
}
