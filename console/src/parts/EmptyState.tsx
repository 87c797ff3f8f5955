import type { ReactNode } from 'react'

type Props = { readonly title: string; readonly action?: ReactNode; readonly children: ReactNode }

/** A list without entries: why it is empty, and what to do first. */
export function EmptyState({ title, action, children }: Props) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      <p>{children}</p>
      {action}
    </div>
  )
}
