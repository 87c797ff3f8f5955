import {
  CONNECT_MS_MAX,
  openDatabase,
  type PostgresDatabase,
  type PostgresOptions,
} from '../../../platform/postgres/database.ts'
import { PATIENCE } from '../time/patience.ts'

/** The product's connections, which wait longer than usual for a server on a busy machine. */
export function patientDatabase(options: PostgresOptions): PostgresDatabase {
  return openDatabase({ connectMsMax: CONNECT_MS_MAX * PATIENCE, ...options })
}
