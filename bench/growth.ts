import { runCommand } from '../scripts/cli/command.ts'
import { growthCommand } from './growth/command.ts'

await runCommand(growthCommand)
