import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../../../platform/postgres/embedded/embeddedPostgres.ts'
import { processesOn } from './embeddedPostgresChild.ts'

/**
 * A data folder for each test, removed after it. Afterwards no process may be left on it. Registers its hooks in the
 * file or describe that calls it.
 */
export function useDataFolders() {
  let template: string
  let dataDir: string
  let server: EmbeddedPostgres | undefined

  beforeAll(async () => {
    template = await mkdtemp(join(tmpdir(), 'tollgate-embedded-'))
    const made = await startEmbeddedPostgres({ dataDir: template })
    await query(made.url, 'create table kept (id int primary key)')
    await made.stop()
  })
  afterAll(() => rm(template, { recursive: true }))
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'tollgate-embedded-'))
  })
  afterEach(async () => {
    await server?.stop()
    server = undefined
    expect(await processesOn(join(dataDir, 'postgres'))).toEqual([])
    await rm(dataDir, { recursive: true })
  })

  return {
    get dataDir() {
      return dataDir
    },
    /** Makes it look like a data folder that was used before, which saves the second that initdb takes. */
    fillFromTemplate: () => promisify(execFile)('cp', ['-a', `${template}/.`, dataDir]),
    /** Starts Postgres on the folder; the server is stopped after the test. */
    start: async (options: Omit<EmbeddedPostgresOptions, 'dataDir'> = {}): Promise<EmbeddedPostgres> => {
      server = await startEmbeddedPostgres({ dataDir, ...options })
      return server
    },
  }
}

export async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = await connect(url)
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

export async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return client
}
