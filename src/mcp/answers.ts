import type { CallToolResult } from '@modelcontextprotocol/server'
import { MAX_ANSWER, type Page, pageOf, sizeOf, withCutTexts } from './cutting.ts'
import type { Tool } from './tools.ts'

/** A refusal as agents read it: what the API's body says, beside its status. */
export function refused(status: number, body: Readonly<Record<string, unknown>>): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: JSON.stringify({ status, ...body }) }] }
}

/** An answer without a body. */
export const done: CallToolResult = { content: [{ type: 'text', text: 'Done.' }] }

/** An answer with all that it says. */
function whole(value: unknown): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(value) }],
    structuredContent: value as Record<string, unknown>,
  }
}

/** What is asked of the API, and how a tool's answer is shortened that is too long. */
export interface Shortened {
  readonly tool: Tool
  readonly given: Readonly<Record<string, unknown>>
  readonly textFrom: number
  /** Asks for a shorter page of the same list; null where that was refused. */
  readonly again: (limit: number) => Promise<Page | null>
}

/**
 * A JSON answer within what an agent can read at once: of a list fewer items, behind which its cursor goes on, and of
 * long texts a part, behind which `textFrom` does. What was changed is never answered with an error.
 */
export async function answered(value: unknown, { tool, given, textFrom, again }: Shortened): Promise<CallToolResult> {
  const listed = tool.answers === 'whole list' ? pageOf(value as Page, given.cursor) : value
  if (listed === null) return refused(400, { error: 'invalid_request', message: 'cursor: is not one of this list' })
  const shorter = tool.answers === 'page' ? await shortPage(listed as Page, again) : listed
  if (textFrom === 0 && sizeOf(shorter) <= MAX_ANSWER) return whole(shorter)
  const cut = withCutTexts(shorter, textFrom)
  if (!cut) return tool.listed.annotations.readOnlyHint ? tooLarge(tool, given) : whole(shorter)
  const { content, structuredContent } = whole(cut.value)
  if (cut.goesOnAt === null) return { content, structuredContent }
  return { content: [...content, { type: 'text', text: wayOn(tool, cut.goesOnAt) }], structuredContent }
}

/** The page, or as many of its items as fit. */
async function shortPage(page: Page, again: Shortened['again']): Promise<Page> {
  let shown = page
  while (shown.items.length > 1) {
    const size = sizeOf(shown)
    if (size <= MAX_ANSWER) return shown
    // Items differ in length, so that it may take another try.
    const limit = Math.max(
      1,
      Math.min(shown.items.length - 1, Math.floor((shown.items.length * MAX_ANSWER * 0.9) / size)),
    )
    const shorter = await again(limit)
    if (!shorter) return shown
    shown = shorter
  }
  return shown
}

function wayOn({ listed }: Tool, at: number): string {
  const rest = listed.annotations.readOnlyHint
    ? `call ${listed.name} again with textFrom ${at} for what follows`
    : 'the tool that reads this record gives all of it'
  return `Texts that end in … are cut, since the answer would be too long: ${rest}.`
}

function tooLarge({ listed }: Tool, given: object): CallToolResult {
  const message = `the answer of ${listed.name} ${JSON.stringify(given).slice(0, 300)} is longer than ${MAX_ANSWER} bytes: read it through the API`
  return refused(413, { error: 'answer_too_large', message })
}

/** Files up to so many bytes are handed over; a larger one by its address. */
const MAX_FILE = 1024 * 1024

/** A file as what it is: a picture, text, or bytes. */
export async function fileAnswer(response: Response, uri: string, textFrom: number): Promise<CallToolResult> {
  const mimeType = response.headers.get('content-type')?.split(';', 1)[0] ?? 'application/octet-stream'
  const size = Number(response.headers.get('content-length') ?? Number.POSITIVE_INFINITY)
  if (size > MAX_FILE) {
    await response.body?.cancel()
    const name = /filename="([^"]*)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'file'
    const description = 'Too large to be handed over: it can be fetched from here with a key.'
    return {
      content: [{ type: 'resource_link', uri, name, mimeType, description, ...(Number.isFinite(size) && { size }) }],
    }
  }
  const bytes = Buffer.from(await response.arrayBuffer())
  if (mimeType.startsWith('text/')) return textAnswer(bytes.toString('utf8'), uri, mimeType, textFrom)
  const data = bytes.toString('base64')
  if (mimeType.startsWith('image/')) return { content: [{ type: 'image', data, mimeType }] }
  return { content: [{ type: 'resource', resource: { uri, mimeType, blob: data } }] }
}

function textAnswer(all: string, uri: string, mimeType: string, textFrom: number): CallToolResult {
  // A character is three bytes at most, or four of two.
  const length = (MAX_ANSWER / 3) | 0
  const part = all.slice(textFrom, textFrom + length).toWellFormed()
  const content: CallToolResult['content'] = [{ type: 'resource', resource: { uri, mimeType, text: part } }]
  const next = textFrom + length
  if (next < all.length) content.push({ type: 'text', text: `Cut: call again with textFrom ${next} for what follows.` })
  return { content }
}
