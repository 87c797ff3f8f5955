import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Badge } from '../../parts/Badge.tsx'
import { Button } from '../../parts/Button.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { Time } from '../../parts/values/Time.tsx'
import { ExplainDialog } from './ExplainDialog.tsx'
import { type Finding, KINDS, type Reconciliation } from './reconciliationWords.ts'

/** Rows shown at first. The API returns at most 1,000 of each kind. */
const PAGE_ROWS = 20

type Props = { readonly reconciliation: Reconciliation; readonly names: ReadonlyMap<string, string> }

/** The differences, each of which can be explained, and below them those that have an explanation. */
export function FindingTable({ reconciliation: found, names }: Props) {
  const [explained, setExplained] = useState<Finding | null>(null)
  const open = new Set(found.differences.map(({ id }) => id))
  const rows = [...found.differences, ...found.explained]
  const left = found.differenceCount + found.explainedCount - rows.length
  const columns: Column<Finding>[] = [
    { id: 'kind', header: 'Finding', place: 'main', cell: ({ kind }) => <strong>{KINDS[kind]}</strong> },
    {
      id: 'state',
      header: 'State',
      place: 'corner',
      cell: ({ id }) => (open.has(id) ? <Badge tone="danger">Differs</Badge> : <Badge>Explained</Badge>),
    },
    { id: 'text', header: 'What was found', cell: (finding) => <Text of={finding} /> },
    {
      id: 'company',
      header: 'Company',
      cell: ({ companyId }) =>
        companyId ? (
          <Link to="/" search={{ as: companyId }}>
            {names.get(companyId) ?? companyId}
          </Link>
        ) : (
          <span className="muted">–</span>
        ),
    },
    {
      id: 'act',
      header: '',
      align: 'right',
      cell: (finding) =>
        open.has(finding.id) && (
          <Button aria-label={`Explain: ${finding.text}`} onClick={() => setExplained(finding)}>
            Explain
          </Button>
        ),
    },
  ]
  if (rows.length === 0) return null
  return (
    <>
      <Table
        label="Findings of the reconciliation"
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        pageRows={PAGE_ROWS}
        foot={left > 0 ? <span className="muted">{left.toLocaleString()} more are not listed.</span> : null}
      />
      {explained && <ExplainDialog finding={explained} onClose={() => setExplained(null)} />}
    </>
  )
}

function Text({ of: { text, explanation } }: { readonly of: Finding }) {
  return (
    <div className="anywhere">
      {text}
      {explanation && (
        <div className="muted small">
          {explanation.reason}, <Time at={explanation.explainedAt} relative />
        </div>
      )}
    </div>
  )
}
