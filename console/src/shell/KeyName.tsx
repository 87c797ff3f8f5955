const ID_START = 8

type Props = {
  readonly id: string
  readonly names: ReadonlyMap<string, string>
  /** Without the id beside the name, for tables with many columns. */
  readonly brief?: boolean
}

/** The name of a key and the beginning of its id, or the latter alone for roles that see no keys. The title has the whole id. */
export function KeyName({ id, names, brief = false }: Props) {
  const name = names.get(id)
  const start = <code className="muted small">{id.slice(0, ID_START)}</code>
  return (
    <span title={id}>
      {name ?? start} {name !== undefined && !brief && start}
    </span>
  )
}
