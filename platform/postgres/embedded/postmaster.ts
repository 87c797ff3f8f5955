import { createHash } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { commandOf, listProcesses } from './processTable.ts'
import { sendSignal } from './sendSignal.ts'

export type PidFile = { readonly pid: number; readonly port: number; readonly status: string }

const fastStopMsMax = 10_000
const immediateStopMsMax = 3_000
const killMsMax = 5_000
const pollMs = 10

/** Part of the title of every child process, which identifies the children of a dead postmaster. */
export function clusterNameOf(clusterDir: string): string {
  return `tollgate-${createHash('sha256').update(clusterDir).digest('hex').slice(0, 12)}`
}

/** The postmaster of this cluster. The pid file alone proves nothing: its pid may belong to another process by now. */
export async function findPostmaster(clusterDir: string): Promise<number | null> {
  const processes = await listProcesses()
  const found = processes.filter(({ command }) => isPostmasterCommand(command, clusterDir)).map(({ pid }) => pid)
  const named = (await readPidFile(clusterDir))?.pid
  return found.find((pid) => pid === named) ?? found[0] ?? null
}

export async function isPostmaster(pid: number, clusterDir: string): Promise<boolean> {
  return isPostmasterCommand(await commandOf(pid), clusterDir)
}

export async function readPidFile(clusterDir: string): Promise<PidFile | null> {
  const text = await readFile(pidFileOf(clusterDir), 'utf8').catch(() => '')
  const lines = text.split('\n').map((line) => line.trim())
  const [pid, port, status] = [Number(lines[0]), Number(lines[3]), lines[7] ?? '']
  return pid > 0 ? { pid, port, status } : null
}

/** Removes the leftovers of a killed postmaster, which would prevent the next start. No postmaster may be running. */
export async function clearAfterCrash(clusterDir: string): Promise<void> {
  const orphans = await listChildren(clusterDir)
  for (const pid of orphans) sendSignal(pid, 'SIGKILL')
  await becomes(async () => (await listChildren(clusterDir)).length === 0, killMsMax)
  await rm(pidFileOf(clusterDir), { force: true })
}

/** Fast shutdown: ends the sessions and writes a checkpoint. Kills the server after a time-out. */
export async function stopPostmaster(pid: number, clusterDir: string): Promise<void> {
  if (!(await endsAfter('SIGINT', fastStopMsMax, pid, clusterDir))) return killPostmaster(pid, clusterDir)
  // A server that was killed earlier may have left children; those of a later start must keep running.
  if ((await findPostmaster(clusterDir)) === null) await clearAfterCrash(clusterDir)
}

/** Ends a postmaster without a checkpoint; the next start replays the WAL. */
export async function killPostmaster(pid: number, clusterDir: string): Promise<void> {
  if (await endsAfter('SIGQUIT', immediateStopMsMax, pid, clusterDir)) return
  const isEnded = await endsAfter('SIGKILL', killMsMax, pid, clusterDir)
  if (!isEnded) throw new Error(`PostgreSQL, process ${pid} on ${clusterDir}, does not end on SIGKILL.`)
  await clearAfterCrash(clusterDir)
}

async function endsAfter(signal: NodeJS.Signals, msMax: number, pid: number, clusterDir: string): Promise<boolean> {
  if (!(await isPostmaster(pid, clusterDir))) return true
  sendSignal(pid, signal)
  // A suspended process would not handle the signal, and the server waits for its sessions' processes.
  for (const suspended of [pid, ...(await listChildren(clusterDir))]) sendSignal(suspended, 'SIGCONT')
  return becomes(async () => !(await isPostmaster(pid, clusterDir)), msMax)
}

async function becomes(condition: () => Promise<boolean>, msMax: number): Promise<boolean> {
  const end = performance.now() + msMax
  while (!(await condition())) {
    if (performance.now() > end) return false
    await sleep(pollMs)
  }
  return true
}

/** The children of the postmaster, dead or alive. */
async function listChildren(clusterDir: string): Promise<number[]> {
  const title = `postgres: ${clusterNameOf(clusterDir)}: `
  const processes = await listProcesses()
  return processes.filter(({ command }) => command.startsWith(title)).map(({ pid }) => pid)
}

// The data folder is always the first argument of the server.
function isPostmasterCommand(command: string, clusterDir: string): boolean {
  return command.includes(`/bin/postgres -D ${clusterDir} `)
}

function pidFileOf(clusterDir: string): string {
  return join(clusterDir, 'postmaster.pid')
}
