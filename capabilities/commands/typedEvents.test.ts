import { expect, expectTypeOf, test } from 'vitest'
import type { Recorded } from '../../contracts/envelope.ts'
import type { ApiKeyEvent } from '../../contracts/events/apiKey.ts'
import type { CategoryOf, EventData, EventOf } from '../../contracts/events/eventsByCategory.ts'
import type { JobEvent } from '../../contracts/events/job.ts'
import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import type { TalentEvent } from '../../contracts/events/talent.ts'
import { streamName } from '../../contracts/streams.ts'
import { apiKeyDecider } from '../../domain/apiKey/decider.ts'
import { unexpected } from '../../domain/decider.ts'
import type { TypedEventStore } from '../../platform/eventStore/port.ts'
import type { Projection } from '../../projections/projection.ts'
import type { Feed } from '../../projections/runner/ports.ts'
import type { CommandHandler } from './commandHandler.ts'

// `tsc` checks this file: each `@ts-expect-error` is a compile error unless the next line is one.

type KeyRow = { readonly keyId: string; readonly status: string }

const TABLE = {
  name: 'keys',
  version: 1,
  table: 'keys',
  tableSql: new URL('file:///table.sql'),
  key: ['keyId'],
} as const

function minted(): ApiKeyEvent {
  const limits = {
    scopes: [],
    models: null,
    rpm: 1,
    tpm: 1,
    expiresAt: null,
    rotatedFrom: null,
    label: null,
    budget: null,
    mintedBy: null,
  }
  const data = { keyId: 'k', companyId: 'c', name: 'n', hash: 'h', hint: 't', ...limits, mintedAt: 'now' }
  return { type: 'ApiKeyMinted', data }
}

test('a projection that forgets an event type does not compile, and throws when it meets one', () => {
  const forgetful: Projection<KeyRow, ApiKeyEvent> = {
    ...TABLE,
    categories: ['apiKey'],
    rowsOf: (event) => [{ keyId: event.data.keyId }],
    evolve: (row, event) => {
      switch (event.type) {
        case 'ApiKeyRotated':
        case 'ApiKeyUpdated':
        case 'ApiKeyRevoked':
        case 'ApiKeyExpired':
          return row ?? { keyId: event.data.keyId, status: 'LIVE' }
        default:
          // @ts-expect-error ApiKeyMinted is forgotten
          return unexpected(event)
      }
    },
  }
  expect(() => forgetful.evolve(undefined, minted() as Recorded<ApiKeyEvent>, {})).toThrow(/ApiKeyMinted/)
})

test('an evolve that forgets an event type does not compile, and throws when it meets one', () => {
  const evolve = (state: string, event: ApiKeyEvent): string => {
    switch (event.type) {
      case 'ApiKeyRotated':
      case 'ApiKeyUpdated':
      case 'ApiKeyRevoked':
      case 'ApiKeyExpired':
        return state
      default:
        // @ts-expect-error ApiKeyMinted is forgotten
        return unexpected(event)
    }
  }
  expect(() => evolve('unknown', minted())).toThrow(/ApiKeyMinted/)
})

test('a projection names the categories of its events and no other', () => {
  const misplaced: Pick<Projection<KeyRow, ApiKeyEvent>, 'categories'> = {
    // @ts-expect-error the streams of jobs hold no events of keys
    categories: ['job'],
  }
  expect(misplaced.categories).toEqual(['job'])
  expectTypeOf<CategoryOf<ApiKeyEvent>>().toEqualTypeOf<'apiKey'>()
})

test('reads of the store and of the feed yield the events of their categories', () => {
  type Store = TypedEventStore
  const reads = (store: Store, feed: Feed) => ({
    stream: store.readStream(streamName('ledger', 'c')),
    page: store.readAll({ after: '' as never, categories: ['job', 'talent'], limit: 1 }),
    batches: feed.subscribe({
      consumer: 'a test',
      shared: false,
      categories: ['apiKey'],
      reached: async () => '' as never,
      signal: AbortSignal.abort(),
    }),
  })
  type Reads = ReturnType<typeof reads>
  type Item<Items> = Items extends AsyncIterable<infer One> ? One : never
  expectTypeOf<Item<Reads['stream']>>().toEqualTypeOf<Recorded<LedgerEvent>>()
  expectTypeOf<Awaited<Reads['page']>['events'][number]>().toEqualTypeOf<Recorded<JobEvent | TalentEvent>>()
  expectTypeOf<Item<Reads['batches']>['events'][number]>().toEqualTypeOf<Recorded<ApiKeyEvent>>()
  expectTypeOf<EventOf<'ledger'>>().toEqualTypeOf<LedgerEvent>()
  expectTypeOf<EventData<'CallCharged'>['tokensIn']>().toEqualTypeOf<number>()
})

test('a command is carried out only on a stream of its own category', () => {
  const misdirected = (commands: CommandHandler) => {
    const command = { type: 'RevokeApiKey', keyId: 'k', at: 'now' } as const
    const context = { commandId: 'c', correlationId: 'c', actor: { kind: 'system', name: 'a test' } } as const
    // @ts-expect-error keys have no events on the streams of jobs
    return commands.handle(apiKeyDecider, streamName('job', 'j'), command, context)
  }
  expectTypeOf(misdirected).toBeFunction()
})
