import { AnswerStore } from '../platform/answerStore/answerStore.ts'
import type { Runtime } from '../platform/runtime.ts'

const KEPT_ANSWERS_REMOVED_MAX = 500

/** Answers behind an Idempotency-Key whose time is over. The gateways take no notice of them from that moment on. */
export async function removeOldAnswers({ engines, clock }: Pick<Runtime, 'engines' | 'clock'>): Promise<number> {
  const answers = new AnswerStore(engines.database, clock)
  let removed = 0
  for (;;) {
    const count = await answers.removeExpired(clock.now(), KEPT_ANSWERS_REMOVED_MAX)
    removed += count
    if (count < KEPT_ANSWERS_REMOVED_MAX) return removed
  }
}
