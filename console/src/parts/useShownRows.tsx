import { useState } from 'react'
import { Button } from './Button.tsx'

const PAGE_ROWS = 20

type Options = {
  /** The rows shown at first, and added each time. */
  readonly pageRows?: number
  /** The label of the button that shows more rows. */
  readonly label?: string
}

/** Pages through a list that the API returns completely. */
export function useShownRows<Row>(rows: readonly Row[], options: Options = {}) {
  const { pageRows = PAGE_ROWS, label = 'Show older' } = options
  const [count, setCount] = useState(pageRows)
  const more =
    rows.length > count ? <Button onClick={() => setCount((before) => before + pageRows)}>{label}</Button> : null
  return { shown: rows.slice(0, count), more }
}
