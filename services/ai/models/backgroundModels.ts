import { z } from 'zod'
import { type BreakerState, ModelBreaker } from '../../platform/breakers/modelBreaker.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { ProviderClient } from '../../platform/providers/providerClient.ts'
import type { ProviderTable } from '../../platform/providers/providersFile.ts'
import { askAlias } from './askAlias.ts'
import { asModelFailure, isOutage, ModelFailure } from './modelFailure.ts'
import { ALIAS_OF, MODEL_SERVICES, type ModelService } from './modelService.ts'
import { Operations } from './operations.ts'

/** Texts in one embedding call of background work. */
export const TEXTS_PER_EMBEDDING_MAX = 256

export type Message = { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }

export type Extraction<Schema extends z.ZodType> = {
  /** What `/monitoring/operations` counts it under: match_judgement, cv_profile… */
  readonly kind: string
  readonly schemaName: string
  readonly schema: Schema
  readonly messages: readonly Message[]
}

export type BackgroundModelsOptions = {
  readonly providers: ProviderTable
  readonly cooldownMs: number
  readonly log: Log
  readonly metrics: Metrics
}

/** A provider among several is left out for this long; whether the service as a whole rests, its breaker decides. */
const PROVIDER_REST_MS = 1_000

const usage = z.object({
  usage: z.object({ prompt_tokens: z.number().catch(0), completion_tokens: z.number().catch(0).optional() }),
})
const completion = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1) })
const vectors = z.object({ data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()).min(1) })) })

/**
 * The models of background work: each service behind its breaker, every call on record, none charged to a company. A
 * call that fails throws a ModelFailure; whoever asked keeps its work and tries again.
 */
export class BackgroundModels {
  readonly operations: Operations
  readonly #client: ProviderClient
  readonly #breakers: Readonly<Record<ModelService, ModelBreaker>>
  #providers: ProviderTable

  constructor({ providers, cooldownMs, log, metrics }: BackgroundModelsOptions) {
    this.operations = new Operations(metrics)
    this.#client = new ProviderClient({ breakerCooldownMs: Math.min(PROVIDER_REST_MS, cooldownMs) })
    this.#providers = providers
    this.use(providers)
    const breaker = (service: ModelService) =>
      new ModelBreaker({
        cooldownMs,
        isOutage,
        onChange: (state) => {
          if (state === 'open') log.warn({ service, cooldownMs }, 'an AI service fails and rests')
          else log.info({ service, state }, 'an AI service is asked again')
        },
      })
    this.#breakers = { chat: breaker('chat'), extract: breaker('extract'), embed: breaker('embed') }
  }

  /** From now on these are the providers. */
  use(providers: ProviderTable): void {
    this.#providers = providers
    this.#client.use(providers)
  }

  breakerStates(): Record<ModelService, BreakerState> {
    const { chat, extract, embed } = this.#breakers
    return { chat: chat.state, extract: extract.state, embed: embed.state }
  }

  /** How long a service rests; 0: it can be asked. */
  restMs(service: ModelService): number {
    return this.#breakers[service].restMs
  }

  /** Who is asked for what. */
  integrations() {
    return MODEL_SERVICES.map((service) => ({
      service,
      alias: ALIAS_OF[service],
      state: this.#breakers[service].state,
      restMs: this.#breakers[service].restMs,
      providers: this.#providers[ALIAS_OF[service]]?.providers.map(({ name }) => name) ?? [],
    }))
  }

  /** The text that the model answers with. */
  chat(kind: string, messages: readonly Message[]): Promise<string> {
    const body = (model: string) => ({ model, messages, temperature: 0 })
    return this.#ask(kind, 'chat', '/chat/completions', body, contentOf)
  }

  /** A document that follows the schema. */
  extract<Schema extends z.ZodType>(extraction: Extraction<Schema>): Promise<z.infer<Schema>> {
    const { kind, schemaName: name, schema, messages } = extraction
    const format = { type: 'json_schema', json_schema: { name, strict: true, schema: z.toJSONSchema(schema) } }
    const body = (model: string) => ({ model, messages, temperature: 0, response_format: format })
    return this.#ask(kind, 'extract', '/chat/completions', body, (answer) => documentOf(answer, schema))
  }

  /** One vector a text, in their order. */
  async embed(kind: string, texts: readonly string[]): Promise<Float32Array[]> {
    if (texts.length > TEXTS_PER_EMBEDDING_MAX) throw new Error(`${texts.length} texts in one embedding call`)
    const body = (model: string) => ({ model, input: texts })
    return this.#ask(kind, 'embed', '/embeddings', body, (answer) => vectorsOf(answer, texts.length))
  }

  close(): Promise<void> {
    return this.#client.close()
  }

  async #ask<Result>(
    kind: string,
    service: ModelService,
    path: string,
    body: (model: string) => object,
    read: (answer: unknown) => Result,
  ): Promise<Result> {
    const end = this.operations.begin(kind, service)
    const beganAt = performance.now()
    let used = { tokensIn: 0, tokensOut: 0 }
    try {
      const result = await this.#breakers[service].execute(async () => {
        const answer = await askAlias(this.#client, this.#providers, { alias: ALIAS_OF[service], path, body })
        used = usedOf(answer)
        return read(answer)
      })
      end({ ms: performance.now() - beganAt, ...used, failure: null })
      return result
    } catch (error) {
      const failure = asModelFailure(error, service)
      end({ ms: performance.now() - beganAt, ...used, failure })
      throw failure
    }
  }
}

function contentOf(answer: unknown): string {
  const content = completion.safeParse(answer).data?.choices[0]?.message.content
  if (content === undefined || content.trim() === '') throw new ModelFailure('invalid', 'the answer has no text')
  return content
}

function documentOf<Schema extends z.ZodType>(answer: unknown, schema: Schema): z.infer<Schema> {
  let document: unknown
  try {
    document = JSON.parse(withoutFence(contentOf(answer)))
  } catch (error) {
    throw new ModelFailure('invalid', 'the answer is not a JSON document', null, error)
  }
  const checked = schema.safeParse(document)
  if (checked.success) return checked.data
  const [issue] = checked.error.issues
  throw new ModelFailure('invalid', `the answer does not fit its schema: ${issue?.path.join('.')}: ${issue?.message}`)
}

/** Models that know no response_format put their JSON between fences. */
function withoutFence(content: string): string {
  return /^\s*```(?:json)?\s*\n(.*)\n\s*```\s*$/s.exec(content)?.[1] ?? content
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

function usedOf(answer: unknown): { tokensIn: number; tokensOut: number } {
  const counted = usage.safeParse(answer).data?.usage
  return { tokensIn: counted?.prompt_tokens ?? 0, tokensOut: counted?.completion_tokens ?? 0 }
}
