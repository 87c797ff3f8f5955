import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { MemorySocket } from '../network/memorySocket.ts'
import type { Random } from '../scheduler/random.ts'
import { SimulatedProcess } from '../scheduler/simulatedProcess.ts'
import { HTTP_PORT } from '../settings.ts'
import type { Simulation } from '../simulation.ts'
import { modelAnswer, type ToldUsage, type WireName } from './modelAnswers.ts'

const WORDS_MAX = 4
const PIECE_MS_MAX = 150
const FIRST_MS_MAX = 400
/** Longer than the gateway waits. */
const LATE_MS_MAX = 8_000
/** The most that the smallest body of a call allows. Half of the answers use it, so that holds are used up, too. */
const TOKENS_IN_MAX = 80
const TOKENS_OUT_MAX = 60
const LARGE_SHARE = 0.5
/** Long enough for a circuit breaker to open. */
const DOWN_MS_MAX = 25_000
const WIRES: readonly (readonly [ending: string, wire: WireName])[] = [
  ['/chat/completions', 'chat'],
  ['/responses', 'responses'],
  ['/messages', 'messages'],
]

const TIERS = ['default', 'flex', 'priority', 'scale'] as const
const DETAILED_SHARE = 0.5
/** Most providers serve the tier that was asked for. */
const REQUESTED_TIER_SHARE = 0.5

type Asked = {
  readonly stream?: boolean
  readonly input?: string
  readonly messages?: readonly { readonly content: string }[]
  readonly service_tier?: string
}

/** A call as its provider has seen it. */
export type ProviderCall = {
  /** The id that the gateway gave the call. */
  readonly callId: string
  /** The process that asked. */
  readonly gateway: string
  /** The prompt, which names the question of the caller. */
  readonly question: string
  readonly wire: WireName
  readonly atMs: number
  /** null if it told none. */
  readonly usage: ToldUsage | null
  /** The end of the answer, including its usage, has left the provider. */
  isComplete: boolean
}

/** Answers calls of gateways as the providers of models do, and writes down every one of them. */
export class ModelProvider {
  readonly calls: ProviderCall[] = []
  readonly name: string
  readonly #simulation: Simulation
  readonly #random: Random
  /** What else the usage of an answer tells. */
  readonly #details: Random
  readonly #mayFail: boolean
  #downUntilMs = 0

  /** `mayFail`: it refuses everything for a while, when the plan says so. */
  constructor(simulation: Simulation, name: string, { mayFail = false } = {}) {
    this.name = name
    this.#mayFail = mayFail
    this.#simulation = simulation
    this.#random = simulation.random(name)
    this.#details = simulation.random(`usage of ${name}`)
  }

  async start(): Promise<void> {
    const { scheduler, network } = this.#simulation
    const owner = new SimulatedProcess(this.name)
    await scheduler.processes.run(owner, () => {
      const server = http.createServer((request, response) => this.#receive(request, response))
      return network.of(owner).listen(server, { host: '', port: HTTP_PORT })
    })
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const received: Buffer[] = []
    request.on('error', () => {})
    response.on('error', () => {})
    request.on('data', (bytes: Buffer) => received.push(bytes))
    request.on('end', () => this.#answer(request, response, Buffer.concat(received).toString()))
  }

  #answer(request: IncomingMessage, response: ServerResponse, body: string): void {
    const random = this.#random
    const { faults, scheduler } = this.#simulation
    if (this.#mayFail && faults.happens('provider is down')) {
      this.#downUntilMs = scheduler.nowMs + random.fraction() * DOWN_MS_MAX
    }
    const isDown = faults.isOn && scheduler.nowMs < this.#downUntilMs
    if (isDown || faults.happens('provider refuses')) {
      if (random.chance(0.3)) return void request.socket.destroy()
      response.statusCode = random.pick([429, 500, 503])
      return void response.end('{"error":{"message":"no"}}')
    }
    const wire = WIRES.find(([ending]) => request.url?.endsWith(ending))?.[1] ?? 'chat'
    const parsed = JSON.parse(body) as Asked
    const isLarge = random.chance(LARGE_SHARE)
    const tokensIn = isLarge ? TOKENS_IN_MAX : 1 + random.below(TOKENS_IN_MAX)
    const tokensOut = isLarge ? TOKENS_OUT_MAX : 1 + random.below(TOKENS_OUT_MAX)
    const counts = { tokensIn, tokensCached: isLarge ? 0 : random.below(tokensIn + 1), tokensOut }
    const told = this.#toldWith(counts, wire, parsed.service_tier ?? null)
    const usage = faults.happens('provider sends no usage') ? null : told
    const words = Array.from({ length: 1 + random.below(WORDS_MAX) }, () => `word${random.below(100)}`)
    const call: ProviderCall = {
      callId: String(request.headers['x-request-id']),
      gateway: (request.socket as unknown as MemorySocket).peerName,
      question: parsed.input ?? parsed.messages?.[0]?.content ?? '',
      ...{ wire, usage, atMs: scheduler.nowMs, isComplete: false },
    }
    this.calls.push(call)
    const { pieces, contentType, completeAt } = modelAnswer({ wire, isStreamed: parsed.stream === true, words, usage })
    const cutAt = faults.happens('provider cuts its answer') ? random.below(pieces.join('').length) : null
    const send = (at: number, sent: number) => {
      const piece = pieces[at]
      if (piece === undefined) return void response.end()
      if (!response.headersSent) response.writeHead(200, { 'content-type': contentType })
      const isCut = cutAt !== null && sent + piece.length > cutAt
      const bytes = isCut ? piece.slice(0, cutAt - sent) : piece
      const nowSent = sent + bytes.length
      if (completeAt !== null && nowSent >= completeAt) call.isComplete = true
      response.write(bytes)
      if (isCut) return void request.socket.destroySoon()
      const pauseMs = random.fraction() ** 3 * (faults.happens('provider is late') ? LATE_MS_MAX : PIECE_MS_MAX)
      setTimeout(() => send(at + 1, nowSent), at + 1 < pieces.length ? pauseMs : 0)
    }
    const firstMs = random.fraction() ** 2 * (faults.happens('provider is late') ? LATE_MS_MAX : FIRST_MS_MAX)
    setTimeout(() => send(0, 0), firstMs)
  }

  #toldWith(
    counts: Pick<ToldUsage, 'tokensIn' | 'tokensCached' | 'tokensOut'>,
    wire: WireName,
    requestedTier: string | null,
  ): ToldUsage {
    const details = this.#details
    const { tokensIn, tokensCached, tokensOut } = counts
    const tokensWritten = details.chance(DETAILED_SHARE) ? details.below(tokensIn - tokensCached + 1) : null
    const tokensWrittenFor1h = wire === 'messages' && details.chance(0.5) ? details.below((tokensWritten ?? 0) + 1) : 0
    const tokensReasoning = details.chance(DETAILED_SHARE) ? details.below(tokensOut + 1) : null
    const isAsRequested = details.chance(REQUESTED_TIER_SHARE)
    const serviceTier = isAsRequested ? requestedTier : details.pick([null, ...TIERS])
    return { ...counts, tokensWritten, tokensWrittenFor1h, tokensReasoning, serviceTier }
  }
}
