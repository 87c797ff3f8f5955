/**
 * How long before it takes effect a price change is stored. A gateway admits no call while its view of prices may be
 * older than this, so no call is charged at outdated prices.
 */
export const PRICE_LEAD_MS = 5_000
