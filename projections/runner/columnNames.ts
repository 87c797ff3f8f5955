const fields = new Map<string, string>()

/** The name of a column in rows: company_id is companyId. Computed once, because every query has columns. */
export function fieldOf(column: string): string {
  const known = fields.get(column)
  if (known !== undefined) return known
  const field = column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  fields.set(column, field)
  return field
}

/** The column of a field. */
export function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
