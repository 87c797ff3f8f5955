import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type BenchFolder = {
  readonly path: string
  /** How to close everything that was opened, in reverse order. */
  readonly closers: (() => Promise<void>)[]
}

/** A folder for one installation. Everything opened in it is closed afterwards, even after an error or Ctrl-C. */
export async function withBenchFolder<Result>(work: (folder: BenchFolder) => Promise<Result>): Promise<Result> {
  const path = await mkdtemp(join(tmpdir(), 'tollgate-bench-'))
  const closers = [() => rm(path, { recursive: true, force: true })]
  let closing: Promise<void> | null = null
  const closeAll = async () => {
    for (const close of closers.toReversed()) await close()
  }
  const close = () => {
    closing ??= closeAll()
    return closing
  }
  const onSignal = (signal: NodeJS.Signals) => {
    process.stderr.write(`stopped by ${signal}\n`)
    void close().finally(() => process.exit(1))
  }
  process.once('SIGINT', onSignal)
  process.once('SIGTERM', onSignal)
  try {
    return await work({ path, closers })
  } finally {
    await close()
    process.off('SIGINT', onSignal)
    process.off('SIGTERM', onSignal)
  }
}
