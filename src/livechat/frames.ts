import { AppError, invalid, rule } from '../errors.ts'
import { ownValue, readList, readObject, readString } from '../lib/input/read.ts'
import { MAX_FILES, MAX_TEXT } from './model.ts'

/* What goes over a socket of the chat: JSON objects as text (decisions §13). */

const MAX_TOKEN = 200
const MAX_ID = 100
/** Of a page that is reported, in characters: browsers send no longer addresses. */
const MAX_ADDRESS = 8_000

/** What a visitor sends. */
export type VisitorFrame =
  | { type: 'typing'; conversationId: string | null }
  | { type: 'message'; conversationId: string; text: string; uploads: string[]; clientId: string | null }
  | { type: 'page'; page: string }
  | { type: 'seen'; conversationId: string; messageId: string }

/** The first frame, `{"token"}`; null for anything else. */
export function readTokenFrame(text: string | null): string | null {
  try {
    const token = ownValue(readObject(JSON.parse(text ?? ''), ''), 'token')
    return typeof token === 'string' && token.length <= MAX_TOKEN ? token : null
  } catch {
    return null
  }
}

/**
 * Any later one: `{"type": "typing"}`, `{"type": "page", "page"}`, `{"type": "seen", "conversationId", "messageId"}` or
 * `{"type": "message", "conversationId", "message": {"text", "uploads", "clientId"}}`. Throws `invalid_request`.
 */
export function readFrame(text: string | null): VisitorFrame {
  const frame = readObject(parse(text), 'frame')
  const conversationId = readId(ownValue(frame, 'conversationId'), 'conversationId')
  const type = ownValue(frame, 'type')
  if (type === 'typing') return { type, conversationId }
  if (type === 'page') return { type, page: readString(ownValue(frame, 'page'), MAX_ADDRESS, 'page') }
  if (type !== 'message' && type !== 'seen') throw invalid('type', rule('frame_type'))
  if (conversationId === null) throw invalid('conversationId', rule('needed'))
  if (type === 'seen')
    return { type, conversationId, messageId: readString(ownValue(frame, 'messageId'), MAX_ID, 'messageId') }
  const message = readObject(ownValue(frame, 'message'), 'message')
  return {
    type,
    conversationId,
    text: readString(ownValue(message, 'text'), MAX_TEXT, 'message.text'),
    uploads: readUploads(ownValue(message, 'uploads')),
    clientId: readId(ownValue(message, 'clientId'), 'message.clientId') || null,
  }
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    throw invalid('frame', rule('frame'))
  }
}

function readId(value: unknown, place: string): string | null {
  return value === null ? null : readString(value, MAX_ID, place)
}

function readUploads(value: unknown): string[] {
  const place = 'message.uploads'
  return (value === null ? [] : readList(value, MAX_FILES, place)).map((id, index) =>
    readString(id, MAX_ID, `${place}[${index}]`),
  )
}

/** What a visitor is told of a frame that could not be taken. */
export function refusalFrame(error: unknown): string {
  if (error instanceof AppError) {
    return JSON.stringify({ type: 'error', error: error.code, message: error.message, ...error.details })
  }
  return JSON.stringify({ type: 'error', error: 'internal_error', message: 'Something went wrong on our side.' })
}
