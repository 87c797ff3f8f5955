import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

export type SealTask = { readonly dataDir: string; readonly databaseUrl: string; readonly entries: number }
export type SealReport = { readonly size: number } | { readonly isSealed: boolean }

/**
 * Seals in its own thread, like `npm start`: next to the read models it would wait for each of their pages. Returns
 * whether everything is sealed and signed.
 */
export async function sealBeside(
  task: SealTask,
  ending: AbortSignal,
  onProgress: (entries: number) => void,
): Promise<boolean> {
  const worker = new Worker(new URL('./sealThread.ts', import.meta.url), { workerData: task })
  let isSealed = false
  worker.on('message', (report: SealReport) => {
    if ('size' in report) onProgress(report.size)
    else isSealed = report.isSealed
  })
  const end = () => worker.postMessage('end')
  ending.addEventListener('abort', end)
  try {
    if (ending.aborted) end()
    // Rejects if the thread fails.
    await once(worker, 'exit')
    return isSealed
  } finally {
    ending.removeEventListener('abort', end)
  }
}
