/** The size that a C2SP tlog-proof's checkpoint states: its second line, after the lines of the proof. */
export function checkpointSize(proof: string): number | null {
  const [, checkpoint = ''] = proof.split(/\n\n/)
  const size = checkpoint.split('\n')[1] ?? ''
  return /^\d{1,15}$/.test(size) ? Number(size) : null
}
