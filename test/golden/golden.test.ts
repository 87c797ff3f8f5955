import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { DomainEvent, RecordedEvent } from '../../contracts/envelope.ts'
import { EVENT_CATALOGUE } from '../../contracts/events/catalogue.ts'
import { CATEGORIES, type Category, categoryOf } from '../../contracts/streams.ts'
import { apiKeyDecider } from '../../domain/apiKey/decider.ts'
import { companyDecider } from '../../domain/company/decider.ts'
import { creditPackDecider } from '../../domain/creditPack/decider.ts'
import { type Decider, fold } from '../../domain/decider.ts'
import { differenceDecider } from '../../domain/difference/decider.ts'
import { disputeDecider } from '../../domain/dispute/decider.ts'
import { documentDecider } from '../../domain/document/decider.ts'
import { generatorDecider } from '../../domain/generator/decider.ts'
import { invoiceDecider } from '../../domain/invoice/decider.ts'
import { jobDecider } from '../../domain/job/decider.ts'
import { ledgerDecider } from '../../domain/ledger/decider.ts'
import { transparencyDecider } from '../../domain/transparency/decider.ts'
import { meetingDecider } from '../../domain/meeting/decider.ts'
import { topUpDecider } from '../../domain/topUp/decider.ts'
import { planDecider } from '../../domain/plan/decider.ts'
import { pricingDecider } from '../../domain/pricing/decider.ts'
import { purchaseDecider } from '../../domain/purchase/decider.ts'
import { subscriptionDecider } from '../../domain/subscription/decider.ts'
import { talentDecider } from '../../domain/talent/decider.ts'
import { taskDecider } from '../../domain/task/decider.ts'
import { userDecider } from '../../domain/user/decider.ts'
import { paymentEventDecider } from '../../domain/paymentEvent/decider.ts'
import { upcast } from '../../platform/eventStore/eventCodec.ts'
import { encodeAppend } from '../../platform/eventStore/eventGuard.ts'

/**
 * Each v<n>.json, or v<n>.<part>.json, holds events as a released version wrote them. They are never edited: the next version adds a file.
 * folds.json says for each file the hash of its content, and of what each stream folds to.
 */
type Recorded = { readonly content: string; readonly folds: Readonly<Record<string, string>> }

const FOLDER = new URL('./', import.meta.url)
const files = readdirSync(FOLDER).filter((name) => /^v\d+(\.\w+)?\.json$/.test(name))
const readJson = (name: string): unknown => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'))
const eventsOf = (file: string) => readJson(file) as RecordedEvent[]
const recorded = readJson('folds.json') as Readonly<Record<string, Recorded>>
const allEvents = files.flatMap(eventsOf)

/** The event types differ from decider to decider, and so does what folds them. */
const deciders = {
  ledger: ledgerDecider,
  apiKey: apiKeyDecider,
  pricing: pricingDecider,
  company: companyDecider,
  user: userDecider,
  plan: planDecider,
  creditPack: creditPackDecider,
  purchase: purchaseDecider,
  topUp: topUpDecider,
  subscription: subscriptionDecider,
  invoice: invoiceDecider,
  dispute: disputeDecider,
  difference: differenceDecider,
  webhook: paymentEventDecider,
  job: jobDecider,
  talent: talentDecider,
  document: documentDecider,
  meeting: meetingDecider,
  task: taskDecider,
  generator: generatorDecider,
  log: transparencyDecider,
} as unknown as Record<Category, Decider<unknown, never, DomainEvent>>

/** Equal values give the same text, whatever the order of their keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'bigint') return part.toString()
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

const hashOf = (value: unknown) => createHash('sha256').update(canonical(value)).digest('hex')

function foldsOf(events: readonly RecordedEvent[]): Record<string, string> {
  const streams = Map.groupBy(events, (event) => event.stream)
  return Object.fromEntries(
    [...streams].map(([stream, history]) => {
      const decider = deciders[categoryOf(stream) as Category]
      const current = history.map((event) => upcast(event))
      return [stream, hashOf(fold(decider, current))]
    }),
  )
}

describe('the golden events', () => {
  test('include every type and version that was ever released', () => {
    const held = new Set(allEvents.map((event) => `${event.type} ${event.metadata.schemaVersion}`))
    const released = Object.entries(EVENT_CATALOGUE).flatMap(([type, { version }]) =>
      Array.from({ length: version }, (_, n) => `${type} ${n + 1}`),
    )
    expect(released.filter((name) => !held.has(name))).toEqual([])
  })

  test('cover every category of streams', () => {
    expect(new Set(allEvents.map((event) => categoryOf(event.stream)))).toEqual(new Set(CATEGORIES))
    expect(Object.keys(deciders).sort()).toEqual([...CATEGORIES].sort())
  })

  test.each(allEvents.map((event) => [event.type, event.metadata.schemaVersion, event] as const))(
    '%s of version %s can be brought to the current version, and follows its schema then',
    (type, _, event) => {
      const current = upcast(event)
      const definition = EVENT_CATALOGUE[type]
      expect(current.metadata.schemaVersion).toBe(definition?.version)
      expect(definition?.schema.parse(current.data)).toEqual(current.data)
    },
  )

  test('are as a store would have kept them', () => {
    for (const file of files) {
      for (const [stream, history] of Map.groupBy(eventsOf(file), (event) => event.stream)) {
        expect(() => encodeAppend(stream, history)).not.toThrow()
        expect(history.map((event) => event.revision)).toEqual(history.map((__, n) => n))
      }
    }
    expect(new Set(allEvents.map((event) => event.id)).size).toBe(allEvents.length)
  })
})

describe.each(files)('%s', (file) => {
  test('has not changed since its release (write a new file instead)', () => {
    expect(hashOf(eventsOf(file))).toBe(recorded[file]?.content)
  })

  test('folds to the hash recorded at its release', () => {
    expect(foldsOf(eventsOf(file))).toEqual(recorded[file]?.folds)
  })
})

test('folds.json lists all golden files and no other', () => {
  expect(Object.keys(recorded).sort()).toEqual(files.toSorted())
})

describe('the golden test fails on a change', () => {
  const [file = ''] = files

  test('in any value of a golden event, but not in the layout of the file', () => {
    const events = eventsOf(file)
    for (const index of events.keys()) {
      const changed = structuredClone(events) as unknown as Array<{ data: Record<string, unknown> }>
      const data = changed[index]?.data ?? {}
      const [name = ''] = Object.keys(data)
      data[name] = `${data[name]} `
      expect(hashOf(changed)).not.toBe(recorded[file]?.content)
    }
    const otherOrder = events.map((event) => Object.fromEntries(Object.entries(event).reverse()))
    expect(hashOf(otherOrder)).toBe(recorded[file]?.content)
  })

  test('when a golden event is missing', () => {
    for (const left of eventsOf(file)) {
      const rest = eventsOf(file).filter((event) => event.id !== left.id)
      expect(hashOf(rest)).not.toBe(recorded[file]?.content)
    }
  })

  test('in how a decider folds an event', () => {
    const charge = allEvents.find((event) => event.type === 'CallCharged') as RecordedEvent
    const dearer = { ...charge, data: { ...charge.data, amountMicros: '12208' } }
    expect(foldsOf([dearer])).not.toEqual(foldsOf([charge]))
  })
})
