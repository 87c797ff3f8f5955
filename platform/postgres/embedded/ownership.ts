import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { superuser } from './cluster.ts'
import { codeOf } from './dataFolder.ts'
import { isPostmaster, readPidFile } from './postmaster.ts'

export const database = 'tollgate'

export type Claim =
  | {
      readonly kind: 'owned'
      readonly port: number
      /** Resolves when the session that holds the lock has ended, with its server or alone. */
      readonly lost: Promise<void>
      release(): void
    }
  | { readonly kind: 'ownedByOther'; readonly owner: string }
  | { readonly kind: 'gone' }
  | { readonly kind: 'silent' }

export type ClaimOptions = {
  readonly pid: number
  readonly clusterDir: string
  readonly password: string
  /** How long a server may go without either answering or reporting in its pid file that it is starting or stopping. */
  readonly silentMsMax: number
  readonly signal?: AbortSignal | undefined
}

// The longest normal start replays 1 GB of WAL on a slow disk.
const startMsMax = 120_000
const connectMsMax = 3_000
const queryMsMax = 60_000
const releaseMsMax = 1_000
const pollMs = 10
const lockKey = 0x746f6c6c

const wrongPassword = '28P01'
const startingOrStopping = '57P03'

/**
 * Waits until the server answers and claims it for this process. Ownership is an advisory lock of a session that stays
 * open, so it ends with the process. Without it, a second start would adopt the database of a running process and stop
 * it when it ends itself.
 */
export async function claimServer(options: ClaimOptions): Promise<Claim> {
  const { pid, clusterDir, silentMsMax, signal } = options
  const end = performance.now() + startMsMax
  let heardAt = performance.now()
  while (performance.now() < end && performance.now() - heardAt < silentMsMax) {
    signal?.throwIfAborted()
    if (!(await isPostmaster(pid, clusterDir))) return { kind: 'gone' }
    const file = await readPidFile(clusterDir)
    if (file?.pid === pid && file.status === 'ready') {
      const claim = await tryClaim(file.port, options)
      if (claim === 'notYet') heardAt = performance.now()
      else if (claim !== 'silent') return claim
    } else if (file?.pid === pid && file.status !== '') {
      heardAt = performance.now()
    }
    await sleep(pollMs)
  }
  return { kind: 'silent' }
}

async function tryClaim(port: number, { password, clusterDir, signal }: ClaimOptions) {
  // The socket is always destroyed, because client.end() waits for a server that may be gone.
  const socket = new Socket()
  const client = new Client({
    stream: () => socket,
    host: '127.0.0.1',
    port,
    user: superuser,
    password,
    // Not our own database, because an open session would prevent dropping or renaming it.
    database: 'postgres',
    application_name: `process ${process.pid}`,
    connectionTimeoutMillis: connectMsMax,
    query_timeout: queryMsMax,
  })
  // The end of the socket reveals a lost connection.
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    if (codeOf(error) === wrongPassword) {
      throw new Error(
        `The cluster ${clusterDir} does not accept the password in its data folder's file postgres-password: ` +
          'restore that file, or move the data folder away to start over.',
        { cause: error },
      )
    }
    return codeOf(error) === startingOrStopping ? 'notYet' : 'silent'
  }
  try {
    const owner = await takeLock(client, signal)
    if (owner !== null) {
      socket.destroy()
      return { kind: 'ownedByOther', owner } as const
    }
    await makeDatabase(client)
    // The session lasts as long as the process, but must not keep it alive.
    socket.unref()
    const lost = new Promise<void>((resolve) => {
      socket.once('close', () => resolve())
      if (socket.destroyed) resolve()
    })
    return { kind: 'owned', port, lost, release: () => socket.destroy() } as const
  } catch (error) {
    socket.destroy()
    throw error
  }
}

// Done at each start, because a kill may come between creating the cluster and its database.
async function makeDatabase(client: Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [database])
  if (rowCount === 0) await client.query(`create database ${database}`)
}

/** Returns null with the lock, or else its owner. The server may need a moment to notice that a killed owner is gone. */
async function takeLock(client: Client, signal: AbortSignal | undefined): Promise<string | null> {
  const end = performance.now() + releaseMsMax
  for (;;) {
    signal?.throwIfAborted()
    const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [lockKey])
    if (rows[0].taken) return null
    if (performance.now() > end) break
    await sleep(pollMs)
  }
  const { rows } = await client.query(
    `select application_name from pg_stat_activity where pid in
      (select pid from pg_locks where locktype = 'advisory' and granted and classid = 0 and objid = $1)`,
    [lockKey],
  )
  return rows[0]?.application_name ?? 'another process'
}
