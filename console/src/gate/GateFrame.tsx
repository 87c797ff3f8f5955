import { type ReactNode, useEffect } from 'react'
import icon from '../icon.svg'
import { Card } from '../parts/Card.tsx'

type Props = { readonly title: string; readonly children: ReactNode; readonly below?: ReactNode }

/** The page of somebody who is not signed in: one card, and what may stand below it. */
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
