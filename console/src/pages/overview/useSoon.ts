import { useCallback, useEffect, useRef } from 'react'

/** A function that acts once for all its calls within the time, at the end of it. */
export function useSoon(act: () => void, ms: number): () => void {
  const latest = useRef(act)
  const timer = useRef<number | undefined>(undefined)
  useEffect(() => {
    latest.current = act
  })
  useEffect(() => () => window.clearTimeout(timer.current), [])
  return useCallback(() => {
    if (timer.current !== undefined) return
    timer.current = window.setTimeout(() => {
      timer.current = undefined
      latest.current()
    }, ms)
  }, [ms])
}
