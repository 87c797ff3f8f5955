import { type CpuTicks, readCpuTicks, stolenShare } from '../../../bench/stolenTime.ts'

const SAMPLED_EVERY_MS = 200
/** Of the CPU time between two samples. */
const STOLEN_SHARE_MAX = 0.05
/** What piled up during a pause is still worked off for a while. */
const AFTERMATH_MS = 2_000

type Pause = { readonly fromMs: number; untilMs: number }

/** Remembers when the host gave the processor to others, so that this is not blamed on an attack. */
export class HostPauses implements Disposable {
  readonly #pauses: Pause[] = []
  readonly #timer: NodeJS.Timeout
  #sample: { readonly ms: number; readonly ticks: CpuTicks | null }

  constructor(read: () => CpuTicks | null = readCpuTicks, now: () => number = () => performance.now()) {
    this.#sample = { ms: now(), ticks: read() }
    this.#timer = setInterval(() => this.sample(now(), read()), SAMPLED_EVERY_MS)
  }

  sample(ms: number, ticks: CpuTicks | null): void {
    const share = stolenShare(this.#sample.ticks, ticks)
    const fromMs = this.#sample.ms
    this.#sample = { ms, ticks }
    if (share === null || share <= STOLEN_SHARE_MAX) return
    const last = this.#pauses.at(-1)
    if (last && last.untilMs >= fromMs) last.untilMs = ms + AFTERMATH_MS
    else this.#pauses.push({ fromMs, untilMs: ms + AFTERMATH_MS })
  }

  /** Whether a call between these moments may have met one. */
  meet(beganMs: number, endedMs: number): boolean {
    return this.#pauses.some(({ fromMs, untilMs }) => beganMs <= untilMs && endedMs >= fromMs)
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }
}
