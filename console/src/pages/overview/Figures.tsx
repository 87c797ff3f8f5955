import type { ReactNode } from 'react'

export function Figures({ children }: { readonly children: ReactNode }) {
  return <div className="figures">{children}</div>
}

type Props = {
  readonly name: string
  readonly beside: string
  /** The figure could not be read; the page shows the error. */
  readonly failed: boolean
  readonly children: ReactNode
}

/** One large number. Without children it is loading or has failed. */
export function Figure({ name, beside, failed, children }: Props) {
  const isMissing = children === null || children === undefined
  const instead = failed ? (
    <span className="muted">
      <span aria-hidden="true">–</span>
      <span className="hidden-label">Not read</span>
    </span>
  ) : (
    <span className="skeleton" role="status" aria-label="Loading" />
  )
  return (
    <dl className="card figure">
      <dt>{name}</dt>
      <dd>{isMissing ? instead : children}</dd>
      <dd className="beside">{beside}</dd>
    </dl>
  )
}
