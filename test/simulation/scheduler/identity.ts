import os from 'node:os'
import { currentProcess } from './currentRun.ts'
import { failUncaught, refuse } from './failures.ts'
import { replace } from './replace.ts'

const LISTENING = ['on', 'addListener', 'once', 'prependListener', 'off', 'removeListener'] as const

/** Each simulated process has its own number, host and listeners. */
export function installIdentity(): void {
  const { pid } = process
  Object.defineProperty(process, 'pid', { configurable: true, get: () => currentProcess()?.pid ?? pid })
  const { hostname } = os
  replace(os, { hostname: () => currentProcess()?.name ?? hostname() })
  for (const name of LISTENING) {
    const real = process[name].bind(process) as (event: string, listener: () => void) => unknown
    replace(process, {
      [name]: (event: string, listener: () => void) => {
        const owner = currentProcess()
        if (owner) owner.events[name](event, listener)
        else real(event, listener)
        return process
      },
    })
  }
  for (const name of ['exit', 'abort', 'kill'] as const) {
    const real = process[name].bind(process) as (...values: unknown[]) => unknown
    replace(process, {
      [name]: (...values: unknown[]) => (currentProcess() ? refuse(`process.${name}`) : real(...values)),
    })
  }
}

/** Errors that nobody caught are failures of the run in which they happen. Outside of a run they end the simulator. */
export function installUncaught(): void {
  const listen = (event: 'unhandledRejection' | 'uncaughtException') =>
    process.on(event, (error: unknown) => {
      failUncaught(currentProcess(), event, error)
    })
  listen('unhandledRejection')
  listen('uncaughtException')
}
