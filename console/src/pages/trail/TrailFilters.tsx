import { DaysFilter } from '../../parts/DaysFilter.tsx'
import { SelectField } from '../../parts/Field.tsx'
import { TextFilter } from '../../parts/TextFilter.tsx'
import type { TrailSearch } from './trailSearch.ts'

type Props = {
  readonly search: TrailSearch
  readonly keys: ReadonlyMap<string, string>
  readonly users: ReadonlyMap<string, string>
  readonly onChange: (changed: { readonly [Name in keyof TrailSearch]?: TrailSearch[Name] | undefined }) => void
}

const ALL = { value: '', label: 'All' }

export function TrailFilters({ search, keys, users, onChange }: Props) {
  const optionsOf = (names: ReadonlyMap<string, string>) => [
    ALL,
    ...[...names].map(([value, label]) => ({ value, label })),
  ]
  return (
    <search className="filters">
      <SelectField
        label="Person"
        value={search.user ?? ''}
        options={optionsOf(users)}
        onPick={(user) => onChange({ user: user || undefined })}
      />
      <SelectField
        label="Key"
        value={search.key ?? ''}
        options={optionsOf(keys)}
        onPick={(key) => onChange({ key: key || undefined })}
      />
      <DaysFilter days={search.days} onPick={(days) => onChange({ days })} />
      <TextFilter
        label="Type of event"
        placeholder="ApiKeyMinted"
        value={search.type ?? ''}
        onPick={(type) => onChange({ type: type || undefined })}
      />
      <TextFilter
        label="Correlation id"
        placeholder="All"
        value={search.correlation ?? ''}
        onPick={(correlation) => onChange({ correlation: correlation || undefined })}
      />
    </search>
  )
}
