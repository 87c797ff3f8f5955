/** The prefix of every path of the gateway's interface. */
export const MOUNT = '/llm/v1'
