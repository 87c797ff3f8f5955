import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PostgresStoreHarness } from '../../test/support/databases/postgresStore.ts'
import { byteaArray, int2Array, int8Array, timestamptzArray, uuidArray } from './binaryArrays.ts'

let harness: PostgresStoreHarness
beforeAll(async () => {
  harness = await PostgresStoreHarness.open()
})
afterAll(() => harness.close())

/** What the server reads, written back by the server. */
async function read(type: string, array: Buffer): Promise<unknown[]> {
  const rows = await harness.database.query<{ value: unknown }>(
    `select value from unnest($1::${type}[]) with ordinality as read (value, nth) order by nth`,
    [array],
  )
  return rows.map(({ value }) => value)
}

describe('an array in the binary format', () => {
  test('contains the same ids for the server, whatever the case of their digits', async () => {
    const ids = [randomUUID(), '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']
    const upper = 'ABCDEF01-2345-6789-ABCD-EF0123456789'
    expect(await read('uuid', uuidArray([...ids, upper]))).toEqual([...ids, upper.toLowerCase()])
  })

  test('contains the same numbers for the server', async () => {
    const numbers = [0, 1, -1, 255, 2 ** 31, -(2 ** 31) - 1, 2 ** 32, 2 ** 32 - 1, -(2 ** 32), Number.MAX_SAFE_INTEGER]
    expect(await read('bigint', int8Array([...numbers, Number.MIN_SAFE_INTEGER]))).toEqual(
      [...numbers, Number.MIN_SAFE_INTEGER].map(String),
    )
    expect(await read('smallint', int2Array([0, 3, -1]))).toEqual([0, 3, -1])
  })

  test('contains the same times for the server, including those before 2000', async () => {
    const times = ['2026-03-01T10:00:31.123Z', '1999-12-31T23:59:59.999Z', '2000-01-01T00:00:00.000Z']
    expect(await read('timestamptz', timestamptzArray(times))).toEqual(times)
  })

  test('contains the same bytes for the server', async () => {
    const values = [randomBytes(8_192), Buffer.of(), randomBytes(32)]
    expect(await read('bytea', byteaArray(values))).toEqual(values)
  })

  test('may be empty', async () => {
    expect(await read('uuid', uuidArray([]))).toEqual([])
    expect(await read('bytea', byteaArray([]))).toEqual([])
  })

  test.each([
    '',
    'g0000000-0000-0000-0000-000000000000',
    '00000000-0000-0000-0000-00000000000',
    '00000000+0000-0000-0000-000000000000',
    '000000000000-0000-0000-0000-00000000',
    '00000000-0000-0000-0000-00000000000€',
    '00000000-0000-0000-0000-0000000000000',
  ])('refuses %j as an id', (text) => {
    expect(() => uuidArray([text])).toThrow('is not a UUID')
  })

  test('refuses an invalid time or an unsafe integer', () => {
    expect(() => timestamptzArray(['yesterday'])).toThrow('"yesterday" is not a time')
    expect(() => int8Array([0.5])).toThrow('0.5 is not a safe integer')
    expect(() => int8Array([2 ** 53])).toThrow('is not a safe integer')
  })
})
