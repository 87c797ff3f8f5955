import { setTimeout as wait } from 'node:timers/promises'
import { sendCase } from '../sendCase.ts'
import type { ProbeReading } from '../target/probe.ts'
import type { ProcessTarget } from '../target/processTarget.ts'

/** Memory that is still held after a garbage collection, beyond what was held after the warm-up. */
export const HELD_GROWTH_MB_MAX = 48
/** Pools of connections to the database and to providers grow and shrink by as many. */
export const DESCRIPTOR_GROWTH_MAX = 64
const MAILS_KEPT = 200
const SETTLED_MS_MAX = 30_000
const SETTLE_POLL_MS = 500

export type Resources = Pick<ProbeReading, 'heldMb' | 'descriptors' | 'sockets'> & { readonly inFlight: number }

/** What the process holds while nothing is sent to it. */
export async function restingResources(target: ProcessTarget): Promise<Resources> {
  await replaceMails(target)
  let last = await resources(target)
  for (const endMs = performance.now() + SETTLED_MS_MAX; performance.now() < endMs; ) {
    await wait(SETTLE_POLL_MS)
    const next = await resources(target)
    if (next.inFlight === 0 && next.descriptors >= last.descriptors && next.heldMb > last.heldMb - 1) return next
    last = next
  }
  return last
}

export function growthFaults(before: Resources, after: Resources): string[] {
  const faults: string[] = []
  const heldMb = after.heldMb - before.heldMb
  if (heldMb > HELD_GROWTH_MB_MAX) faults.push(`${heldMb.toFixed()} MB more are held than after the warm-up`)
  const descriptors = after.descriptors - before.descriptors
  if (descriptors > DESCRIPTOR_GROWTH_MAX)
    faults.push(`${descriptors} more descriptors are open than after the warm-up`)
  if (after.inFlight > 0) faults.push(`${after.inFlight} requests are in flight although none was sent`)
  return faults
}

async function resources(target: ProcessTarget): Promise<Resources> {
  const { heldMb, descriptors, sockets } = await target.probe.read({ collectGarbage: true })
  return { heldMb, descriptors, sockets, inFlight: await requestsInFlight(target) }
}

/** The slots that the gateway counts. */
async function requestsInFlight({ port, credentials }: ProcessTarget): Promise<number> {
  const headers = { authorization: `Bearer ${credentials.internal}`, connection: 'close' }
  const answer = await fetch(`http://127.0.0.1:${port('gateway')}/metrics`, { headers })
  const found = /^tollgate_gateway_requests_in_flight\S* (\d+)/m.exec(await answer.text())
  return Number(found?.[1] ?? 0)
}

/** The sandbox keeps a number of mails, whatever their size; small ones replace those of the attack. */
async function replaceMails(target: ProcessTarget): Promise<void> {
  for (let n = 0; n < MAILS_KEPT; n++) {
    const body = [`Message-ID: <small-${n}-${performance.now()}@attack.example>\r\n\r\nsmall\r\n.\r\nQUIT\r\n`]
    const head = 'EHLO a\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<c@d.example>\r\nDATA\r\n'
    await sendCase(target, { name: 'a small mail', service: 'mail', head, body }, { msMax: 5_000 })
  }
}
