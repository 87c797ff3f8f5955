import { useState } from 'react'
import { Button } from './Button.tsx'

const PAGE_ROWS = 20

type Options = {
  /** How many rows are shown at first, and how many more each time. */
  readonly pageRows?: number
  /** What the button says that shows more. */
  readonly label?: string
}

/** For lists that the API gives as a whole: a page shows the first rows, and more when asked. */
export function useShownRows<Row>(rows: readonly Row[], options: Options = {}) {
  const { pageRows = PAGE_ROWS, label = 'Show older' } = options
  const [count, setCount] = useState(pageRows)
  const more =
    rows.length > count ? <Button onClick={() => setCount((before) => before + pageRows)}>{label}</Button> : null
  return { shown: rows.slice(0, count), more }
}
