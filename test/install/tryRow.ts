import { execFileSync } from 'node:child_process'
import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { freePorts } from '../../bench/freePorts.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { settlesWithin } from '../../platform/clock/within.ts'
import { type Runner, run, type Started, start, stopGroup } from './commands.ts'
import { leftoversOf } from './leftovers.ts'
import type { InstallRow } from './rows.ts'
import { repository, type Workshop } from './workshop.ts'

export type RowResult = { installSeconds?: number; readySeconds?: number; stopSeconds?: number }

/** A failure of a row with the output that shows it. Only the message goes into the results. */
export class RowFault extends Error {
  readonly output: string
  constructor(message: string, output = '') {
    super(message)
    this.output = output
  }
}

const limits = { installMs: 300_000, readyMs: 60_000, answerMs: 30_000, stopMs: 30_000, leftoverMs: 5_000 }
const readySecondsMax = 5

const secondsSince = (startedMs: number) => Math.round((performance.now() - startedMs) / 10) / 100

export async function tryRow(workshop: Workshop, row: InstallRow, result: RowResult): Promise<void> {
  const outer = path.join(workshop.folder, row.name)
  const clone = path.join(outer, 'tollgate')
  const home = path.join(outer, 'home')
  mkdirSync(home, { recursive: true })
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', repository, clone], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  // npm ci empties node_modules first: if that were a committed link, it would empty the link's target.
  if (lstatSync(path.join(clone, 'node_modules'), { throwIfNoEntry: false }) !== undefined) {
    throw new RowFault('the commit holds node_modules')
  }
  chmodSync(outer, row.folderMode)
  const account = row.as === 'user' ? workshop.account : undefined
  if (account !== undefined) execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, outer])
  const env = await workshop.environmentFor(row, home)
  const runner: Runner = { env, uid: account?.uid, gid: account?.gid }
  try {
    await install(runner, clone, result)
    await startAskAndStop(runner, clone, result)
  } finally {
    for (const { pid } of await leftoversOf(clone, 0)) process.kill(pid, 'SIGKILL')
    rmSync(outer, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

async function install(runner: Runner, clone: string, result: RowResult) {
  const startedMs = performance.now()
  const { exitCode, output } = await run('npm', ['ci'], { ...runner, cwd: clone, limitMs: limits.installMs })
  if (exitCode !== 0) throw new RowFault(`npm ci ended with ${exitCode}`, output)
  result.installSeconds = secondsSince(startedMs)
}

async function startAskAndStop(runner: Runner, clone: string, result: RowResult) {
  const [gateway, backend, ai, sandbox, mail] = (await freePorts(5)).map(String)
  const ports = {
    GATEWAY_PORT: gateway,
    BACKEND_PORT: backend,
    AI_PORT: ai,
    SANDBOX_PORT: sandbox,
    SANDBOX_SMTP_PORT: mail,
  }
  const env = { ...runner.env, ...(ports as Record<string, string>), DATA_DIR: path.join(clone, '.data') }
  const startedMs = performance.now()
  const tollgate = start('npm', ['start'], { ...runner, env, cwd: clone })
  try {
    const curlLine = await printedCurlLine(tollgate)
    result.readySeconds = secondsSince(startedMs)
    await ask(runner, clone, curlLine)
    await stop(tollgate, clone, result)
    if (result.readySeconds > readySecondsMax) {
      throw new RowFault(`ready after ${result.readySeconds} s; the limit is ${readySecondsMax} s`)
    }
  } finally {
    stopGroup(tollgate)
  }
}

async function printedCurlLine({ output, exited }: Started): Promise<string> {
  let ended = false
  const over = exited.then(() => {
    ended = true
  })
  for (const endMs = performance.now() + limits.readyMs; ; await Promise.race([wait(20), over])) {
    const line = /^[^\S\n]*(curl .*)\n/m.exec(output())?.[1]
    if (line !== undefined) return line
    if (ended) throw new RowFault('npm start ended before it printed a curl line', output())
    if (performance.now() > endMs) throw new RowFault(`no curl line after ${limits.readyMs / 1000} s`, output())
  }
}

async function ask(runner: Runner, clone: string, curlLine: string) {
  const { exitCode, stdout, output } = await run('sh', ['-c', curlLine], {
    ...runner,
    cwd: clone,
    limitMs: limits.answerMs,
  })
  if (exitCode !== 0) throw new RowFault(`the printed curl line ended with ${exitCode}`, `${curlLine}\n${output}`)
  if (!isChatCompletion(stdout))
    throw new RowFault('the printed curl line got no chat completion', `${curlLine}\n${stdout}`)
}

function isChatCompletion(text: string): boolean {
  try {
    const { choices } = JSON.parse(text) as { choices?: { message?: { content?: unknown } }[] }
    return typeof choices?.[0]?.message?.content === 'string'
  } catch {
    return false
  }
}

async function stop(tollgate: Started, clone: string, result: RowResult) {
  const startedMs = performance.now()
  process.kill(-tollgate.pid, 'SIGINT')
  if (!(await settlesWithin(tollgate.exited, limits.stopMs, systemClock))) {
    throw new RowFault(`still running ${limits.stopMs / 1000} s after SIGINT`, tollgate.output())
  }
  const end = await tollgate.exited
  result.stopSeconds = secondsSince(startedMs)
  if (end.exitCode !== 0) {
    throw new RowFault(`npm start ended with ${end.exitCode ?? end.signal} after SIGINT`, tollgate.output())
  }
  const left = await leftoversOf(clone, limits.leftoverMs)
  if (left.length > 0) {
    const commands = left.map(({ pid, command }) => `${pid} ${command}`).join('\n')
    throw new RowFault(`${left.length} processes stayed behind after SIGINT`, commands)
  }
}
