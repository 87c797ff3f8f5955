import type { ComponentProps } from 'react'

type Props = ComponentProps<'button'> & {
  readonly kind?: 'primary' | 'danger' | 'quiet' | 'plain'
  /** Its work is under way: it says so and cannot be pressed again. */
  readonly busy?: boolean
  readonly icon?: boolean
}

export function Button({ kind = 'plain', busy = false, icon = false, className, disabled, children, ...rest }: Props) {
  const classes = ['button', kind === 'plain' ? '' : kind, icon ? 'icon' : '', className ?? '']
    .filter(Boolean)
    .join(' ')
  // A name of its own must contain the text that is shown, which is another one now.
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
