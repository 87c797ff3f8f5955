/** The APIs that a provider may serve. A call is never translated from one to another. */
export const WIRES = ['chat', 'completions', 'embeddings', 'responses', 'messages'] as const
export type WireName = (typeof WIRES)[number]

/** The APIs of a provider whose `wires` are not set. */
export const DEFAULT_WIRES: readonly WireName[] = ['chat', 'completions', 'embeddings']

export function speaks({ wires = DEFAULT_WIRES }: { readonly wires?: readonly WireName[] }, wire: WireName): boolean {
  return wires.includes(wire)
}

/** The APIs that one of the providers serves. */
export function wiresOf(providers: readonly { readonly wires?: readonly WireName[] }[]): WireName[] {
  return WIRES.filter((wire) => providers.some((provider) => speaks(provider, wire)))
}
