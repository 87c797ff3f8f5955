/**
 * How many times longer than usual tests wait before they give up. `.ci/run` sets it, because a host that gives the
 * processor to others makes everything late and nothing wrong.
 */
export const PATIENCE = patienceOf(process.env.TEST_PATIENCE)

function patienceOf(setting: string | undefined): number {
  const patience = Number(setting ?? 1)
  if (!(patience >= 1)) throw new Error(`TEST_PATIENCE must be a number of at least 1, not ${JSON.stringify(setting)}`)
  return patience
}
