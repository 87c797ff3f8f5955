import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { ManualClock } from '../../../test/support/time/manualClock.ts'
import { systemClock } from '../../clock/clock.ts'
import { InFlight } from '../limits/inFlight.ts'
import {
  BODY_BYTES_IN_FLIGHT_MAX,
  BODY_GRACE_MS,
  RequestPlaces,
  UNIDENTIFIED_BODY_MS,
  UNIDENTIFIED_REQUESTS_PER_ADDRESS_MAX,
} from '../limits/requestPlaces.ts'
import { readBody, UNCOUNTED_BODY_BYTES } from './requestBody.ts'

type FakeRequest = PassThrough & { headers: Record<string, string>; complete: boolean }

const MIB = 1024 * 1024

function aRequest(headers: Record<string, string> = {}): FakeRequest {
  const socket = { remoteAddress: '198.51.100.7' }
  return Object.assign(new PassThrough(), { headers, complete: false, socket })
}
const asRequest = (request: FakeRequest) => request as unknown as IncomingMessage

/** The place of a company's request; null for a caller that is not identified. */
function aPlace(holder: string | null = 'company', places = new RequestPlaces({ clock: systemClock })) {
  return places.enter(asRequest(aRequest()), holder, undefined)
}

describe('reading a body', () => {
  test('returns its bytes, sent in one piece or several', async () => {
    const request = aRequest()
    const body = readBody(asRequest(request), 10, aPlace())
    request.write('hello')
    request.end('world')
    expect((await body).toString()).toBe('helloworld')
  })

  test('stops at the limit; no more is read', async () => {
    const request = aRequest()
    const body = readBody(asRequest(request), 10, aPlace())
    request.write('x'.repeat(11))
    expect(await body).toBe('too large')
    expect(request.isPaused()).toBe(true)
  })

  test('JSON beyond its limits is refused at the chunk that exceeds them, even after an unscanned beginning', async () => {
    for (const unscannedBytesMax of [0, 8]) {
      const request = aRequest()
      const body = readBody(asRequest(request), 1_000, aPlace(), { valuesMax: 4, unscannedBytesMax })
      request.write('[1,2,')
      request.write('3,4,5,')
      expect(await body).toBe('too many values')
    }
  })

  test('JSON within the unscanned size is returned, whatever it contains', async () => {
    const request = aRequest()
    const body = readBody(asRequest(request), 1_000, aPlace(), { valuesMax: 4, unscannedBytesMax: 100 })
    request.end('[1,2,3,4,5,6]')
    expect((await body).toString()).toBe('[1,2,3,4,5,6]')
  })

  test.each([
    ['its content-length is over the limit', { 'content-length': '11' }, 'too large'],
    ['it is compressed', { 'content-encoding': 'gzip' }, 'encoded'],
  ])('is not begun when %s', async (_, headers, fault) => {
    expect(await readBody(asRequest(aRequest(headers)), 10, aPlace())).toBe(fault)
  })

  test('is abandoned if it is sent byte by byte, but not for a few small chunks', async () => {
    const request = aRequest()
    const body = readBody(asRequest(request), MIB, aPlace())
    for (let n = 0; n < 11_000; n++) request.write('x')
    expect(await body).toBe('too many chunks')
    const other = aRequest()
    const whole = readBody(asRequest(other), MIB, aPlace())
    for (let n = 0; n < 9_000; n++) other.write('x')
    other.end()
    expect(await whole).toHaveLength(9_000)
  })

  test('reports a caller that disconnected', async () => {
    const request = aRequest()
    const body = readBody(asRequest(request), 10, aPlace())
    request.write('hal')
    request.destroy()
    expect(await body).toBe('aborted')
  })
})

describe('a body that arrives slowly', () => {
  test.each([
    ['of a caller that is not identified', null, UNIDENTIFIED_BODY_MS],
    ['of a company', 'company', BODY_GRACE_MS],
  ])('%s is given up after its time', async (_, holder, ms) => {
    const clock = new ManualClock()
    const request = aRequest()
    let fault: unknown
    const body = readBody(asRequest(request), MIB, aPlace(holder, new RequestPlaces({ clock }))).then((ended) => {
      fault = ended
    })
    request.write('half')
    await clock.advance(ms - 1)
    expect(fault).toBeUndefined()
    await clock.advance(1)
    await body
    expect(fault).toBe('slow')
    expect(request.isPaused()).toBe(true)
  })

  test('has more time the more of it has arrived, up to a minute', async () => {
    const clock = new ManualClock()
    const request = aRequest()
    let fault: unknown
    const body = readBody(asRequest(request), 10 * MIB, aPlace('company', new RequestPlaces({ clock })))
    body.then((ended) => {
      fault = ended
    })
    const send = async (bytes: number) => {
      request.write(Buffer.alloc(bytes))
      await new Promise((resolve) => setImmediate(resolve))
    }
    await send(320 * 1024)
    await clock.advance(BODY_GRACE_MS + 19_000)
    expect(fault).toBeUndefined()
    await send(9 * MIB)
    await clock.advance(30_000)
    expect(fault).toBeUndefined()
    await clock.advance(1_000)
    expect(await body).toBe('slow')
  })

  test('cannot hold its place by sending a byte now and then', async () => {
    const clock = new ManualClock()
    const request = aRequest()
    const body = readBody(asRequest(request), MIB, aPlace('company', new RequestPlaces({ clock })))
    for (let n = 0; n < 11; n++) {
      request.write('x')
      await clock.advance(1_000)
    }
    expect(await body).toBe('slow')
  })
})

describe('the bytes of all bodies that are held at once', () => {
  /** Sends bytes of a body that goes on. */
  async function holding(places: RequestPlaces, holder: string, bytes: number) {
    const place = aPlace(holder, places)
    const request = aRequest()
    const body = readBody(asRequest(request), 2 * BODY_BYTES_IN_FLIGHT_MAX, place)
    body.catch(() => {})
    request.write(Buffer.alloc(bytes))
    await new Promise((resolve) => setImmediate(resolve))
    return { place, body, request }
  }

  test('have a share for each company: beyond it a body is refused with 429, and other companies go on', async () => {
    const places = new RequestPlaces({ clock: systemClock })
    const half = await holding(places, 'greedy', BODY_BYTES_IN_FLIGHT_MAX / 2)
    const { body } = await holding(places, 'greedy', MIB)
    await expect(body).rejects.toMatchObject({ status: 429, headers: { 'retry-after': '1' } })
    const other = await holding(places, 'other', 10 * MIB)
    other.request.end()
    expect(await other.body).toHaveLength(10 * MIB)
    half.place.leave()
    other.place.leave()
    expect(places.bytes.used).toBe(0)
  })

  test('are free again when the request leaves, not when the body is complete', async () => {
    const places = new RequestPlaces({ clock: systemClock })
    const { place, body, request } = await holding(places, 'company', MIB)
    request.end()
    await body
    expect(places.bytes.used).toBe(MIB)
    place.leave()
    expect(places.bytes.used).toBe(0)
  })

  test('do not include small bodies, whose room comes with their place in flight', async () => {
    const places = new RequestPlaces({ clock: systemClock })
    await holding(places, 'company', UNCOUNTED_BODY_BYTES)
    expect(places.bytes.used).toBe(0)
  })
})

test('a body whose place is given to another is refused and no longer read', async () => {
  const places = new RequestPlaces({ clock: systemClock })
  const request = aRequest()
  const body = readBody(asRequest(request), MIB, aPlace(null, places))
  for (let n = 0; n < UNIDENTIFIED_REQUESTS_PER_ADDRESS_MAX; n++) aPlace(null, places)
  await expect(body).rejects.toMatchObject({ status: 429 })
  expect(request.isPaused()).toBe(true)
})

test('a request of a company counts as in flight, one of an unidentified caller does not', () => {
  const places = new RequestPlaces({ clock: systemClock })
  const inFlight = new InFlight(10)
  const enter = (holder: string | null) => places.enter(asRequest(aRequest()), holder, inFlight)
  const company = enter('company')
  const unidentified = enter(null)
  expect([inFlight.count, places.unidentified.count]).toEqual([1, 1])
  company.leave()
  unidentified.leave()
  expect([inFlight.count, places.unidentified.count]).toEqual([0, 0])
})
