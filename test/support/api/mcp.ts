import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Answer, TestApp } from '../app.ts'

/** The revisions of the protocol that are served at one address. */
export const revisions = ['2025-11-25', '2026-07-28'] as const
export type Revision = (typeof revisions)[number]

/** The official client, connected by that revision. Close it when done. */
export async function mcpClient({ url }: Pick<TestApp, 'url'>, key: string, revision: Revision = '2026-07-28') {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: revision === '2025-11-25' ? 'legacy' : { pin: revision } } },
  )
  const headers = { authorization: `Bearer ${key}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }))
  return client
}

/** What a tool answered, as the JSON that an agent reads first. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
export function saidBy({ content }: CallToolResult): any {
  const [first] = content
  if (first?.type !== 'text') throw new Error(`the answer begins with ${first?.type}`)
  return JSON.parse(first.text)
}

/** A message as it goes over the wire, without a client that would not send it. */
export function sendMessage(
  app: TestApp,
  key: string | null,
  message: { method: string; params?: Record<string, unknown> },
  headers: Record<string, string> = {},
): Promise<Answer> {
  const { method, params = {} } = message
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  return app.request('POST', '/mcp', {
    key,
    body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } },
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof params.name === 'string' && { 'mcp-name': params.name }),
      ...headers,
    },
  })
}
