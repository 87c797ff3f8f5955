import { v5 } from 'uuid'

/** Fixed for ever: every deterministic id of the product derives from it. */
const NAMESPACE = 'b0f1c9a4-6b7e-5c1d-9a53-7d1f0e6c2a18'

/** The same key gives the same id, on every machine and after every restart. */
export function deterministicId(key: string): string {
  return v5(key, NAMESPACE)
}
