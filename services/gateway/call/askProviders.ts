import {
  PROVIDER_REFUSAL_BYTES_MAX,
  PROVIDER_REFUSAL_MS,
  type ProviderAnswer,
  type SentCall,
} from '../../../capabilities/providers/answerReceiver.ts'
import type { ApiKeyHeader } from '../../../capabilities/providers/providerClient.ts'
import type { Provider } from '../../../capabilities/providers/providersFile.ts'
import type { ProviderUnreachable } from '../../../capabilities/providers/providerUnreachable.ts'
import { speaks, type WireName } from '../../../capabilities/providers/wires.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import type { Caller } from '../requestContext.ts'
import type { CallTrace } from './callTrace.ts'
import { whenCallerLeaves } from './drain.ts'
import type { LateReads } from './lateReads.ts'
import { isPassedOn, passedOnRefusal, retryAfterOf, unavailable } from './providerFailure.ts'

type ProviderDependencies = Pick<GatewayDependencies, 'providers' | 'providerWatch' | 'clock' | 'redaction'>

export type Question = {
  readonly alias: string
  /** In the order in which they are tried. */
  readonly providers: readonly Provider[]
  /** Providers that do not serve this API are skipped. */
  readonly wire: WireName
  readonly path: string
  readonly keyHeader?: ApiKeyHeader | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly callId: string
  readonly companyId: string
  readonly caller: Caller
  /** Set if a provider call that has begun goes on after its caller has left. */
  readonly drain: LateReads | null
  readonly trace?: CallTrace | undefined
  /** Called with each provider before it is asked. */
  sentTo(provider: Provider): void
  /** The body for this provider. */
  body(provider: Provider): Buffer
  /**
   * Called once with the reason, for the call's record, before the error is thrown. `callerLeft`: the caller disconnected
   * while a provider was working on the call.
   */
  failed(reason: string, callerLeft: boolean): void
}

export type Answered = {
  readonly provider: Provider
  readonly sent: SentCall
  readonly answer: ProviderAnswer
  /** When the first provider was asked, on the monotonic clock. */
  readonly firstSentAtMs: number
}

/**
 * Asks the providers of an alias in order, each once, until one begins to answer. A refusal that concerns the caller's
 * own request is passed on at once, without asking the next provider. Throws a GatewayError when no provider answers or
 * the caller disconnects.
 */
export async function askProviders(
  { providers: client, providerWatch, clock, redaction }: ProviderDependencies,
  question: Question,
): Promise<Answered> {
  const { alias, providers, wire, path, keyHeader, headers, callId, companyId, caller, drain, trace } = question
  let sent: SentCall | null = null
  let reason = 'provider_unreachable'
  let retryAfterSeconds = 0
  let firstSentAtMs: number | null = null
  const watch = whenCallerLeaves(caller, drain, () => sent?.giveUp())
  try {
    for (const provider of providers) {
      if (caller.destroyed) break
      if (!speaks(provider, wire)) continue
      question.sentTo(provider)
      const body = question.body(provider)
      const sentAtMs = clock.monotonicMs()
      firstSentAtMs ??= sentAtMs
      sent = client.send(provider, { path, body, callId, companyId, keyHeader, headers })
      let answer: ProviderAnswer
      try {
        answer = await sent.answered
      } catch (error) {
        if (sent.givenUp) {
          providerWatch.givenUp(alias, provider.name)
          break
        }
        const { reason: why, retryAfterMs } = error as ProviderUnreachable
        reason = why
        retryAfterSeconds = Math.max(retryAfterSeconds, Math.ceil((retryAfterMs ?? 0) / 1000))
        providerWatch.unreachable({ alias, provider: provider.name, callId }, why, error)
        trace?.unanswered(why)
        continue
      }
      const { status } = answer
      if (status === 200) {
        providerWatch.answered(alias, provider.name, sentAtMs)
        return { provider, sent, answer, firstSentAtMs }
      }
      reason = `provider_${status}`
      trace?.unanswered(reason)
      if (isPassedOn(status)) {
        providerWatch.answered(alias, provider.name, sentAtMs)
        question.failed(reason, false)
        throw await passedOnRefusal(answer, redaction)
      }
      retryAfterSeconds = Math.max(retryAfterSeconds, retryAfterOf(answer))
      providerWatch.refused({ alias, provider: provider.name, status, callId })
      // A short body is read to its end in the background, so that the connection can be reused.
      void answer.body.beginning(PROVIDER_REFUSAL_BYTES_MAX, PROVIDER_REFUSAL_MS)
    }
  } finally {
    watch.end()
  }
  question.failed(caller.destroyed ? 'client_left' : reason, sent?.givenUp === true && !sent.givenUpUnsent)
  throw unavailable(retryAfterSeconds)
}
