import http from 'node:http'
import type { SeededRandom } from '../support/cases/seededRandom.ts'
import type { Demo } from '../support/harness/installation.ts'
import type { AnswerScript } from '../support/parties/recordingProvider.ts'
import { API_PATHS, chat, type Outcome } from './chatCall.ts'

export type Load = {
  /** Calls that were sent and have not ended yet. */
  readonly inFlight: number
  /** Calls that have ended, whole or not. */
  readonly ended: number
  /** No caller begins another call; resolves with every outcome once the last call has ended. */
  end(): Promise<Outcome[]>
}

/** Long enough that a kill finds calls in every part of their life, short enough that many end before it. */
const LIFE_MS_MIN = 50
export const LIFE_MS_MAX = 600

/** Starts this many callers, half of them streaming, over the three APIs in turn, each with a call in flight at any moment. */
export function startLoad(demo: Demo, callers: number, name: string, random: SeededRandom): Load {
  const agent = new http.Agent({ keepAlive: true, maxSockets: callers })
  const outcomes: Outcome[] = []
  let inFlight = 0
  let ending = false

  async function caller(n: number): Promise<void> {
    const streamed = n % 2 === 0
    const path = API_PATHS[n % API_PATHS.length] ?? '/chat/completions'
    for (let call = 0; !ending; call += 1) {
      inFlight += 1
      const script = scriptOf(`${name}, caller ${n}, call ${call}`, streamed, random)
      outcomes.push(await chat({ demo, agent, script, streamed, path }))
      inFlight -= 1
    }
  }
  const running = Promise.all(Array.from({ length: callers }, (_, n) => caller(n)))

  return {
    get inFlight() {
      return inFlight
    },
    get ended() {
      return outcomes.length
    },
    end: async () => {
      ending = true
      await running
      agent.destroy()
      return outcomes
    },
  }
}

function scriptOf(marker: string, streamed: boolean, random: SeededRandom): AnswerScript {
  const lifeMs = random.between(LIFE_MS_MIN, LIFE_MS_MAX)
  const pieces = random.between(2, 6)
  const pauses = streamed ? pieces : 1
  return { marker, thinkMs: Math.floor(lifeMs / 4), pieces, pieceMs: Math.floor((lifeMs * 0.75) / pauses) }
}
