import { type Edit, othersIn } from './priceDraft.ts'

/** More names would make the row too high; the rest is counted and listed in the title. */
const NAMES_MAX = 3

type Props = {
  readonly alias: string
  readonly edit: Edit
  readonly panelId: string
  readonly isOpen: boolean
  readonly onToggle: (shallOpen: boolean) => void
}

/** Opens and closes the fields that are no columns of the grid, and names those that are set. */
export function KindsButton({ alias, edit, panelId, isOpen, onToggle }: Props) {
  const others = othersIn(edit)
  const rest = others.length - NAMES_MAX
  return (
    <div className="small">
      <button
        type="button"
        className="disclosure"
        aria-label={`All kinds of ${alias}`}
        aria-expanded={isOpen}
        aria-controls={isOpen ? panelId : undefined}
        onClick={() => onToggle(!isOpen)}
      >
        All kinds
      </button>{' '}
      {others.length > 0 && (
        <span className="muted" title={others.join(', ')}>
          {others.slice(0, NAMES_MAX).join(', ')}
          {rest > 0 && ` and ${rest} more`}
        </span>
      )}
    </div>
  )
}
