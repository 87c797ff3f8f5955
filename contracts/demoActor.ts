/** The actor of all events that the first start of a sandbox installation writes. */
export const DEMO_ACTOR = { kind: 'system', name: 'demo' } as const
