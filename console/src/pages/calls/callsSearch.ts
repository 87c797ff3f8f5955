import type { CallState } from '../../graphql/generated.ts'
import { daysIn } from '../../parts/values/days.ts'

/** The filters of the call list, as URL search parameters. */
export type CallsSearch = {
  readonly key?: string
  readonly alias?: string
  readonly label?: string
  readonly state?: CallState
  readonly days?: number
}

const STATES: readonly CallState[] = ['CHARGED', 'FAILED', 'REVERSED']

export function callsSearch(search: Record<string, unknown>): CallsSearch {
  const state = STATES.find((one) => one === search.state)
  return {
    ...textIn(search, 'key'),
    ...textIn(search, 'alias'),
    ...textIn(search, 'label'),
    ...(state && { state }),
    ...daysIn(search),
  }
}

function textIn(search: Record<string, unknown>, name: 'key' | 'alias' | 'label') {
  const value = search[name]
  return (typeof value === 'string' || typeof value === 'number') && value !== '' ? { [name]: String(value) } : {}
}
