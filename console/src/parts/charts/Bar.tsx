type Props = { readonly label: string; readonly share: number }

/** The used share: 0 to 1, or more. */
export function Bar({ label, share }: Props) {
  const percent = Math.min(100, Math.max(0, share * 100))
  const tone = share >= 1 ? 'danger' : share >= 0.8 ? 'warning' : ''
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers draw <meter> in their own colours.
    <span
      className={`bar ${tone}`}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(percent)}
    >
      <span style={{ width: `${percent}%` }} />
    </span>
  )
}
