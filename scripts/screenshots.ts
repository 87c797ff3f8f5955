import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../platform/clock/clock.ts'
import { findChromium, MISSING } from './browser/chromium.ts'
import { runCommand, WrongUsage } from './cli/command.ts'
import { withLateInstallation } from './screenshots/lateInstallation.ts'
import { takePictures } from './screenshots/pictures.ts'
import { beginningOf, tellStory } from './screenshots/story.ts'

const ROOT = join(import.meta.dirname, '..')
const HELP = `npm run screenshots [-- --into <folder>]

Takes the pictures of the console that the documents show, into docs/pictures or the folder. It starts a sandbox
installation of its own on free ports and in a temporary folder, whose clock begins some weeks ago; tells it the story of
a company through the public interfaces; and opens the pages in the machine's Chromium, headless. Set CHROMIUM to the path
of one that is not found by itself. It takes about two minutes.
`

await runCommand({
  help: HELP,
  run: async (args) => {
    const { values } = parseArgs({ args, options: { into: { type: 'string' } } })
    const executablePath = findChromium()
    if (executablePath === null) throw new WrongUsage(MISSING)
    const folder = values.into ?? join(ROOT, 'docs', 'pictures')
    const nowMs = systemClock.now()
    const files = await withLateInstallation(beginningOf(nowMs), async (installation) => {
      process.stderr.write('telling the story of the demo company…\n')
      await tellStory(installation)
      process.stderr.write('taking the pictures…\n')
      return takePictures(installation.demo, { executablePath, folder })
    })
    for (const file of files) process.stdout.write(`${relative(process.cwd(), file)}\n`)
    return 0
  },
})
