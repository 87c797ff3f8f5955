import { createReadStream, existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { z } from 'zod'

/** A period in which a gateway enforced the limits without Redis. Times are of Date.now. */
export type AloneTime = { readonly gateway: number; readonly from: number; readonly to: number }

const BEGINS = ['Redis is unavailable', 'Redis does not answer']
const ENDS = 'Redis is available'

const presenceLine = z.object({ service: z.string(), time: z.string(), msg: z.string() })

/** Reads from the log of the services, and from the file before it, when each gateway was without Redis. */
export async function readAloneTimes(logFile: string): Promise<AloneTime[]> {
  const lines: string[] = []
  for (const file of [`${logFile}.1`, logFile]) {
    if (!existsSync(file)) continue
    for await (const line of createInterface(createReadStream(file))) if (line.includes('Redis ')) lines.push(line)
  }
  return aloneTimes(lines)
}

export function aloneTimes(lines: readonly string[]): AloneTime[] {
  const times: AloneTime[] = []
  const since = new Map<number, number>()
  for (const line of lines) {
    const { data } = presenceLine.safeParse(parsed(line))
    const number = /^gateway (\d+)$/.exec(data?.service ?? '')?.[1]
    if (!data || number === undefined) continue
    const gateway = Number(number) - 1
    const at = Date.parse(data.time)
    const from = since.get(gateway)
    if (BEGINS.some((start) => data.msg.startsWith(start))) since.set(gateway, from ?? at)
    if (!data.msg.startsWith(ENDS) || from === undefined) continue
    times.push({ gateway, from, to: at })
    since.delete(gateway)
  }
  const open = [...since].map(([gateway, from]) => ({ gateway, from, to: Number.POSITIVE_INFINITY }))
  return [...times, ...open]
}

/** null for a line that a killed process did not finish. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
