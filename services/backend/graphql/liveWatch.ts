import { type LiveReader, NoReaderPlace, ReaderTooSlow } from '../live/liveLedger.ts'
import { apiError } from './apiError.ts'
import type { GraphqlContext } from './context.ts'
import { signInCheck } from './signInCheck.ts'

export type Watching<Value, Shown> = {
  readonly open: () => Promise<LiveReader<Value>>
  /** null: this reader may not see the value. */
  readonly shown: (value: Value) => Shown | null | Promise<Shown | null>
  /** The shortest time between two values; meanwhile the reader keeps what is to be sent. */
  readonly intervalMs?: number
}

/**
 * A subscription to what happens to a company's ledger. It ends soon after the reader's token or session has ended, and at
 * once when the reader disconnects, also while nothing happens.
 */
export async function watchLive<Value, Shown>(
  context: GraphqlContext,
  { open, shown, intervalMs = 0 }: Watching<Value, Shown>,
): Promise<AsyncIterableIterator<Shown>> {
  const { clock } = context.runtime
  const reader = await open().catch(refused)
  const checkSignIn = signInCheck(context)
  let sentAtMs = Number.NEGATIVE_INFINITY
  const nextShown = async (): Promise<IteratorResult<Shown, undefined>> => {
    for (;;) {
      const waitMs = sentAtMs + intervalMs - clock.monotonicMs()
      if (waitMs > 0) await clock.delay(waitMs)
      const { done, value } = await reader.next()
      if (done) return { done, value: undefined }
      await checkSignIn()
      const visible = await shown(value)
      if (visible === null) continue
      sentAtMs = clock.monotonicMs()
      return { done: false, value: visible }
    }
  }
  const stream: AsyncIterableIterator<Shown> = {
    next: async () => {
      try {
        return await nextShown()
      } catch (error) {
        reader.close()
        return refused(error)
      }
    },
    return: async () => {
      reader.close()
      return { done: true, value: undefined }
    },
    throw: async (error) => {
      reader.close()
      throw error
    },
    [Symbol.asyncIterator]: () => stream,
  }
  return stream
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
