import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { send } from '../api/send.ts'
import { Banner } from '../parts/Banner.tsx'
import { catchUpWords, type ReadModels, readModelsIn, stoppedWords } from './catchUp.ts'

/** How often `/health` is polled: while figures catch up, and otherwise. */
const CATCHING_UP_MS = 2_000
const CURRENT_MS = 60_000
const QUERY_KEY = ['read models']

/** Shown on every page while figures are outdated: after a start with a long backlog, or if a read model has stopped. */
export function CatchUpNotice() {
  const queries = useQueryClient()
  const { data } = useQuery({
    queryKey: QUERY_KEY,
    queryFn: async () => readModelsIn((await send('GET', '/health')).body),
    refetchInterval: ({ state }) => (state.data && isOld(state.data) ? CATCHING_UP_MS : CURRENT_MS),
    retry: false,
  })
  const words = data ? catchUpWords(data) : null
  const stopped = data ? stoppedWords(data) : null
  const isBehind = words !== null || stopped !== null
  const wasBehind = useRef(false)
  useEffect(() => {
    // Data fetched in the meantime is incomplete.
    const isDone = wasBehind.current && !isBehind
    wasBehind.current = isBehind
    if (isDone) void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== QUERY_KEY[0] })
  }, [isBehind, queries])
  if (!isBehind) return null
  return (
    <div className="notice">
      {words !== null && (
        <Banner>
          <strong>The figures are still catching up.</strong> {words}
        </Banner>
      )}
      {stopped !== null && (
        <Banner>
          <strong>Some figures are no longer updated.</strong> {stopped}
        </Banner>
      )}
    </div>
  )
}

function isOld({ behind, stopped }: ReadModels): boolean {
  return behind.length + stopped.length > 0
}
