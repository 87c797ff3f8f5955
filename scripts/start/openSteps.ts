import type { Runtime } from '../../capabilities/installation.ts'
import { type SetupStep, setupStatus } from '../../capabilities/setup/setupStatus.ts'

/** Prints what the installation still needs; nothing if it is complete. A failure is only logged. */
export async function printOpenSteps({ config, engines, clock, log }: Runtime): Promise<void> {
  try {
    process.stdout.write(openStepsText(await setupStatus({ config, database: engines.database, clock })))
  } catch (error) {
    log.warn({ err: error }, 'the open steps of the set-up could not be determined')
  }
}

export function openStepsText(steps: readonly SetupStep[]): string {
  const open = steps.filter(({ done }) => !done)
  if (open.length === 0) return ''
  return ['Still to set up (the page Set-up of the console has the same list):', ...open.map(lineOf), ''].join('\n')
}

function lineOf({ name, hint }: SetupStep): string {
  return `  ${name}: ${hint}`
}
