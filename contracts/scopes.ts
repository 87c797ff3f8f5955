export const SCOPES = ['inference:chat', 'inference:parse', 'usage:read', 'jobs:read'] as const
export type Scope = (typeof SCOPES)[number]

/** What a key gets when its scopes are not named; jobs:read is opt-in. */
export const DEFAULT_SCOPES: readonly Scope[] = ['inference:chat', 'inference:parse', 'usage:read']
