import { useEffect, useRef, useState } from 'react'
import { subscribe } from '../api/subscribe.ts'
import type { TypedDocumentString } from '../graphql/generated.ts'
import { useViewer } from './viewer.ts'

/** How long to wait after a refusal before subscribing again. Until then the page polls. */
const RETRY_MS = 10_000

type Variables = { asCompany?: string | null | undefined }

/**
 * Subscribes to events of the viewed company. Returns whether live updates arrive; while they do not, the page polls.
 */
export function useCompanySubscription<Result>(
  document: TypedDocumentString<Result, Variables>,
  onNext: (result: Result) => void,
  { enabled = true }: { readonly enabled?: boolean } = {},
): boolean {
  const { asCompany } = useViewer()
  const [isLive, setLive] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const latest = useRef(onNext)
  useEffect(() => {
    latest.current = onNext
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a further attempt subscribes again.
  useEffect(() => {
    if (!enabled) return
    let retry: number | undefined
    const end = subscribe(
      document,
      { asCompany },
      {
        onNext: (result) => latest.current(result),
        onError: () => {
          setLive(false)
          retry = window.setTimeout(() => setAttempt((before) => before + 1), RETRY_MS)
        },
        onConnected: setLive,
      },
    )
    return () => {
      window.clearTimeout(retry)
      end()
      setLive(false)
    }
  }, [document, asCompany, enabled, attempt])
  return isLive
}
