/**
 * How long before it takes effect a change of a price is stored. A gateway admits no call while its view of prices may be
 * older than this, so none is charged by prices that are no longer in force.
 */
export const PRICE_LEAD_MS = 5_000
