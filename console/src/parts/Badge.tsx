import type { ReactNode } from 'react'

export type Tone = 'good' | 'warning' | 'danger' | 'plain'

export function Badge({ tone = 'plain', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>
}
