import { untilSignalled } from '../../services/platform/lifecycle.ts'

/** Aborts at Ctrl-C or SIGTERM, so that the command leaves neither half a file nor a database behind. */
export function stopSignal(whatNow: string): AbortSignal {
  const stopping = new AbortController()
  untilSignalled(() => process.exit(1)).then((signal) => stopping.abort(new Error(`stopped by ${signal}: ${whatNow}`)))
  return stopping.signal
}
