export type InstallRow = {
  name: string
  npm: string
  /** Node 20 is the machine's own where it has it; Node 24 is the one that this repository installs. */
  node: 'machine' | 'node24'
  as: 'root' | 'user'
  /** The mode of the folder that the clone is in. */
  folderMode: number
}

const npms = [
  { name: 'npm10', npm: '10.9.9', node: 'machine', folderMode: 0o755 },
  { name: 'npm11', npm: '11.21.1', node: 'machine', folderMode: 0o755 },
  // npm 12 refuses Node 20.
  { name: 'npm12', npm: '12.2.0', node: 'node24', folderMode: 0o755 },
  { name: 'mode700', npm: '11.21.1', node: 'machine', folderMode: 0o700 },
] as const

export const installRows: InstallRow[] = npms.flatMap((row) =>
  (['root', 'user'] as const).map((as) => ({ ...row, name: `${row.name}-${as}`, as })),
)
