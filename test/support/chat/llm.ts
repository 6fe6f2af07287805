import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** A request as the stand-in took it. */
export interface LlmRequest {
  path: string
  authorization: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: what a model is told
  body: any
}

/** How a stand-in answers one request. */
export type LlmBehaviour = (request: LlmRequest, response: ServerResponse) => unknown

/** A reply of a well-behaved model. */
export const says =
  (content: unknown): LlmBehaviour =>
  (_, response) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    sendJson(response, { choices: [{ index: 0, message: { role: 'assistant', content: text } }] })
  }

/** A vector for what a request gives. */
export const means =
  (vectorOf: (text: string) => readonly unknown[]): LlmBehaviour =>
  ({ body }, response) =>
    sendJson(response, { object: 'list', data: [{ index: 0, object: 'embedding', embedding: vectorOf(body.input) }] })

export const fails =
  (status: number): LlmBehaviour =>
  (_, response) =>
    response.writeHead(status).end('{"error": {"message": "no"}}')

export function sendJson(response: ServerResponse, body: object): void {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(body))
}

export type LlmStandIn = Awaited<ReturnType<typeof startLlm>>

/**
 * An OpenAI-compatible endpoint on a free port of 127.0.0.1. `chat` and `embeddings` say how it behaves; at first it
 * fails. `requests` are those it took.
 */
export async function startLlm() {
  const requests: LlmRequest[] = []
  const server = createServer(async (incoming: IncomingMessage, response) => {
    const body = await json(incoming).catch(() => null)
    const request = { path: incoming.url ?? '', authorization: incoming.headers.authorization, body }
    requests.push(request)
    if (request.path === '/v1/chat/completions') standIn.chat(request, response)
    else if (request.path === '/v1/embeddings') standIn.embeddings(request, response)
    else response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const standIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    chat: fails(500) as LlmBehaviour,
    embeddings: fails(500) as LlmBehaviour,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return standIn
}
