import { daysIn } from '../../parts/values/days.ts'

/** The filters of the trail, as URL search parameters. */
export type TrailSearch = {
  readonly correlation?: string
  readonly user?: string
  readonly key?: string
  readonly type?: string
  readonly days?: number
}

const TEXTS = ['correlation', 'user', 'key', 'type'] as const

export function trailSearch(search: Record<string, unknown>): TrailSearch {
  const texts = TEXTS.flatMap((name) => {
    const value = search[name]
    return (typeof value === 'string' || typeof value === 'number') && value !== '' ? [[name, String(value)]] : []
  })
  return { ...Object.fromEntries(texts), ...daysIn(search) }
}
