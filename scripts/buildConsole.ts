import { systemClock } from '../platform/clock/clock.ts'
import { openLog } from '../platform/logger/logger.ts'
import { ConsoleBuild } from '../services/backend/console/consoleBuild.ts'
import { runCommand } from './cli/command.ts'

const HELP = `npm run build:console

Builds the console into node_modules/.cache/console, unless a build of the same sources is there already. Backends build
it by themselves after their start; this is for images, and for backends that cannot write where they run.
`

await runCommand({
  help: HELP,
  run: async () => {
    const { log } = openLog({ level: 'info', file: null })
    const build = new ConsoleBuild({ clock: systemClock, log, dataDir: '.data' })
    await build.prepare()
    return build.state.status === 'built' ? 0 : 1
  },
})
