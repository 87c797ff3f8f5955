export const SCOPES = ['inference:chat', 'inference:parse', 'usage:read', 'jobs:read'] as const
export type Scope = (typeof SCOPES)[number]

/** The scopes of a key that is minted without naming any; jobs:read must be requested. */
export const DEFAULT_SCOPES: readonly Scope[] = ['inference:chat', 'inference:parse', 'usage:read']
