import { type ReactNode, useEffect } from 'react'

type Props = {
  readonly title: string
  readonly description?: ReactNode
  readonly action?: ReactNode
  readonly children: ReactNode
}

/** The heading of every page, which is also the document title. */
export function Page({ title, description, action, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Tollgate`
  }, [title])
  return (
    <div className="page">
      <header>
        <div>
          <h1>{title}</h1>
          {description && <p>{description}</p>}
        </div>
        {action}
      </header>
      {children}
    </div>
  )
}
