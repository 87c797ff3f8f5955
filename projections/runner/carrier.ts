import { hash } from 'node:crypto'
import type { Category } from '../../contracts/streams.ts'
import type { FeedCarrier } from './ports.ts'

type Carried = { readonly name: string; readonly version?: number; readonly categories: readonly Category[] }

/**
 * One reader for everything that a service keeps up to date. A program of another version that runs at the same time
 * uses another carrier, because a process must read an assigned partition for every subscriber of the carrier.
 */
export function carrierOf(service: string, subscribers: readonly Carried[]): FeedCarrier {
  const identity = subscribers.map(({ name, version = 1, categories }) => [name, version, ...categories].join(' '))
  return {
    name: `${service}-${hash('sha256', identity.toSorted().join('\n')).slice(0, 12)}`,
    categories: [...new Set(subscribers.flatMap(({ categories }) => categories))],
  }
}
