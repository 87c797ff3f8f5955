import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

/**
 * Caches compiled code in node_modules, so that later starts neither strip types nor compile. Each thread must call it,
 * and only modules imported afterwards use it.
 */
export function useCompileCache(): void {
  enableCompileCache(join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'compile'))
}
