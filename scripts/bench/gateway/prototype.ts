import { join } from 'node:path'
import { NODE_FLAGS } from '../../stack/serviceProcess.ts'
import type { BenchFolder } from '../feed/benchFolder.ts'
import { freePorts } from '../freePorts.ts'
import { startMeasured } from './benchProcess.ts'
import { chargesIn } from './chargesIn.ts'
import type { ChargingContestant } from './contestant.ts'
import { startInstallation } from './installation.ts'

/** The prototype on an installation of its own, whose projector follows what it stores. */
export async function startPrototype(folder: BenchFolder, upstreamPort: number): Promise<ChargingContestant> {
  const [port] = await freePorts(1)
  const { config, databaseUrl, demo } = await startInstallation(folder, 'prototype', `http://127.0.0.1:${upstreamPort}`)
  const { apiKey, companyId, keyId } = demo
  const url = `http://127.0.0.1:${port}/v1/chat/completions`
  const { usage, timelines } = await startMeasured(folder, {
    name: 'prototype',
    file: join(import.meta.dirname, '..', 'processes', 'prototype.ts'),
    args: [String(port), String(upstreamPort), databaseUrl, apiKey, companyId, keyId],
    nodeFlags: NODE_FLAGS,
    url,
    withTimelines: true,
  })
  return {
    name: 'the prototype',
    call: { url, apiKey },
    usage,
    timelines,
    charges: () => chargesIn(config, databaseUrl),
  }
}
