import type { ServerResponse } from 'node:http'

/** Who waits for an answer: over HTTP it leaves with its response; a tool's caller leaves by a signal. */
export type Caller = Pick<ServerResponse, 'destroyed' | 'once' | 'removeListener'> | AbortSignal

export function hasLeft(caller: Caller): boolean {
  return caller instanceof AbortSignal ? caller.aborted : caller.destroyed
}

export function onLeave(caller: Caller, listener: () => void): void {
  if (caller instanceof AbortSignal) caller.addEventListener('abort', listener, { once: true })
  else caller.once('close', listener)
}

export function offLeave(caller: Caller, listener: () => void): void {
  if (caller instanceof AbortSignal) caller.removeEventListener('abort', listener)
  else caller.removeListener('close', listener)
}
