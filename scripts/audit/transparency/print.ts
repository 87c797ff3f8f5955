import type { TransparencyAudit } from './auditTransparency.ts'
import type { AuditFault } from './faults.ts'

/** The document that `audit --log --json` prints. */
export function transparencyAuditJson({ faults, state: _, ...audit }: TransparencyAudit, stateFile: string) {
  return { ...audit, matches: faults.count === 0, faultCount: faults.count, faults: faults.named, stateFile }
}

export function transparencyAuditText(audit: TransparencyAudit, stateFile: string): string {
  const { from, size, root, companies, checkpoints, lastCheckpoint, faults, state } = audit
  const last = lastCheckpoint
    ? `the last of ${lastCheckpoint.size} entries, signed at ${lastCheckpoint.signedAt} for ${lastCheckpoint.origin}`
    : 'none is new'
  const entries = from === 0 ? `${size} entries` : `entries ${from} to ${size - 1}; those before were verified earlier`
  const lines = [
    `Ledger's log: ${entries}, ${companies} ${companies === 1 ? 'company' : 'companies'}, root ${root}`,
    `  checkpoints       ${checkpoints} (${last})`,
    faults.count === 0 ? 'The events are those that were logged and signed.' : `${faults.count} found:`,
    ...faults.named.map(faultText),
    ...(faults.count > faults.named.length ? [`  and ${faults.count - faults.named.length} more`] : []),
    ...(state ? [`What was verified is in ${stateFile}; the next audit continues there.`] : []),
  ]
  return `${lines.join('\n')}\n`
}

function faultText({ what, eventId, stream, companyId, revision, index }: AuditFault): string {
  const place = [
    eventId && `event ${eventId}`,
    stream ?? (companyId && `company ${companyId}`),
    revision !== null && `revision ${revision}`,
    index !== null && `entry ${index}`,
  ].filter(Boolean)
  return `  ${what}${place.length > 0 ? ` (${place.join(', ')})` : ''}`
}
