import { randomUUID } from 'node:crypto'
import type { JsonObject, NewEvent } from '../../../contracts/envelope.ts'

/** An event for tests of the store, which ignores its content. */
export function anEvent(data: JsonObject = {}, id: string = randomUUID(), type = 'SomethingHappened'): NewEvent {
  return {
    id,
    type,
    data,
    metadata: {
      schemaVersion: 1,
      correlationId: 'test',
      causationId: 'test',
      actor: { kind: 'system', name: 'test' },
    },
  }
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}
