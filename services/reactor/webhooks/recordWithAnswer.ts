import type { EventOf } from '../../../contracts/events/eventsByCategory.ts'
import type { StreamName } from '../../../contracts/streams.ts'
import type { Decider } from '../../../domain/decider.ts'
import type { Answer } from '../../../domain/providerReport.ts'
import { isoTime } from '../../platform/clock/clock.ts'
import { StaleBasis } from '../../platform/commands/commandHandler.ts'
import type { WebhookBody } from '../../platform/payments/providerObjects.ts'
import { contextOf, type WebhookDependencies } from './webhookDependencies.ts'

/** Each time that an answer came too late, another event of the same object was recorded. */
const QUESTIONS_MAX = 10

type Recording<C extends 'subscription' | 'invoice', State, Command, Facts> = {
  readonly decider: Decider<State, Command, EventOf<C>>
  readonly stream: StreamName<C>
  mustAsk(state: State): boolean
  ask(): Promise<Facts>
  command(answer: Answer<Facts> | null): Command
}

/**
 * Records a report of the provider, together with the provider's answer if the report needs one; returns that answer. An
 * answer may be older than one that was recorded while it was on its way, so it counts only if the stream did not change
 * since the question. Otherwise the provider is asked again.
 */
export async function recordWithAnswer<C extends 'subscription' | 'invoice', State, Command, Facts>(
  { commands, clock }: WebhookDependencies,
  webhook: WebhookBody,
  { decider, stream, mustAsk, ask, command }: Recording<C, State, Command, Facts>,
): Promise<Facts | null> {
  for (let question = 1; ; question++) {
    const { state, revision } = await commands.stateWithRevision(decider, stream)
    const askedAt = isoTime(clock.now())
    const facts = mustAsk(state) ? await ask() : null
    const context = facts === null ? contextOf(webhook) : { ...contextOf(webhook), basedOn: revision }
    try {
      await commands.handle(decider, stream, command(facts && { facts, askedAt }), context)
      return facts
    } catch (error) {
      if (!(error instanceof StaleBasis) || question === QUESTIONS_MAX) throw error
    }
  }
}
