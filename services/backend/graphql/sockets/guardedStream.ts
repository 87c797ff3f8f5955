import { NoReaderPlace, ReaderTooSlow } from '../../live/liveLedger.ts'
import { apiError } from '../apiError.ts'
import type { GraphqlContext } from '../context.ts'

/** How often the reader of a subscription is checked again. */
const SIGN_IN_CHECK_MS = 5_000

/** The source of a subscription. `close` also ends a pending `next`. */
export type Source<Value> = {
  next(): Promise<IteratorResult<Value, undefined>>
  close(): void
}

export type GuardedStream<Value, Shown> = {
  readonly open: () => Source<Value> | Promise<Source<Value>>
  /** The parts of the value that this reader may see, in order. */
  readonly shown: (value: Value) => readonly Shown[] | Promise<readonly Shown[]>
  /** The shortest time between two values of the source; meanwhile the source keeps what is to be sent. */
  readonly intervalMs?: number
}

/**
 * A subscription as one reader sees it. It ends soon after the reader's token or session has ended, and at once when the
 * reader disconnects, also while nothing happens.
 */
export async function guardedStream<Value, Shown>(
  context: GraphqlContext,
  { open, shown, intervalMs = 0 }: GuardedStream<Value, Shown>,
): Promise<AsyncIterableIterator<Shown>> {
  const { clock } = context.runtime
  const source = await opened(open)
  const checkSignIn = signInCheck(context)
  let pending: Shown[] = []
  let sentAtMs = Number.NEGATIVE_INFINITY
  const nextShown = async (): Promise<IteratorResult<Shown, undefined>> => {
    for (;;) {
      const [first, ...others] = pending
      if (first !== undefined) {
        pending = others
        sentAtMs = clock.monotonicMs()
        return { done: false, value: first }
      }
      const waitMs = sentAtMs + intervalMs - clock.monotonicMs()
      if (waitMs > 0) await clock.delay(waitMs)
      const { done, value } = await source.next()
      if (done) return { done, value: undefined }
      await checkSignIn()
      pending = [...(await shown(value))]
    }
  }
  const stream: AsyncIterableIterator<Shown> = {
    next: async () => {
      try {
        return await nextShown()
      } catch (error) {
        source.close()
        return refused(error)
      }
    },
    return: async () => {
      source.close()
      return { done: true, value: undefined }
    },
    throw: async (error) => {
      source.close()
      throw error
    },
    [Symbol.asyncIterator]: () => stream,
  }
  return stream
}

async function opened<Value>(open: GuardedStream<Value, unknown>['open']): Promise<Source<Value>> {
  try {
    return await open()
  } catch (error) {
    return refused(error)
  }
}

function refused(error: unknown): never {
  if (error instanceof NoReaderPlace || error instanceof ReaderTooSlow) throw apiError('RATE_LIMITED', error.message)
  throw error
}

/** Subscriptions need a connection over which the server can send, and that it notices when the reader leaves. */
export function requireSocket({ transport }: GraphqlContext, operation: string): void {
  if (transport === 'websocket') return
  throw apiError('BAD_USER_INPUT', `${operation} is served over WebSocket (graphql-transport-ws) on /graphql`)
}

/** Throws once the token or session of the reader is no longer valid; asked before each value that a subscription sends. */
function signInCheck({ runtime: { clock }, isStillSignedIn }: GraphqlContext): () => Promise<void> {
  let checkedAtMs = clock.now()
  return async () => {
    const now = clock.now()
    if (now - checkedAtMs < SIGN_IN_CHECK_MS) return
    checkedAtMs = now
    if (!(await isStillSignedIn())) throw apiError('UNAUTHENTICATED', 'the token is no longer valid')
  }
}
