import { expect, test } from 'vitest'
import { CATEGORIES } from '../../../../contracts/streams.ts'
import { OwnStreams } from './ownStreams.ts'

const PREFIXES = ['tollgate.', 'tollgate.eu.', 'tollgate', 'tollgatea', 'a', 'ab', 'x1', 'X.']

test('the name of every stream of ours is restored from its name on the server', () => {
  for (const prefix of PREFIXES) {
    const streams = new OwnStreams(prefix)
    for (const category of [...CATEGORIES, 'test']) {
      const stream = `${category}-8d6b-ä/1`
      expect(streams.nameOnServer(stream)).toBe(prefix + stream)
      expect(streams.ownName(streams.nameOnServer(stream))).toBe(stream)
    }
  }
})

test('no installation takes the stream of another, even if one prefix begins with the other', () => {
  for (const prefix of PREFIXES) {
    for (const other of PREFIXES.filter((each) => each !== prefix)) {
      for (const category of CATEGORIES) {
        const name = new OwnStreams(other).nameOnServer(`${category}-1`)
        expect(new OwnStreams(prefix).ownName(name), `${prefix} and ${name}`).toBeNull()
      }
    }
  }
})

test.each([
  'user-1',
  '$stats-127.0.0.1:2113',
  '$$tollgate.ledger-1',
  'tollgate.',
  'tollgate.orders',
  'tollgate.Orders-1',
  'Tollgate.user-1',
])('%s is not a stream of ours', (name) => {
  expect(new OwnStreams('tollgate.').ownName(name)).toBeNull()
})

test('the server is asked for names with the prefix, or for those of the categories', () => {
  const streams = new OwnStreams('tollgate.')
  expect(streams.prefixesOf()).toEqual(['tollgate.'])
  expect(streams.prefixesOf(['ledger', 'apiKey'])).toEqual(['tollgate.ledger-', 'tollgate.apiKey-'])
})
