import { setTimeout as delay } from 'node:timers/promises'
import type { OpenRuntime } from '../../capabilities/installation.ts'
import type { NewEvent } from '../../contracts/envelope.ts'
import type { Position } from '../../contracts/position.ts'
import { readConfig } from '../../platform/config/config.ts'
import type { Engines } from '../../platform/engines.ts'
import { PROJECTIONS } from '../../projections/catalogue.ts'
import { readCheckpoint } from '../../projections/runner/checkpoints.ts'
import { prepareInstallation } from '../../scripts/start/prepareInstallation.ts'
import { startBackground } from '../../scripts/start/startBackground.ts'
import { openBenchRuntime } from './benchRuntime.ts'

const LOOK_EVERY_MS = 200

/** An installation as left by `npm start`, with many events that are in all its read models. */
export type FilledInstallation = { readonly engines: Engines; close(): Promise<void> }

export type Filling = { readonly stream: string; append(n: number): readonly NewEvent[] }

export async function openFilled(
  settings: Readonly<Record<string, string>>,
  fillings: readonly Filling[],
  events: number,
): Promise<FilledInstallation> {
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (const closeOne of closers.splice(0).toReversed()) await closeOne()
  }
  try {
    const config = readConfig({ ...settings, LOG_LEVEL: 'silent' })
    const { runtime, databaseUrl } = await openBenchRuntime(config, closers)
    await prepareInstallation(runtime)
    await fill(runtime, fillings, events)
    const background = startBackground(runtime, databaseUrl)
    closers.push(() => background.drain(config.DRAIN_TIMEOUT_MS))
    await projected(runtime.engines, await runtime.engines.store.head())
    return { engines: runtime.engines, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function fill({ engines }: OpenRuntime, fillings: readonly Filling[], events: number): Promise<void> {
  for (let n = 0; n < events; ) {
    const appends = fillings.map(({ stream, append }) => {
      const added = append(n)
      n += added.length
      return engines.storeAsWritten.append(stream, 'any', added)
    })
    await Promise.all(appends)
  }
}

async function projected({ database }: Engines, head: Position): Promise<void> {
  for (const { name } of PROJECTIONS) {
    for (;;) {
      const positions = Object.values((await readCheckpoint(database, name).catch(() => null))?.positions ?? {})
      if (positions.length > 0 && positions.every((position) => position >= head)) break
      await delay(LOOK_EVERY_MS)
    }
  }
}
