import { readLeases } from '../../../platform/leases/leases.ts'
import { sendSignal } from '../../../platform/postgres/embedded/sendSignal.ts'
import { until } from '../../support/time/until.ts'
import type { Fleet } from './fleet.ts'

export type Victim = {
  readonly name: string
  /** Whether calls fail without it. */
  readonly isStore?: boolean
  /** The number of the gateway that it is. */
  readonly gateway?: number
  /** Resolves with the name of the killed instance, if there are several. */
  kill(): Promise<string>
  /** Resolves when it answers again. Services are restarted by their supervisor, engines by the soak. */
  back(): Promise<void>
}

const BACK_MS_MAX = 90_000
const ANSWER_MS_MAX = 2_000
const KILLED_GATEWAY = 1

/** In the order of the kills. Redis comes first, so that enough whole minutes with it are left to check the limits. */
export function victimsOf(fleet: Fleet): Victim[] {
  const { redis, kafka, postgres, store } = fleet
  const [broker] = kafka.brokers
  if (!broker) throw new Error('there is no broker')
  return [
    engine('Redis', {}, redis),
    engine('a broker', {}, broker),
    service(fleet, 'a relay', {}, () => leadingRelay(fleet)),
    service(fleet, 'a projector', {}, async () => 'projector 1'),
    service(fleet, 'a gateway', { gateway: KILLED_GATEWAY }, async () => `gateway ${KILLED_GATEWAY + 1}`),
    engine('Postgres', {}, postgres),
    engine('the event store', { isStore: true }, store),
  ]
}

type Facts = Pick<Victim, 'isStore' | 'gateway'>

function engine(name: string, facts: Facts, process: { kill(): Promise<void>; start(): Promise<void> }): Victim {
  return {
    name,
    ...facts,
    kill: async () => {
      await process.kill()
      return name
    },
    back: () => process.start(),
  }
}

function service({ stack }: Fleet, name: string, facts: Facts, choose: () => Promise<string>): Victim {
  let killed = { name: '', pid: 0 }
  return {
    name,
    ...facts,
    kill: async () => {
      const { pid, name: chosen } = await stack.processNamed(await choose())
      killed = { name: chosen, pid }
      sendSignal(pid, 'SIGKILL')
      return chosen
    },
    back: async () => {
      const isBack = async () => {
        const found = (await stack.processes()).find(({ name: its }) => its === killed.name)
        return found && found.pid !== killed.pid && (await figures(found.url, '')) !== null
      }
      await until(`${killed.name} is back`, isBack, BACK_MS_MAX)
    },
  }
}

async function leadingRelay({ stack, internalToken }: Fleet): Promise<string> {
  return until('a relay leads', async () => {
    for (const { name, url } of await stack.processes()) {
      if (!name.startsWith('relay')) continue
      if (/^tollgate_relay_leads 1$/m.test((await figures(url, internalToken)) ?? '')) return name
    }
    return null
  })
}

/** Counts the relays that have led so far. */
export async function relayEpoch({ engines }: Fleet): Promise<number> {
  const leases = await readLeases(engines.database)
  return leases.find(({ name }) => name === 'relay')?.epoch ?? 0
}

async function figures(url: string, token: string): Promise<string | null> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS_MAX)
    const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` }, signal })
    return await answer.text()
  } catch {
    return null
  }
}
