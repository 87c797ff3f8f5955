import http from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { until } from '../../support/time/until.ts'
import { callerAgent } from './callerAgent.ts'
import type { SoakKey } from './customers.ts'

/** How long each gateway accepted the key after its revocation; null if it was not reached since. */
export type Refusals = readonly (number | null)[]

export type RevocationProbe = {
  /** Resolves when every gateway accepts the key. */
  accepted(): Promise<void>
  /** Resolves when every gateway has refused a request that was sent since, or the time is over. */
  refused(since: number, msMax: number): Promise<void>
  end(revokedAt: number): Promise<Refusals>
}

type Seen = { accepted: number; refused: number }

const PAUSE_MS = 25
/** On an overloaded machine answers take seconds. A gateway that was killed refuses the connection at once. */
const ANSWER_MS_MAX = 10_000
const ACCEPTED_MS_MAX = 60_000
const NEVER = Number.NEGATIVE_INFINITY

/** Asks each gateway with the key again and again, by a call that costs nothing, and notes when it was last let in. */
export function probeKey(gateways: readonly string[], { apiKey }: SoakKey): RevocationProbe {
  let ending = false
  const seen: Seen[] = gateways.map(() => ({ accepted: NEVER, refused: NEVER }))
  const running = gateways.map(async (url, n) => {
    const agent = callerAgent()
    const own = seen[n] as Seen
    while (!ending) {
      const sentAt = Date.now()
      const status = await statusOf(`${url}/llm/v1/models`, apiKey, agent)
      if (status === 200) own.accepted = sentAt
      if (status === 401) own.refused = sentAt
      await wait(PAUSE_MS)
    }
    agent.destroy()
  })
  return {
    accepted: async () => {
      await until('every gateway takes the key', () => seen.every(({ accepted }) => accepted > NEVER), ACCEPTED_MS_MAX)
    },
    refused: async (since, msMax) => {
      const isRefused = () => seen.every(({ accepted, refused }) => refused > accepted && refused >= since)
      await until('every gateway refuses the key', isRefused, msMax).catch(() => {})
    },
    end: async (revokedAt) => {
      ending = true
      await Promise.all(running)
      return seen.map(({ accepted, refused }) => {
        if (Math.max(accepted, refused) < revokedAt) return null
        return refused > accepted ? Math.max(0, accepted - revokedAt) : Number.POSITIVE_INFINITY
      })
    },
  }
}

function statusOf(url: string, apiKey: string, agent: http.Agent): Promise<number | null> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(ANSWER_MS_MAX)
    const request = http.get(url, { agent, signal, headers: { authorization: `Bearer ${apiKey}` } }, (response) => {
      response.on('error', () => resolve(null))
      response.on('end', () => resolve(response.statusCode ?? null))
      response.resume()
    })
    request.on('error', () => resolve(null))
  })
}
