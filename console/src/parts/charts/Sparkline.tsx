const WIDTH = 96
const HEIGHT = 24

/** A sparkline; the numbers are next to it in the table. */
export function Sparkline({ values, label }: { readonly values: readonly number[]; readonly label: string }) {
  const max = Math.max(...values, 0)
  const step = WIDTH / Math.max(1, values.length)
  return (
    <svg
      className="sparkline"
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={label}
    >
      {values.map((value, n) => {
        const height = max === 0 || value === 0 ? 1 : Math.max(2, (value / max) * HEIGHT)
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is identified by its index.
            key={n}
            x={n * step}
            y={HEIGHT - height}
            width={Math.max(1, step - 1.5)}
            height={height}
            rx={1}
            fill="currentColor"
            opacity={value === 0 ? 0.25 : 1}
          />
        )
      })}
    </svg>
  )
}
