import { forwardingLog, type OpenLog } from '../../platform/logger/logger.ts'
import type { SimulatedProcess } from './scheduler/simulatedProcess.ts'
import type { Simulation } from './simulation.ts'

/** The log of a process: each line is a step, and one that may be a false alarm. */
export function logOf({ scheduler, alarms }: Simulation, owner: SimulatedProcess): OpenLog {
  let onLine: (line: string) => void = () => {}
  const write = (line: string) => {
    // A promise that it waited for may still settle, such as that of a password hash.
    if (owner.isDead) return
    scheduler.record(`${owner.name} logs ${withoutStack(line)}`)
    alarms.line(owner.name, line)
    onLine(line)
  }
  const tap = (listener: (line: string) => void) => {
    onLine = listener
  }
  return { log: forwardingLog('info', write), write, tap, close: () => {} }
}

/** Stacks contain paths of the checkout, and so are no part of the hash. */
function withoutStack(line: string): string {
  return line.replace(/"stack":"(?:[^"\\]|\\.)*",?/g, '').trim()
}
