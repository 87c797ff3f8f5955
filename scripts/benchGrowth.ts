import { growthCommand } from './bench/growth/command.ts'
import { runCommand } from './cli/command.ts'

await runCommand(growthCommand)
