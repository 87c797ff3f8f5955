import { beforeEach, expect, test } from 'vitest'
import {
  GRAPHQL_SOCKETS_MAX,
  GRAPHQL_UNIDENTIFIED_SOCKETS_MAX,
  GRAPHQL_UNIDENTIFIED_SOCKETS_PER_ADDRESS_MAX,
  type SocketPlace,
  SocketPlaces,
} from './socketPlaces.ts'

let places: SocketPlaces
let evicted: SocketPlace[]
beforeEach(() => {
  places = new SocketPlaces()
  evicted = []
})

function enter(address: string): SocketPlace {
  const place = places.enter(address)
  place.whenEvicted(() => {
    evicted.push(place)
    place.leave()
  })
  return place
}

/** Sockets that have shown a valid token, from different networks. */
const identified = (count: number, holder: string) =>
  Array.from({ length: count }, (_, n) => {
    const place = enter(`10.${Math.floor(n / 250)}.${n % 250}.1`)
    return { place, isIdentified: place.identify(holder) }
  })

test('a socket that has shown a token loses its place to no other, and leaves its first one to others', () => {
  const first = enter('10.0.0.1')
  expect([first.isIdentified, first.identify('acme'), first.isIdentified]).toEqual([false, true, true])
  const others = Array.from({ length: GRAPHQL_UNIDENTIFIED_SOCKETS_PER_ADDRESS_MAX }, () => enter('10.0.0.1'))
  expect(evicted).toEqual([])
  enter('10.0.0.1')
  expect(evicted).toEqual(others.slice(0, 1))
})

test('sockets without a token take no place from users that are signed in', () => {
  const waiting = Array.from({ length: GRAPHQL_UNIDENTIFIED_SOCKETS_MAX }, (_, n) => enter(`10.1.${n}.1`))
  expect(evicted).toEqual([])
  expect(waiting.every((place) => place.identify(`company ${waiting.indexOf(place)}`))).toBe(true)
})

test('a company that asks for all places gets half, and one back with each socket that leaves', () => {
  const share = GRAPHQL_SOCKETS_MAX / 2
  const own = identified(share + 1, 'acme')
  expect(own.map(({ isIdentified }) => isIdentified)).toEqual([...Array(share).fill(true), false])
  expect(identified(10, 'other').every(({ isIdentified }) => isIdentified)).toBe(true)
  // Then 94 are held by the company, and 96 are free.
  for (const { place } of own.slice(0, 6)) {
    place.leave()
    place.leave()
  }
  expect(own[0]?.place.identify('acme')).toBe(false)
  expect(identified(2, 'acme').map(({ isIdentified }) => isIdentified)).toEqual([true, false])
})
