import type { ReactNode } from 'react'

export function Figures({ children }: { readonly children: ReactNode }) {
  return <div className="figures">{children}</div>
}

type Props = { readonly name: string; readonly beside: string; readonly children: ReactNode }

/** One large number. Without children it is being loaded. */
export function Figure({ name, beside, children }: Props) {
  const isLoading = children === null || children === undefined
  return (
    <dl className="card figure">
      <dt>{name}</dt>
      <dd>{isLoading ? <span className="skeleton" role="status" aria-label="Loading" /> : children}</dd>
      <dd className="beside">{beside}</dd>
    </dl>
  )
}
