import type { ComponentProps } from 'react'

type Props = ComponentProps<'button'> & {
  readonly kind?: 'primary' | 'danger' | 'quiet' | 'plain'
  /** Shows that its action is in progress. It keeps the focus, and a click does nothing. */
  readonly busy?: boolean
  readonly icon?: boolean
  /** Why its action would be refused. It keeps the focus so that the reason can be read, and a click does nothing. */
  readonly refusal?: string | null
}

export function Button({ kind = 'plain', busy = false, icon = false, refusal, className, children, ...rest }: Props) {
  const classes = ['button', kind === 'plain' ? '' : kind, icon ? 'icon' : '', className ?? '']
    .filter(Boolean)
    .join(' ')
  // An aria-label must contain the visible text, which is different now.
  const { 'aria-label': name, onClick, ...others } = rest
  const isIdle = busy || Boolean(refusal)
  return (
    <button
      type="button"
      {...others}
      {...(busy ? {} : { 'aria-label': name })}
      className={classes}
      {...(refusal ? { title: refusal } : {})}
      aria-disabled={isIdle || undefined}
      aria-busy={busy || undefined}
      onClick={isIdle ? (event) => event.preventDefault() : onClick}
    >
      {busy ? 'One moment…' : children}
    </button>
  )
}
