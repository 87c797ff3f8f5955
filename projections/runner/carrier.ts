import { hash } from 'node:crypto'
import type { Category } from '../../contracts/streams.ts'
import type { FeedCarrier } from './ports.ts'

type Carried = { readonly name: string; readonly version?: number; readonly categories: readonly Category[] }

/**
 * One reader for all that a service keeps up to date. Programs of another version may run beside this one: they are on
 * other carriers, because a partition that is given to a process must be read for every subscriber.
 */
export function carrierOf(service: string, subscribers: readonly Carried[]): FeedCarrier {
  const identity = subscribers.map(({ name, version = 1, categories }) => [name, version, ...categories].join(' '))
  return {
    name: `${service}-${hash('sha256', identity.toSorted().join('\n')).slice(0, 12)}`,
    categories: [...new Set(subscribers.flatMap(({ categories }) => categories))],
  }
}
