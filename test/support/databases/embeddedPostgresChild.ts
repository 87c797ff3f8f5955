import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { clusterNameOf } from '../../../platform/postgres/embedded/postmaster.ts'
import { listProcesses } from '../../../platform/postgres/embedded/processTable.ts'

type ChildOptions = {
  readonly dataDir: string
  readonly uid?: number
  readonly path?: string
  /** The clone whose code and packages the child uses. */
  readonly clone?: string
  /** Let the script end after the start, like a process with nothing else to do. */
  readonly fallOff?: boolean
}

export const ownClone = join(import.meta.dirname, '..', '..', '..')

// Plain JavaScript, because types are not stripped from code given on the command line.
const script = `
  const { startEmbeddedPostgres } = await import(process.env.MODULE)
  const tell = (answer) => process.stdout.write(JSON.stringify(answer) + '\\n')
  try {
    const server = await startEmbeddedPostgres({ dataDir: process.env.DATA_DIR })
    if (!process.env.FALL_OFF) {
      process.once('SIGTERM', () => server.stop().then(() => process.exit()))
      setInterval(() => {}, 60_000)
    }
    tell({ url: server.url, pid: server.pid, adopted: server.adopted })
  } catch (error) {
    tell({ error: error.message })
  }
`

export type Answer = { url: string; pid: number; adopted: boolean; error?: string }

/** A Node process of its own that starts an embedded Postgres, to be killed or to be another user. */
export function startInChild(options: ChildOptions) {
  const { dataDir, uid, path = process.env.PATH, clone = ownClone, fallOff } = options
  const module = join(clone, 'platform/postgres/embedded/embeddedPostgres.ts')
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: '/',
    detached: true,
    env: { PATH: path, MODULE: module, DATA_DIR: dataDir, FALL_OFF: fallOff ? 'yes' : '' },
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  const exited = once(child, 'exit')
  const lines = createInterface(child.stdout)
  const answer = once(lines, 'line').then(([line]) => JSON.parse(line) as Answer)
  answer.catch(() => {})
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    return exited
  }
  return { pid: child.pid ?? 0, answer, exited, end }
}

/** The processes of the cluster, including parents and children of a dead one. */
export async function processesOn(clusterDir: string): Promise<string[]> {
  const processes = await listProcesses()
  const marks = [`${clusterDir} `, `${clusterDir}.init-`, clusterNameOf(clusterDir)]
  return processes.map(({ command }) => command).filter((command) => marks.some((mark) => command.includes(mark)))
}
