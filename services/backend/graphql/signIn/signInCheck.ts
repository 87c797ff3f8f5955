import { apiError } from '../apiError.ts'
import type { GraphqlContext } from '../context.ts'

/** How often the reader of a subscription is checked again. */
const SIGN_IN_CHECK_MS = 5_000

/** Throws once the token or session of the reader is no longer valid; asked before each value that a subscription sends. */
export function signInCheck({ runtime: { clock }, isStillSignedIn }: GraphqlContext): () => Promise<void> {
  let checkedAtMs = clock.now()
  return async () => {
    const now = clock.now()
    if (now - checkedAtMs < SIGN_IN_CHECK_MS) return
    checkedAtMs = now
    if (!(await isStillSignedIn())) throw apiError('UNAUTHENTICATED', 'the token is no longer valid')
  }
}
