import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { plainFigure } from '../figure.ts'
import { alternating, type Growth } from './rounds.ts'
import { CHECKOUT, type Stack } from './stacks.ts'

const ROUNDS = 5
/** In a larger store a full audit takes longer than a measurement should. It is reported per event. */
const WHOLE_EVENTS_MAX = 100_000

/** An audit of the log that continues where the last one ended, and a full one, per event. */
export async function measureAudits(stacks: readonly Stack[]): Promise<Growth[]> {
  const whole: Growth[] = []
  for (const stack of stacks) {
    const { events } = stack
    if (events > WHOLE_EVENTS_MAX && existsSync(stateFileOf(stack))) continue
    sayWhole(events, whole.at(-1))
    const micros = ((await auditMs(stack, '--full')) * 1_000) / events
    const name = `a whole audit, for each of ${events.toLocaleString('en')} events`
    whole.push({ ...plainFigure(name, 'µs', micros), part: 'audit', events })
  }
  const incremental = await alternating(stacks, {
    ...{ part: 'audit', name: 'an audit from the last one on', unit: 'ms', rounds: ROUNDS },
    measure: (stack) => auditMs(stack),
  })
  return [...incremental, ...whole]
}

/** A full audit of ten million events takes minutes, and prints nothing until it ends. */
function sayWhole(events: number, before: Growth | undefined): void {
  const estimate = before ? `, at most about ${Math.ceil((before.value * events) / 1e6)} s` : ''
  process.stderr.write(`a whole audit of ${events.toLocaleString('en')} events${estimate}…\n`)
}

const stateFileOf = ({ dataDir }: Stack): string => join(dataDir, 'bench-audit.json')

async function auditMs(stack: Stack, ...args: string[]): Promise<number> {
  const began = performance.now()
  const script = join(CHECKOUT, 'scripts', 'audit.ts')
  const child = spawn(process.execPath, [script, '--log', '--state', stateFileOf(stack), ...args], {
    env: { ...process.env, SANDBOX: '1', DATA_DIR: stack.dataDir, DATABASE_URL: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  const output = await text(child.stdout)
  const [code] = await closed
  if (code !== 0) throw new Error(`the audit ended with ${code}: ${output}`)
  return performance.now() - began
}
