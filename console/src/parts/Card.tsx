import type { ReactNode } from 'react'

type Props = { readonly title?: string; readonly action?: ReactNode; readonly children: ReactNode }

export function Card({ title, action, children }: Props) {
  return (
    <section className="card">
      {title && (
        <header>
          <h2>{title}</h2>
          {action}
        </header>
      )}
      {children}
    </section>
  )
}
