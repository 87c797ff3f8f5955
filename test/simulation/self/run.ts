import { installGlobals } from '../scheduler/globals.ts'

// Runs one program of this folder on the replaced globals, which a test cannot replace for itself.
installGlobals()
const [name, ...args] = process.argv.slice(2)
const { run } = (await import(`./${name}.ts`)) as { run(args: readonly string[]): Promise<void> }
await run(args)
// A database keeps the process alive.
process.exit()
