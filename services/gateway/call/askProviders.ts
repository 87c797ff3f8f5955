import {
  PROVIDER_REFUSAL_BYTES_MAX,
  PROVIDER_REFUSAL_MS,
  type ProviderAnswer,
  type SentCall,
} from '../../platform/providers/answerReceiver.ts'
import type { AliasProviders, Provider } from '../../platform/providers/providersFile.ts'
import type { ProviderUnreachable } from '../../platform/providers/providerUnreachable.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import { isPassedOn, passedOnRefusal, toldRetryAfter, unavailable } from './providerFailure.ts'

/** The response that a caller waits for. A caller that disconnects destroys it. */
export type Caller = {
  readonly destroyed: boolean
  once(event: 'close', listener: () => void): unknown
  removeListener(event: 'close', listener: () => void): unknown
}

export type Question = {
  readonly providers: AliasProviders['providers']
  readonly path: string
  readonly callId: string
  readonly caller: Caller
  /** The body as this provider gets it. */
  body(provider: Provider): Buffer
  /** Told the reason, once, before the error is thrown: it belongs on the call's record. */
  failed(reason: string): void
}

export type Answered = { readonly provider: Provider; readonly sent: SentCall; readonly answer: ProviderAnswer }

/**
 * Asks the providers of an alias, each once, in their order, until one of them begins to answer; from then on there is
 * no other. What concerns the caller's own request is not asked of the next: the caller has to mend it. Throws a
 * GatewayError when nobody answers or the caller leaves.
 */
export async function askProviders(
  { providers: client, log }: Pick<GatewayDependencies, 'providers' | 'log'>,
  question: Question,
): Promise<Answered> {
  const { providers, path, callId, caller } = question
  let sent: SentCall | null = null
  let reason = 'provider_unreachable'
  let retryAfterSeconds = 0
  const giveUp = () => sent?.giveUp()
  caller.once('close', giveUp)
  try {
    for (const provider of providers) {
      if (caller.destroyed) break
      sent = client.send(provider, { path, body: question.body(provider), callId })
      let answer: ProviderAnswer
      try {
        answer = await sent.answered
      } catch (error) {
        if (sent.givenUp) break
        const { reason: why, retryAfterMs } = error as ProviderUnreachable
        reason = why
        retryAfterSeconds = Math.max(retryAfterSeconds, Math.ceil((retryAfterMs ?? 0) / 1000))
        // Of a provider that rests, the log has said so once.
        if (why !== 'provider_resting') log.warn({ err: error, callId }, 'a provider did not answer')
        continue
      }
      const { status } = answer
      if (status === 200) return { provider, sent, answer }
      reason = `provider_${status}`
      if (isPassedOn(status)) {
        question.failed(reason)
        throw await passedOnRefusal(answer, provider)
      }
      retryAfterSeconds = Math.max(retryAfterSeconds, toldRetryAfter(answer))
      log.warn({ provider: provider.name, status, callId }, 'a provider refused a call')
      // Read to its end, if that is near, so that the connection can be used again; nobody waits for it.
      void answer.body.beginning(PROVIDER_REFUSAL_BYTES_MAX, PROVIDER_REFUSAL_MS)
    }
  } finally {
    caller.removeListener('close', giveUp)
  }
  question.failed(caller.destroyed ? 'client_left' : reason)
  throw unavailable(retryAfterSeconds)
}
