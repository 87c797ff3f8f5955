import type { ChildProcess } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase, type PostgresDatabase } from '../../platform/postgres/database.ts'
import { findEmbeddedPostgres } from '../../platform/postgres/embedded/embeddedPostgres.ts'
import { answerTo } from '../gateway/benchProcess.ts'
import type { Call } from '../processes/chatRequest.ts'
import type { CountedLoad, CountedResult } from '../processes/countedLoad.ts'
import { cpuMicros } from './processCpu.ts'

export const CONNECTIONS = 32
const LOOK_EVERY_MS = 50

/** How `npm start` uses its threads. All others, such as those of libuv, are the last part. */
const THREADS: Readonly<Record<string, string>> = {
  MainThread: 'gateway',
  WorkerThread: 'projector and sealer',
  V8Worker: "V8's own threads",
}
const OTHER_THREADS = 'other threads'
const POSTGRES = 'PostgreSQL'
export const PARTS: readonly string[] = [...Object.values(THREADS), OTHER_THREADS, POSTGRES]

/** Microseconds of CPU time per call, by part of the installation. */
export type CallCpu = Readonly<Record<string, number>>

/** An installation that `npm start` runs, in its own data folder. */
export type RunningInstallation = {
  readonly chat: Call
  /** The process from which all others of the installation descend, except for the database. */
  readonly pid: number
  readonly postgresPid: number
  readonly database: PostgresDatabase
}

export async function openRunning(dataDir: string, pid: number, chat: Call): Promise<RunningInstallation> {
  const postgres = await findEmbeddedPostgres(dataDir)
  if (!postgres) throw new Error(`no database runs in ${dataDir}`)
  const database = openDatabase({ url: postgres.url, connectionsMax: 1 })
  return { chat, pid, postgresPid: postgres.pid, database }
}

/** What calls cost all processes of an installation, from the requests until everything is projected and sealed. */
export async function measureCallCpu(
  load: ChildProcess,
  { chat, pid, postgresPid, database }: RunningInstallation,
  calls: number,
): Promise<CallCpu> {
  const before = await cpuMicros(pid, postgresPid)
  const { failures } = await answerTo<CountedResult>(load, { ...chat, connections: CONNECTIONS, calls } as CountedLoad)
  if (failures > 0) throw new Error(`${failures} of the calls to ${chat.url} failed`)
  await untilSealed(database)
  const after = await cpuMicros(pid, postgresPid)
  const costs: Record<string, number> = Object.fromEntries(PARTS.map((part) => [part, 0]))
  const add = (part: string, micros: number) => {
    costs[part] = (costs[part] ?? 0) + micros / calls
  }
  for (const [thread, micros] of Object.entries(after.byThread)) {
    add(THREADS[thread] ?? OTHER_THREADS, micros - (before.byThread[thread] ?? 0))
  }
  add(POSTGRES, after.postgres - before.postgres)
  return costs
}

/** Everything is projected by then: a model that lags would do its work in the next round. */
async function untilSealed(database: PostgresDatabase): Promise<void> {
  for (;;) {
    const [row] = await database.query<{ left: string }>(
      `select (select sum(revision + 1) from event_store.streams where stream like 'ledger-%')
         - (select size from ledger_log.progress)
         + (select max(position) from event_store.events where stream like 'ledger-%')
         - (select min(position)::bigint from read_models.checkpoints where projection = 'usage') as left`,
    )
    if (Number(row?.left) <= 0) return
    await delay(LOOK_EVERY_MS)
  }
}
