import type { ReactNode } from 'react'

type Props = {
  readonly kind?: 'warning' | 'danger' | 'good' | 'plain'
  readonly action?: ReactNode
  readonly children: ReactNode
}

export function Banner({ kind = 'plain', action, children }: Props) {
  return (
    <div className={`banner ${kind}`} role="status">
      <p>{children}</p>
      {action}
    </div>
  )
}
