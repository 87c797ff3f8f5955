import { AnswerStore } from '../../capabilities/answerStore/answerStore.ts'
import type { Runtime } from '../../capabilities/installation.ts'

const KEPT_ANSWERS_REMOVED_MAX = 500

/** Deletes expired answers of Idempotency-Keys, which the gateways already ignore. */
export async function removeOldAnswers({ engines, clock }: Pick<Runtime, 'engines' | 'clock'>): Promise<number> {
  const answers = new AnswerStore(engines.database, clock)
  let removed = 0
  for (;;) {
    const count = await answers.removeExpired(clock.now(), KEPT_ANSWERS_REMOVED_MAX)
    removed += count
    if (count < KEPT_ANSWERS_REMOVED_MAX) return removed
  }
}
