import { describe, expect, test } from 'vitest'
import type { HttpError } from '../answer/httpError.ts'
import { UnidentifiedPlaces } from './unidentifiedPlaces.ts'

const LIMITS = { placesMax: 6, perAddressMax: 3 }

/** Enters as a caller whose body arrives slowly, so its place can be taken away. */
function waiting(places: UnidentifiedPlaces, address: string) {
  const evictions: HttpError[] = []
  const place = places.enter(address)
  place.evict = (refusal) => evictions.push(refusal)
  return { place, evictions }
}

describe('when an address has all its places', () => {
  test('its next request gets the place of the one that waited longest', () => {
    const places = new UnidentifiedPlaces(LIMITS)
    const [first, second] = [1, 2, 3].map(() => waiting(places, '198.51.100.7'))
    const other = waiting(places, '203.0.113.9')
    waiting(places, '198.51.100.7')
    expect(first?.evictions).toMatchObject([{ status: 429, headers: { 'retry-after': '1' } }])
    expect([second?.evictions, other.evictions]).toEqual([[], []])
    expect(places.count).toBe(4)
  })

  test('its next request is refused with 429 if all of them are being answered', () => {
    const places = new UnidentifiedPlaces(LIMITS)
    for (let n = 0; n < 3; n++) places.enter('198.51.100.7')
    expect(() => places.enter('198.51.100.7')).toThrow(expect.objectContaining({ status: 429 }))
    expect(places.count).toBe(3)
    expect(places.enter('203.0.113.9')).toBeDefined()
  })

  test('all addresses of an IPv6 network count as one', () => {
    const places = new UnidentifiedPlaces(LIMITS)
    for (let n = 0; n < 3; n++) places.enter(`2001:db8:1:2::${n}`)
    expect(() => places.enter('2001:db8:1:2:ffff::1')).toThrow(expect.objectContaining({ status: 429 }))
    expect(places.enter('2001:db8:1:3::1')).toBeDefined()
  })
})

describe('when all places are taken', () => {
  test('the next request gets the oldest place of the address that has the most', () => {
    const places = new UnidentifiedPlaces(LIMITS)
    const single = waiting(places, '203.0.113.1')
    const attacker = [1, 2, 3].map(() => waiting(places, '198.51.100.7'))
    waiting(places, '203.0.113.2')
    waiting(places, '203.0.113.3')
    expect(places.count).toBe(6)
    waiting(places, '203.0.113.4')
    expect(attacker[0]?.evictions).toMatchObject([{ status: 503 }])
    expect(single.evictions).toEqual([])
    expect(places.count).toBe(6)
  })

  test('the next request is refused with 503 if none can be taken away', () => {
    const places = new UnidentifiedPlaces(LIMITS)
    for (let n = 0; n < 6; n++) places.enter(`203.0.113.${n}`)
    expect(() => places.enter('198.51.100.7')).toThrow(expect.objectContaining({ status: 503 }))
  })
})

test('leaving twice, or after the place was taken away, frees one place', () => {
  const places = new UnidentifiedPlaces({ placesMax: 2, perAddressMax: 1 })
  const evicted = waiting(places, '198.51.100.7')
  const next = waiting(places, '198.51.100.7')
  places.leave(evicted.place)
  expect(places.count).toBe(1)
  places.leave(next.place)
  places.leave(next.place)
  expect(places.count).toBe(0)
})
