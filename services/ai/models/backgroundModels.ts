import { z } from 'zod'
import { completionText, type Message, parseCompletionJson } from '../../../capabilities/extraction/completion.ts'
import { ProviderClient } from '../../../capabilities/providers/providerClient.ts'
import type { ProviderTable } from '../../../capabilities/providers/providersFile.ts'
import { ProviderWatch } from '../../../capabilities/providers/providerWatch.ts'
import { Redaction } from '../../../capabilities/redaction/redaction.ts'
import type { BreakerState } from '../../../platform/circuitBreaker/circuitBreaker.ts'
import { GuardedCalls } from '../../../platform/circuitBreaker/guardedCalls.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Ids } from '../../../platform/ids/ids.ts'
import type { Log } from '../../../platform/logger/logger.ts'
import type { Metrics } from '../../../platform/metrics/metrics.ts'
import type { Tracing } from '../../../platform/tracing/port.ts'
import { type AliasCall, askAlias } from './askAlias.ts'
import { asModelFailure, isOutage, ModelFailure } from './modelFailure.ts'
import { ALIAS_OF, MODEL_SERVICES, type ModelService } from './modelService.ts'
import { usedOf } from './modelUsage.ts'
import { Operations } from './operations.ts'

/** Texts in one embedding call. */
export const TEXTS_PER_EMBEDDING_MAX = 256

export type Extraction<Schema extends z.ZodType> = {
  /** The kind under which `/monitoring/operations` counts the call: match_judgement, cv_profile… */
  readonly kind: string
  readonly schemaName: string
  readonly schema: Schema
  readonly messages: readonly Message[]
}

export type BackgroundModelsOptions = {
  readonly providers: ProviderTable
  /** Of this installation, to be redacted from error texts; the keys of the providers are in their table. */
  readonly secrets: readonly string[]
  readonly cooldownMs: number
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly metrics: Metrics
  readonly tracing?: Tracing | null
}

/** Cool-down of a single provider's breaker. It is short, because the breaker of the service protects the alias as a whole. */
const PROVIDER_COOLDOWN_MS = 1_000

const vectors = z.object({ data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()).min(1) })) })

/**
 * The models for background work. Each service is behind its circuit breaker, every call is counted in `operations`, and
 * none is charged to a company. A call that fails throws a ModelFailure; the caller keeps its work and retries.
 */
export class BackgroundModels {
  readonly operations: Operations
  readonly #client: ProviderClient
  readonly #clock: Clock
  readonly #ids: Ids
  readonly #watch: ProviderWatch
  readonly #tracing: Tracing | null
  readonly #secrets: readonly string[]
  readonly #services: Readonly<Record<ModelService, GuardedCalls>>
  #providers: ProviderTable
  #redaction: Redaction

  constructor(options: BackgroundModelsOptions) {
    const { providers, secrets, cooldownMs, clock, ids, log, metrics, tracing = null } = options
    this.#tracing = tracing
    this.#secrets = secrets
    this.#redaction = new Redaction({ secrets, tables: [providers] })
    this.#clock = clock
    this.#ids = ids
    this.#watch = new ProviderWatch({ clock, log, metrics })
    this.operations = new Operations(metrics, clock)
    this.#client = new ProviderClient({ clock, breakerCooldownMs: Math.min(PROVIDER_COOLDOWN_MS, cooldownMs) })
    this.#providers = providers
    this.use(providers)
    const guarded = (service: ModelService) =>
      new GuardedCalls({
        clock,
        cooldownMs,
        isOutage,
        onChange: (state) => {
          if (state === 'open') log.warn({ service, cooldownMs }, 'circuit breaker opened for AI service')
          else log.info({ service }, 'circuit breaker closed for AI service')
        },
      })
    this.#services = { chat: guarded('chat'), extract: guarded('extract'), embed: guarded('embed') }
  }

  /** Replaces the provider table. */
  use(providers: ProviderTable): void {
    this.#redaction = new Redaction({ secrets: this.#secrets, tables: [providers, this.#providers] })
    this.#providers = providers
    this.#client.use(providers)
  }

  breakerStates(): Record<ModelService, BreakerState> {
    const { chat, extract, embed } = this.#services
    return { chat: chat.state, extract: extract.state, embed: embed.state }
  }

  /** Time until calls to the service are let through again; 0 if its breaker is not open. */
  cooldownLeftMs(service: ModelService): number {
    return this.#services[service].cooldownLeftMs
  }

  /** Each service with its alias, its breaker and its providers. */
  integrations() {
    return MODEL_SERVICES.map((service) => ({
      service,
      alias: ALIAS_OF[service],
      state: this.#services[service].state,
      cooldownLeftMs: this.#services[service].cooldownLeftMs,
      providers: this.#providers[ALIAS_OF[service]]?.providers.map(({ name }) => name) ?? [],
    }))
  }

  /** Returns the text of the model's answer. */
  chat(kind: string, messages: readonly Message[]): Promise<string> {
    const body = (model: string) => ({ model, messages, temperature: 0 })
    return this.#ask(kind, 'chat', 'chat', body, contentOf)
  }

  /** Returns a JSON document that matches the schema. */
  extract<Schema extends z.ZodType>(extraction: Extraction<Schema>): Promise<z.infer<Schema>> {
    const { kind, schemaName: name, schema, messages } = extraction
    const format = { type: 'json_schema', json_schema: { name, strict: true, schema: z.toJSONSchema(schema) } }
    const body = (model: string) => ({ model, messages, temperature: 0, response_format: format })
    return this.#ask(kind, 'extract', 'chat', body, (answer) => documentOf(answer, schema))
  }

  /** Returns one vector for each text, in the same order. */
  async embed(kind: string, texts: readonly string[]): Promise<Float32Array[]> {
    if (texts.length > TEXTS_PER_EMBEDDING_MAX)
      throw new Error(`${texts.length} texts in one embedding call; the limit is ${TEXTS_PER_EMBEDDING_MAX}`)
    const body = (model: string) => ({ model, input: texts })
    return this.#ask(kind, 'embed', 'embeddings', body, (answer) => vectorsOf(answer, texts.length))
  }

  close(): Promise<void> {
    return this.#client.close()
  }

  async #ask<Result>(
    kind: string,
    service: ModelService,
    wire: AliasCall['wire'],
    body: (model: string) => object,
    read: (answer: unknown) => Result,
  ): Promise<Result> {
    const end = this.operations.begin(kind, service)
    const beganAt = this.#clock.monotonicMs()
    let used = { tokensIn: 0, tokensOut: 0 }
    try {
      const result = await this.#services[service].execute(async () => {
        const alias = ALIAS_OF[service]
        const callId = this.#ids.uuid()
        const answer = await askAlias(this.#client, this.#providers, {
          alias,
          wire,
          body,
          callId,
          tracing: this.#tracing,
          refused: (provider, status) => this.#watch.refused({ alias, provider, status, callId }),
          withoutSecrets: (text) => this.#redaction.withoutSecrets(text),
        })
        used = usedOf(answer)
        return read(answer)
      })
      end({ ms: this.#clock.monotonicMs() - beganAt, ...used, failure: null })
      return result
    } catch (error) {
      const failure = asModelFailure(error, service)
      end({ ms: this.#clock.monotonicMs() - beganAt, ...used, failure })
      throw failure
    }
  }
}

function contentOf(answer: unknown): string {
  const content = completionText(answer)
  if (content.trim() === '') throw new ModelFailure('invalid', 'the answer has no text')
  return content
}

function documentOf<Schema extends z.ZodType>(answer: unknown, schema: Schema): z.infer<Schema> {
  let document: unknown
  try {
    document = parseCompletionJson(contentOf(answer))
  } catch (error) {
    throw new ModelFailure('invalid', 'the answer is not a JSON document', null, error)
  }
  const checked = schema.safeParse(document)
  if (checked.success) return checked.data
  const [issue] = checked.error.issues
  throw new ModelFailure('invalid', `the answer does not match its schema: ${issue?.path.join('.')}: ${issue?.message}`)
}

function vectorsOf(answer: unknown, count: number): Float32Array[] {
  const data = vectors.safeParse(answer).data?.data ?? []
  const found = new Array<Float32Array | undefined>(count)
  for (const { index, embedding } of data) found[index] = Float32Array.from(embedding)
  if (data.length !== count || found.includes(undefined)) {
    throw new ModelFailure('invalid', `${count} texts were sent and ${data.length} vectors came back`)
  }
  return found as Float32Array[]
}
