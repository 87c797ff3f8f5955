const WIDTHS = ['92%', '78%', '86%', '64%', '81%', '70%']

/** A placeholder for loading content. */
export function Skeleton({ lines = 4 }: { readonly lines?: number }) {
  return (
    <div className="skeletons" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => WIDTHS[line % WIDTHS.length]).map((width, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all lines are the same.
        <span key={line} className="skeleton" style={{ width }} />
      ))}
    </div>
  )
}
