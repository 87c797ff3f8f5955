import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { send } from '../api/send.ts'
import { Banner } from '../parts/Banner.tsx'
import { catchUpWords, readModelsIn } from './catchUp.ts'

/** How often `/health` is read: while figures catch up, and otherwise. */
const CATCHING_UP_MS = 2_000
const CURRENT_MS = 60_000
const QUERY_KEY = ['read models']

/** On every page after a start with a long backlog, when calls are served before all of the past can be shown. */
export function CatchUpNotice() {
  const queries = useQueryClient()
  const { data } = useQuery({
    queryKey: QUERY_KEY,
    queryFn: async () => readModelsIn((await send('GET', '/health')).body),
    refetchInterval: ({ state }) => (state.data && state.data.behind.length > 0 ? CATCHING_UP_MS : CURRENT_MS),
    retry: false,
  })
  const words = data ? catchUpWords(data) : null
  const isBehind = words !== null
  const wasBehind = useRef(false)
  useEffect(() => {
    // What was read in the meantime is incomplete.
    const isDone = wasBehind.current && !isBehind
    wasBehind.current = isBehind
    if (isDone) void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== QUERY_KEY[0] })
  }, [isBehind, queries])
  if (words === null) return null
  return (
    <div className="notice">
      <Banner>
        <strong>The figures are still catching up.</strong> {words}
      </Banner>
    </div>
  )
}
