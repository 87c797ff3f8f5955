import { type ReactNode, useEffect } from 'react'
import icon from '../icon.svg'
import { Card } from '../parts/Card.tsx'

type Props = { readonly title: string; readonly children: ReactNode; readonly below?: ReactNode }

/** The layout of pages before sign-in: one card, with optional content below it. */
export function GateFrame({ title, children, below }: Props) {
  useEffect(() => {
    document.title = `${title} · Tollgate`
  }, [title])
  return (
    <main className="gate">
      <div>
        <p className="mark">
          <img src={icon} alt="" />
          Tollgate
        </p>
        <Card>
          <div className="inside">{children}</div>
        </Card>
        {below}
      </div>
    </main>
  )
}
