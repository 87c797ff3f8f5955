import type { IncomingMessage } from 'node:http'
import type { Provider } from '../../../capabilities/providers/providersFile.ts'
import { cachedTokens, type Usage } from '../../../domain/pricing/usage.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Span, Tracing } from '../../../platform/tracing/port.ts'

/** Operations of the GenAI conventions, by the endpoint that is called at the provider; anything else is a chat. */
const OPERATIONS: Readonly<Record<string, string>> = { '/completions': 'text_completion', '/embeddings': 'embeddings' }

const TRACE = Symbol('trace of the request')
type Traced = IncomingMessage & { [TRACE]?: CallTrace }

/**
 * The spans of one request, from its arrival to its answer: admission, each provider that was asked, and the append. They
 * have ids, names of aliases and providers, and figures; nothing that a caller or provider wrote. Providers do not get the
 * trace: they are other companies, and find a call by its `x-request-id`.
 */
export class CallTrace {
  readonly #tracing: Tracing
  readonly #request: Span
  readonly #admission: Span
  readonly #clock: Pick<Clock, 'monotonicMs'>
  #provider: Span | null = null
  #failure: string | undefined
  /** When the stream was requested; null for other calls, whose time to first byte is not interesting. */
  #streamSentAtMs: number | null = null

  constructor(tracing: Tracing, clock: Pick<Clock, 'monotonicMs'>, request: Traced, route: string) {
    const { traceparent } = request.headers
    this.#tracing = tracing
    this.#clock = clock
    this.#request = tracing.begin(`${request.method} ${route}`, {
      kind: 'server',
      parent: typeof traceparent === 'string' ? traceparent : undefined,
      attributes: { 'http.request.method': request.method, 'http.route': route },
    })
    this.#admission = tracing.begin('admission', { parent: this.#request })
    request[TRACE] = this
  }

  get traceId(): string {
    return this.#request.traceId
  }

  /** The key is valid and may call. */
  identified(callId: string, companyId: string, keyId: string): void {
    this.#request.set({ 'tollgate.call.id': callId, 'tollgate.company.id': companyId, 'tollgate.key.id': keyId })
  }

  admitted(alias: string): void {
    this.#request.set({ 'tollgate.alias': alias })
    this.#admission.end()
  }

  /** The call is now sent to this provider. */
  sentTo({ name, model, baseUrl }: Provider, endpoint: string, streamed: boolean): void {
    this.#provider?.end()
    this.#streamSentAtMs = streamed ? this.#clock.monotonicMs() : null
    const operation = OPERATIONS[endpoint] ?? 'chat'
    const { hostname, port, protocol } = new URL(baseUrl)
    this.#provider = this.#tracing.begin(`${operation} ${model}`, {
      kind: 'client',
      parent: this.#request,
      attributes: {
        'gen_ai.operation.name': operation,
        'gen_ai.provider.name': name,
        'gen_ai.request.model': model,
        // The conventions define it for streams only.
        'gen_ai.request.stream': streamed || undefined,
        'server.address': hostname,
        'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
      },
    })
  }

  /** The provider that was asked last has begun to answer. */
  firstByte(): void {
    if (this.#streamSentAtMs === null) return
    const seconds = (this.#clock.monotonicMs() - this.#streamSentAtMs) / 1000
    this.#provider?.set({ 'gen_ai.response.time_to_first_chunk': seconds })
  }

  /** Its answer is complete, with this usage. */
  answered(usage: Usage): void {
    const { tokensIn, tokensOut } = usage
    const { tokensCached, tokensCacheWrite } = cachedTokens(usage)
    this.#provider?.set({
      'gen_ai.usage.input_tokens': tokensIn,
      'gen_ai.usage.output_tokens': tokensOut,
      'gen_ai.usage.cache_read.input_tokens': tokensCached ?? undefined,
      'gen_ai.usage.cache_write.input_tokens': tokensCacheWrite ?? undefined,
    })
    this.#provider?.end()
  }

  /** It did not answer, or not completely. */
  unanswered(reason: string): void {
    this.#provider?.fail(reason)
    this.#provider?.end()
    this.#provider = null
  }

  /** The event that ends the call is appended with this trace. */
  async appending<Result>(type: string, append: (traceparent: string | null) => Promise<Result>): Promise<Result> {
    const attributes = { 'tollgate.event.type': type }
    const span = this.#tracing.begin('append ledger', { kind: 'producer', parent: this.#request, attributes })
    try {
      return await append(span.traceparent)
    } catch (error) {
      span.fail('not_stored')
      throw error
    } finally {
      span.end()
    }
  }

  /** How an admitted call ended on the ledger. */
  finished(outcome: string, credits: string, reason: string | undefined): void {
    this.#failure = reason
    this.#request.set({ 'tollgate.outcome': outcome, 'tollgate.credits': credits, 'tollgate.reason': reason })
  }

  /** The request is answered with this code of the catalogue. */
  refused(code: string): void {
    this.#request.set({ 'tollgate.refusal.code': code })
  }

  /**
   * The answer has been sent, or its caller has left. Neither that nor a refusal with 4xx is an error of the server, by the
   * HTTP conventions; a stream that broke off is one, whatever its status.
   */
  end(status: number): void {
    const failure = this.#failure === 'client_left' ? undefined : this.#failure
    this.#request.set({ 'http.response.status_code': status })
    if (status >= 500) {
      this.#request.fail(failure ?? String(status))
      this.#admission.fail(String(status))
    } else if (status < 400 && failure !== undefined) {
      this.#request.fail(failure)
    }
    this.#admission.end()
    this.#provider?.end()
    this.#request.end()
  }
}

/** The trace of a request that is being served, if requests are traced. */
export function traceOf(request: Traced): CallTrace | undefined {
  return request[TRACE]
}
