import { writeFileSync } from 'node:fs'
import { startRecordingProvider } from '../../support/parties/recordingProvider.ts'

/** The model provider as a process of its own. Asked for its log, it writes it to the file that the question names. */
const provider = await startRecordingProvider()
process.on('message', (file: string) => {
  writeFileSync(file, JSON.stringify(provider.calls))
  process.send?.(file)
})
process.on('disconnect', () => process.exit())
// Ctrl-C reaches this process too, but its parent ends it.
process.on('SIGINT', () => {})
process.send?.(provider.providersFile)
