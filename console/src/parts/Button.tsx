import type { ComponentProps } from 'react'

type Props = ComponentProps<'button'> & {
  readonly kind?: 'primary' | 'danger' | 'quiet' | 'plain'
  /** Shows that its action is in progress, and disables it. */
  readonly busy?: boolean
  readonly icon?: boolean
}

export function Button({ kind = 'plain', busy = false, icon = false, className, disabled, children, ...rest }: Props) {
  const classes = ['button', kind === 'plain' ? '' : kind, icon ? 'icon' : '', className ?? '']
    .filter(Boolean)
    .join(' ')
  // An aria-label must contain the visible text, which is different now.
  const { 'aria-label': name, ...others } = rest
  return (
    <button
      type="button"
      {...others}
      {...(busy ? {} : { 'aria-label': name })}
      className={classes}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
    >
      {busy ? 'One moment…' : children}
    </button>
  )
}
