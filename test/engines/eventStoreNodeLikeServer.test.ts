import { randomUUID } from 'node:crypto'
import { ANY, EventStoreDBClient, jsonEvent, NO_STREAM, streamNameFilter } from '@eventstore/db-client'
import { expect, test } from 'vitest'
import { EventStoreNode } from '../support/eventStores/eventStoreNode/node.ts'
import { describeWithEventStore } from '../support/eventStores/eventStoreSuite.ts'
import { until } from '../support/time/until.ts'

/** The answers to the same requests, without what differs from server to server. */
async function answersOf(url: string, prefix: string): Promise<unknown[]> {
  const client = EventStoreDBClient.connectionString(url)
  const answers: unknown[] = []
  const named = (stream: string) => `${prefix}${stream}`
  const event = (n: number, text = '') => jsonEvent({ type: 'SomethingHappened', data: { n, text } })
  type Options = Parameters<EventStoreDBClient['appendToStream']>[2]
  const append = (stream: string, events: ReturnType<typeof event>[], options: Options = {}) =>
    client.appendToStream(named(stream), events, options).then(
      ({ success, nextExpectedRevision }) => ({ success, nextExpectedRevision }),
      ({ type, actualVersion }) => ({ type, actualVersion }),
    )
  const read = async (stream: string, options: Parameters<EventStoreDBClient['readStream']>[1] = {}) => {
    const events: unknown[] = []
    try {
      for await (const { event: each } of client.readStream(named(stream), options)) {
        events.push([each?.revision, each?.type, each?.data, each?.metadata, each?.isJson])
      }
    } catch (error) {
      events.push((error as { type?: string }).type)
    }
    return events
  }
  const [first, second, third] = [event(0), event(1), event(2)]
  answers.push(await append('a', [first, second], { expectedRevision: NO_STREAM }))
  answers.push(await append('a', [first, second], { expectedRevision: NO_STREAM }))
  answers.push(await append('a', [first, second], { expectedRevision: ANY }))
  answers.push(await append('a', [second, third], { expectedRevision: ANY }))
  answers.push(await append('a', [third], { expectedRevision: 0n }))
  answers.push(await append('a', [third], { expectedRevision: 7n }))
  answers.push(await append('a', [third], { expectedRevision: 1n }))
  answers.push(await append('missing', [event(3)], { expectedRevision: 0n }))
  answers.push(await append('large', [event(5, 'x'.repeat(1024 * 1024))]))
  // Several at once: one is stored, and those that come before it is indexed are answered with a time-out.
  const kinds = await until('a repetition overtakes', async () => {
    const [stream, racing] = [`race-${randomUUID()}`, event(4)]
    const race = await Promise.all(Array.from({ length: 3 }, () => append(stream, [racing])))
    const found = new Set(race.map((each) => ('type' in each ? each.type : `stored at ${each.nextExpectedRevision}`)))
    return found.size > 1 ? [...found, await read(stream)] : null
  })
  answers.push(kinds)
  answers.push(await read('a'), await read('none'))
  answers.push(await read('a', { direction: 'backwards', fromRevision: 'end', maxCount: 2 }))
  answers.push(await read('a', { fromRevision: 2n }))
  const seen: string[] = []
  const subscription = client.subscribeToAll({ filter: streamNameFilter({ prefixes: [named('a')] }) })
  subscription.on('data', ({ event: each }) => seen.push(`${each?.streamId.slice(prefix.length)} ${each?.revision}`))
  await until('all have come', () => seen.length >= 3)
  answers.push(seen)
  await subscription.unsubscribe()
  await client.dispose()
  return answers
}

describeWithEventStore('the stand-in', (url) => {
  test('answers the same requests as EventStoreDB itself', async () => {
    const node = await EventStoreNode.start({ indexMs: 20 })
    const prefix = `${randomUUID()}.`
    const [standIn, server] = [await answersOf(node.url, prefix), await answersOf(url, prefix)]
    await node.stop()
    expect(standIn).toEqual(server)
  })
})
