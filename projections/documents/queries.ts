import type { Sql } from '../runner/ports.ts'
import type { DocumentRow } from './projection.ts'

/** The newest first. */
export function documentsOf(sql: Sql, companyId: string, limit: number): Promise<DocumentRow[]> {
  return sql.query<DocumentRow>(
    `select * from read_models.documents where company_id = $1
     order by uploaded_at desc, document_id desc limit $2`,
    [companyId, limit],
  )
}
