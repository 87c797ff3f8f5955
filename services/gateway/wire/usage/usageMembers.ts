import type { TokenParts } from '../../../../domain/pricing/usage.ts'

export function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** A member that is no count is treated as if it were not there. */
export function countOf(value: unknown, name: string): number | undefined {
  const found = member(value, name)
  return isCount(found) ? found : undefined
}

/** The service tier as a provider names it; null if it names none. */
export function tierOf(value: unknown): string | null {
  const tier = member(value, 'service_tier')
  return typeof tier === 'string' ? tier : null
}

/** The parts that were reported, without those that were not. */
export function reportedParts(parts: { readonly [Kind in keyof TokenParts]: number | undefined }): TokenParts {
  const reported: Record<string, number> = {}
  for (const kind in parts) {
    const count = parts[kind as keyof TokenParts]
    if (count !== undefined) reported[kind] = count
  }
  return reported
}
