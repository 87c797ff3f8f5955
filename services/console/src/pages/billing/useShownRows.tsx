import { useState } from 'react'
import { Button } from '../../parts/Button.tsx'

const PAGE_ROWS = 20

/** The API gives these lists as a whole; the page shows the newest first, and more when asked. */
export function useShownRows<Row>(rows: readonly Row[]) {
  const [count, setCount] = useState(PAGE_ROWS)
  const more = rows.length > count ? <Button onClick={() => setCount(count + PAGE_ROWS)}>Show older</Button> : null
  return { shown: rows.slice(0, count), more }
}
