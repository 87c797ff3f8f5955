import type { ServerResponse } from 'node:http'
import { LIMITS } from '../../../contracts/limits.ts'

/**
 * Writes and waits until the caller has taken enough. False: the caller has left, or took no byte for so long that it
 * was cut.
 */
export async function writeToClient(response: ServerResponse, bytes: Buffer): Promise<boolean> {
  if (response.destroyed) return false
  if (response.write(bytes)) return true
  return new Promise((resolve) => {
    const stalled = setTimeout(() => {
      response.destroy()
      settle(false)
    }, LIMITS.clientStallMs)
    const settle = (taken: boolean) => {
      clearTimeout(stalled)
      response.removeListener('drain', onDrain)
      response.removeListener('close', onClose)
      resolve(taken)
    }
    const onDrain = () => settle(true)
    const onClose = () => settle(false)
    response.once('drain', onDrain)
    response.once('close', onClose)
  })
}
