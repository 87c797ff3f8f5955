import { useEffect, useRef } from 'react'
import { CallFinishedDocument, type CallFinishedSubscription } from '../graphql/generated.ts'
import { useCompanySubscription } from './useCompanySubscription.ts'

export type FinishedCall = CallFinishedSubscription['callFinished']

/** Calls that arrive within this time are shown together. */
const GATHER_MS = 200
/** After this time live updates certainly arrive; calls that ended just before may have been missed. */
const BEGINNING_MS = 1_500

type Listener = {
  readonly onCalls: (calls: readonly FinishedCall[]) => void
  /** Calls may have been missed, so the page must refetch. */
  readonly onGap: () => void
}

/** Reports the company's calls as they end. Returns whether live updates arrive. */
export function useLiveCalls(listener: Listener): boolean {
  const latest = useRef(listener)
  const waiting = useRef<FinishedCall[]>([])
  const timer = useRef<number | undefined>(undefined)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => () => window.clearTimeout(timer.current), [])
  const isLive = useCompanySubscription(CallFinishedDocument, ({ callFinished }) => {
    if (waiting.current.push(callFinished) > 1) return
    timer.current = window.setTimeout(() => latest.current.onCalls(waiting.current.splice(0)), GATHER_MS)
  })
  useEffect(() => {
    if (!isLive) return
    const beginning = window.setTimeout(() => latest.current.onGap(), BEGINNING_MS)
    return () => window.clearTimeout(beginning)
  }, [isLive])
  return isLive
}
