import type { BenchFolder } from '../feed/benchFolder.ts'
import { measureStart } from '../start/firstStart.ts'
import { dataDirOf } from './generated.ts'
import { alternating, type Growth } from './rounds.ts'
import { CHECKOUT, settingsOf, startProvider } from './stacks.ts'

const ROUNDS = 5

/** `npm start` until it is ready, with everything projected and sealed. */
export async function measureStarts(folder: BenchFolder, data: string, sizes: readonly number[]): Promise<Growth[]> {
  const providersFile = await startProvider(folder)
  const installations = sizes.map((events) => ({ events, dataDir: dataDirOf(data, events) }))
  return alternating(installations, {
    ...{ part: 'starts', name: 'ready', unit: 's', rounds: ROUNDS },
    measure: async ({ dataDir }) => (await measureStart(CHECKOUT, settingsOf(dataDir, providersFile))) / 1_000,
  })
}
