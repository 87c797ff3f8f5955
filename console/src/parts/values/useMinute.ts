import { useSyncExternalStore } from 'react'

const MINUTE_MS = 60_000
const listeners = new Set<() => void>()
let minute = 0
let timer: number | undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= window.setInterval(() => {
    minute += 1
    for (const listener of listeners) listener()
  }, MINUTE_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    window.clearInterval(timer)
    timer = undefined
  }
}

/** Renders again each minute, so that "5 minutes ago" stays true. All times of a page share one timer. */
export function useMinute(): void {
  useSyncExternalStore(subscribe, () => minute)
}
