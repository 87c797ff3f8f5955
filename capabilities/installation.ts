import type { Config } from '../platform/config/config.ts'
import {
  type DatabaseSource,
  type Engines,
  type EnginesOptions,
  type EnginesRuntime,
  openEngines,
} from '../platform/engines.ts'
import {
  type OpenRuntime as OpenProcessRuntime,
  openRuntime as openProcessRuntime,
  type RuntimeOptions,
} from '../platform/openRuntime.ts'
import type { Runtime as ProcessRuntime } from '../platform/runtime.ts'
import { CommandHandler } from './commands/commandHandler.ts'
import { LedgerWriter } from './ledger/ledgerWriter.ts'
import { PersonalData } from './personalData/personalData.ts'
import { newestCheckpointEvent } from './transparency/newestCheckpointEvent.ts'

/** The engines, and what services write through them. */
export type Installation = Engines & {
  readonly personal: PersonalData
  readonly commands: CommandHandler
  readonly ledger: LedgerWriter
}

/** What all services of a process share. */
export type Runtime = Omit<ProcessRuntime, 'engines'> & { readonly engines: Installation }

export type OpenRuntime = Omit<OpenProcessRuntime, 'engines'> & Runtime

export async function openInstallation(
  config: Config,
  database: DatabaseSource,
  runtime: EnginesRuntime,
  options?: EnginesOptions,
): Promise<Installation> {
  return installationOn(await openEngines(config, database, runtime, options))
}

/** Opens what a process needs before any of its services, and is closed after the last of them has drained. */
export async function openRuntime(options: Omit<RuntimeOptions, 'newestEvent'>): Promise<OpenRuntime> {
  const runtime = await openProcessRuntime({ ...options, newestEvent: newestCheckpointEvent })
  return { ...runtime, engines: installationOn(runtime.engines) }
}

function installationOn(engines: Engines): Installation {
  const { database, store, appender, watch } = engines
  const personal = new PersonalData(database)
  return {
    ...engines,
    personal,
    commands: new CommandHandler(store, appender, personal),
    ledger: new LedgerWriter(appender, watch),
  }
}
