import type { KeyFieldsFragment } from '../../graphql/generated.ts'
import type { Tone } from '../../parts/Badge.tsx'

export type Key = KeyFieldsFragment

/** The key that this one replaces, and the one that replaces it. A key that was rotated twice names the last replacement. */
export function rotationOf(key: Key, keys: readonly Key[]): { readonly replaces?: Key; readonly replacedBy?: Key } {
  const replaces = keys.find(({ id }) => id === key.rotatedFrom)
  const replacedBy = keys
    .filter(({ rotatedFrom }) => rotatedFrom === key.id)
    .toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))[0]
  return { ...(replaces && { replaces }), ...(replacedBy && { replacedBy }) }
}

export const SCOPES = [
  {
    value: 'inference:chat',
    label: 'Chat',
    hint: 'Chat completions, responses, messages, embeddings',
    byDefault: true,
  },
  { value: 'inference:parse', label: 'Parse', hint: 'Extraction from CVs and job descriptions', byDefault: true },
  { value: 'usage:read', label: 'Usage', hint: 'Reads its own usage', byDefault: true },
  { value: 'jobs:read', label: 'Jobs', hint: 'Reads the company’s active jobs', byDefault: false },
] as const

export const PERIODS = [
  { value: 'DAY', label: 'per UTC day' },
  { value: 'MONTH', label: 'per UTC month' },
  { value: 'TOTAL', label: 'in all' },
] as const

export function periodName(period: string): string {
  return PERIODS.find(({ value }) => value === period)?.label ?? period
}

export function scopeName(scope: string): string {
  return SCOPES.find(({ value }) => value === scope)?.label ?? scope
}

/** A key that expires within this time is marked with a warning. */
export const EXPIRING_MS = 7 * 86_400_000

export function isExpiring({ status, expiresAt }: Pick<Key, 'status' | 'expiresAt'>, nowMs: number): boolean {
  return status === 'LIVE' && expiresAt !== null && Date.parse(expiresAt) - nowMs < EXPIRING_MS
}

export function isExhausted({ status, budget }: Pick<Key, 'status' | 'budget'>): boolean {
  return status === 'LIVE' && budget !== null && budget.spent >= budget.credits
}

export const STATUS: Readonly<Record<Key['status'], { readonly name: string; readonly tone: Tone }>> = {
  LIVE: { name: 'Live', tone: 'good' },
  REVOKED: { name: 'Revoked', tone: 'danger' },
  EXPIRED: { name: 'Expired', tone: 'warning' },
}
