import { failStart } from '../../services/platform/lifecycle.ts'

/** The words of the call are off: exit code 2, with the help's first line. */
export class WrongUsage extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'WrongUsage'
  }
}

export type Command = {
  readonly help: string
  /** The exit code: 0 good, 1 failed or differs. */
  run(args: string[]): Promise<number>
}

/** Results go to standard output, progress and errors to standard error. */
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
  // What is still in the pipe is written before the process ends.
  await new Promise<void>((resolve) => process.stdout.write('', () => resolve()))
  process.exit()
}
