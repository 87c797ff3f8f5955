import { failStart } from '../../platform/lifecycle.ts'

/** The arguments are invalid: the command exits with 2 and prints its usage. */
export class WrongUsage extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'WrongUsage'
  }
}

export type Command = {
  readonly help: string
  /** Returns the exit code: 0 for success, 1 for a failure or a difference. */
  run(args: string[]): Promise<number>
}

/** Runs a command. Results go to standard output, progress and errors to standard error. */
export async function runCommand({ help, run }: Command): Promise<never> {
  const args = process.argv.slice(2)
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(help)
    process.exit(0)
  }
  try {
    process.exitCode = await run(args)
  } catch (error) {
    if (error instanceof WrongUsage || (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS')) {
      process.stderr.write(`${(error as Error).message}\nusage: ${help.split('\n', 1)[0]}\n`)
      process.exit(2)
    }
    failStart(error)
  }
  // Waits until pending output has been written.
  await new Promise<void>((resolve) => process.stdout.write('', () => resolve()))
  process.exit()
}
