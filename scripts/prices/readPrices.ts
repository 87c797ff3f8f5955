import { readFile, stat } from 'node:fs/promises'
import { configuredProviders } from '../../capabilities/providers/configuredProviders.ts'
import { readConfig } from '../../platform/config/config.ts'
import { WrongUsage } from '../cli/command.ts'
import { decimalOf } from './decimal.ts'
import { parseExactly } from './exactJson.ts'
import type { ImportedPrices } from './importedPrice.ts'
import { liteLlmPrices } from './liteLlmList.ts'
import { csvPrices } from './pricesCsv.ts'

export type ReadOptions = {
  readonly times?: string | undefined
  readonly entry?: readonly string[] | undefined
}

/** The public list has 3 MB. */
const FILE_BYTES_MAX = 50 * 1024 * 1024

/** Reads the prices of a file of either kind. */
export async function readPrices(file: string, { times = '1', entry = [] }: ReadOptions): Promise<ImportedPrices> {
  const factor = decimalOf(times, '--times')
  if (factor.digits === 0n) throw new WrongUsage('--times must be more than zero')
  const text = await textOf(file)
  if (!text.trimStart().startsWith('{')) {
    if (entry.length > 0) throw new WrongUsage('--entry is for a list of models; a table names its aliases')
    return csvPrices(text, factor)
  }
  return liteLlmPrices(jsonOf(text, file), {
    providers: configuredProviders(readConfig(process.env)),
    entries: new Map(entry.map(entryOf)),
    times: factor,
  })
}

async function textOf(file: string): Promise<string> {
  try {
    const { size } = await stat(file)
    if (size > FILE_BYTES_MAX) throw new WrongUsage(`${file} has ${size} bytes, more than ${FILE_BYTES_MAX}`)
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    throw new WrongUsage(`${file} cannot be read: ${(error as Error).message}`)
  }
}

function jsonOf(text: string, file: string): unknown {
  try {
    return parseExactly(text)
  } catch (error) {
    throw new WrongUsage(`${file} is not JSON: ${(error as Error).message}`)
  }
}

function entryOf(option: string): [alias: string, entry: string] {
  const at = option.indexOf('=')
  if (at <= 0 || at === option.length - 1) throw new WrongUsage(`--entry ${option}: it takes <alias>=<entry>`)
  return [option.slice(0, at), option.slice(at + 1)]
}
