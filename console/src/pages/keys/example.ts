/** The APIs that there are examples for, by the endpoint of their calls. */
const APIS = {
  '/chat/completions': 'chat',
  '/responses': 'responses',
  '/messages': 'messages',
  '/embeddings': 'embeddings',
} as const

export type Api = (typeof APIS)[keyof typeof APIS]

type SeenCall = { readonly alias: string; readonly endpoint: string }

/** The model that the examples of a key name, and the APIs that they call it with. */
export type Example = {
  readonly model: string
  readonly apis: readonly Api[]
  /** False if no call shows that the model serves the API. */
  readonly isProven: boolean
}

/**
 * Chooses a model that the key may call, on the APIs by which it was charged before. A model that was never called is assumed
 * to serve the chat API, as models do unless the operator says otherwise. null if no model is known.
 */
export function exampleOf(models: readonly string[] | null, calls: readonly SeenCall[]): Example | null {
  const proven = new Map<string, Set<Api>>()
  for (const { alias, endpoint } of calls) {
    const api = APIS[endpoint as keyof typeof APIS]
    if (!api || (models && !models.includes(alias))) continue
    proven.set(alias, (proven.get(alias) ?? new Set()).add(api))
  }
  const [best] = [...proven].toSorted(([, one], [, other]) => Number(other.has('chat')) - Number(one.has('chat')))
  if (best) return { model: best[0], apis: [...best[1]], isProven: true }
  const model = models?.[0]
  return model === undefined ? null : { model, apis: ['chat'], isProven: false }
}
