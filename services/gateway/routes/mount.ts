/** The prefix of every path of the gateway's interface. */
export const MOUNT = '/llm/v1'
/** Where the MCP tools are, behind the prefix. */
export const MCP_PATH = '/mcp'
