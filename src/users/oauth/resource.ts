import type { Config } from '../../config.ts'

/** What access tokens are for (RFC 8707): the endpoint of MCP, and nothing else that there is. */
export function resourceOf({ baseUrl }: Pick<Config, 'baseUrl'>): string {
  return `${baseUrl}/mcp`
}
