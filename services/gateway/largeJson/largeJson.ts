import type { WireName } from '../../../capabilities/providers/wires.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { asBuffer, ownMemory } from '../../../platform/threads/ownMemory.ts'
import { ThreadPool } from '../../../platform/threads/threadPool.ts'
import type { Disguise } from '../wire/answers/answerModel.ts'
import type { AnswerFacts } from '../wire/answers/providerAnswer.ts'
import { type InferenceRequest, inferenceRequest, type Refused } from '../wire/requests/inferenceRequest.ts'
import type { SseEvent } from '../wire/streams/sseEvents.ts'
import type { StreamFacts } from '../wire/streams/streamFormat.ts'
import type { DisguiseData, LargeJsonTask, LargeJsonTasks } from './largeJsonTasks.ts'

/** JSON of up to this size is parsed within milliseconds, whatever it contains. What is larger is read on a thread. */
export const SMALL_JSON_BYTES_MAX = 64 * 1024
/** Answers have already cost something, so they wait for their turn however long the queue is. */
const ANSWERS_WAITING_MAX = 10_000

/**
 * Reads large JSON on threads: the event loop only hands the bytes over and gets back what was found in them. The memory
 * of the bytes is handed over with them, so the caller must not use it again. Companies take turns.
 */
export class LargeJson {
  readonly #requests: ThreadPool<LargeJsonTask, unknown>
  readonly #answers: ThreadPool<LargeJsonTask, unknown>

  constructor(clock: Clock) {
    const program = new URL('./largeJsonThread.ts', import.meta.url)
    this.#requests = new ThreadPool({ program, clock })
    this.#answers = new ThreadPool({ program, clock, waitingMax: ANSWERS_WAITING_MAX })
  }

  /** Parsed with the API's own function. */
  async readRequest(wire: WireName, body: Buffer, companyId: string): Promise<InferenceRequest | Refused> {
    const { read, bytes } = await this.#run('request', { wire, bytes: ownMemory(body) }, companyId)
    return 'refused' in read ? read : inferenceRequest(read, asBuffer(bytes))
  }

  /** The facts of a provider's answer, and its bytes as a caller may see them. */
  async readAnswer(
    wire: WireName,
    answer: Buffer,
    disguise: Disguise,
    companyId: string,
  ): Promise<{ readonly read: AnswerFacts; readonly bytes: Buffer }> {
    const given = { wire, disguise: dataOf(disguise), bytes: ownMemory(answer) }
    const { read, bytes } = await this.#run('answer', given, companyId)
    return { read, bytes: asBuffer(bytes) }
  }

  readAnswerText(answer: Buffer, companyId: string): Promise<{ readonly read: AnswerFacts; readonly text: string }> {
    return this.#run('answerText', { bytes: ownMemory(answer) }, companyId)
  }

  /** The chunk in an event of a stream, and the bytes of the event as a caller may see them. */
  async readEvent(
    wire: WireName,
    { raw }: Pick<SseEvent, 'raw'>,
    disguise: Disguise,
    companyId: string,
  ): Promise<{ readonly chunk: StreamFacts | null; readonly bytes: Buffer }> {
    const given = { wire, disguise: dataOf(disguise), bytes: ownMemory(raw) }
    const { chunk, bytes } = await this.#run('event', given, companyId)
    return { chunk, bytes: asBuffer(bytes) }
  }

  async close(): Promise<void> {
    await Promise.all([this.#requests.close(), this.#answers.close()])
  }

  #run<Name extends keyof LargeJsonTasks>(
    name: Name,
    given: LargeJsonTasks[Name]['given'],
    owner: string,
  ): Promise<LargeJsonTasks[Name]['result']> {
    const threads = name === 'request' ? this.#requests : this.#answers
    const task = { name, ...given } as LargeJsonTask
    return threads.run(task, { owner, transfer: [given.bytes.buffer] }) as Promise<LargeJsonTasks[Name]['result']>
  }
}

function dataOf({ model, redaction }: Disguise): DisguiseData {
  return { model, redaction: redaction.options }
}
