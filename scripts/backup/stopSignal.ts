import { untilSignalled } from '../../platform/lifecycle.ts'

/** Aborts on Ctrl-C or SIGTERM, so that the command leaves neither a partial file nor a running database. */
export function stopSignal(consequence: string): AbortSignal {
  const stopping = new AbortController()
  untilSignalled(() => process.exit(1)).then((signal) =>
    stopping.abort(new Error(`stopped by ${signal}: ${consequence}`)),
  )
  return stopping.signal
}
