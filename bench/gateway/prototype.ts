import { join } from 'node:path'
import pg from 'pg'
import { NODE_FLAGS } from '../../scripts/stack/serviceProcess.ts'
import type { BenchFolder } from '../feed/benchFolder.ts'
import { freePorts } from '../freePorts.ts'
import { startMeasured } from './benchProcess.ts'
import type { ChargingContestant } from './contestant.ts'
import { startInstallation } from './installation.ts'

/** The prototype on its own installation, whose projector follows what it stores. */
export async function startPrototype(folder: BenchFolder, upstreamPort: number): Promise<ChargingContestant> {
  const [port] = await freePorts(1)
  const { databaseUrl, demo } = await startInstallation(folder, 'prototype', `http://127.0.0.1:${upstreamPort}`)
  const { apiKey, companyId, keyId } = demo
  const url = `http://127.0.0.1:${port}/v1/chat/completions`
  const measured = await startMeasured(folder, {
    name: 'prototype',
    file: join(import.meta.dirname, '..', 'processes', 'prototype.ts'),
    args: [String(port), String(upstreamPort), databaseUrl, apiKey, companyId, keyId],
    nodeFlags: NODE_FLAGS,
    url,
    withTimelines: true,
  })
  return {
    ...measured,
    name: 'the prototype',
    call: { url, apiKey },
    charges: () => chargesIn(databaseUrl),
  }
}

/** With a plain query: it does not count positions like a store, so the store's own reads miss what it has stored. */
async function chargesIn(connectionString: string): Promise<number> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const counted = "select count(*)::int as charges from event_store.events where type = 'CallCharged'"
    const { rows } = await client.query<{ charges: number }>(counted)
    return rows[0]?.charges ?? 0
  } finally {
    await client.end()
  }
}
