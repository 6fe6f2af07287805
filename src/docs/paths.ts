import { MAX_EMAIL } from '../lib/input/email.ts'
import { EMAIL_PATTERN } from '../lib/input/email-pattern.ts'
import type { Examples } from '../ports/examples.ts'
import { EXAMPLE_UUID } from './examples.ts'
import type { Parameter, Schema } from './types.ts'

/** `/v1/contacts/:id/` as Elysia has it → `/v1/contacts/{id}`. */
export function documentedPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}').replace(/(?<=.)\/$/, '')
}

interface PathId {
  /** What it names, as a 404 says. */
  readonly noun: string
  /** Whether what is not there is made, instead of a 404. */
  readonly isMade?: boolean
  readonly description?: string
  readonly schema?: Schema
  readonly example?: string
}

/** Path parameters that are not the UUID of what stands before them, by the word before. */
const special: Record<string, PathId> = {
  f: {
    noun: 'form',
    description: 'Launch code of a form that is published and active.',
    schema: { type: 'string' },
    example: 'aB3xK9q2',
  },
  chat: { noun: 'source', description: 'Id of the live-chat source.' },
  conversations: {
    noun: 'conversation',
    description: 'Id of the conversation: the `conversationId` of the answer that it was begun with.',
  },
  responses: { noun: 'response', schema: { type: 'string' }, example: 'r_019ca8a03e8074d5ba4b86b823507c11' },
  deliveries: { noun: 'delivery', schema: { type: 'string' } },
  articles: {
    noun: 'article',
    description: 'Name of the article within its source: letters, digits and `-` `.` `_` `~`.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._~-]{1,200}$' },
    example: 'refunds',
  },
  groups: { noun: 'group', schema: { type: 'integer' }, example: '7' },
  'by-email': {
    noun: 'contact',
    isMade: true,
    description: 'Email address of the contact.',
    schema: { type: 'string', maxLength: MAX_EMAIL, pattern: EMAIL_PATTERN },
    example: 'ada@acme.test',
  },
}

const pathId = (owner: string): PathId => special[owner] ?? { noun: singular(owner) }

/** The parameters in a path such as `/v1/contacts/{id}`. */
export function pathParameters(path: string, { ids }: Examples): Parameter[] {
  return idsIn(path).map(([owner, name]) => {
    const {
      noun,
      description = `Id of the ${noun}.`,
      schema = { type: 'string', format: 'uuid' },
      example = EXAMPLE_UUID,
    } = pathId(owner)
    const given = ids[owner] ?? example
    const shown = schema.type === 'integer' ? Number(given) : given
    return { name, in: 'path', required: true, description, schema, example: shown }
  })
}

/** What a path's last id names, which may not be there: `contact` for `/v1/contacts/{id}/subscribe`. */
export function nounOf(path: string): string | undefined {
  const last = idsIn(path).at(-1)
  const { noun, isMade = false } = last ? pathId(last[0]) : {}
  return isMade ? undefined : noun
}

function idsIn(path: string): [owner: string, name: string][] {
  return [...path.matchAll(/([\w-]+)\/\{(\w+)\}/g)].map(([, owner = '', name = '']) => [owner, name])
}

/**
 * A name for an operation that generators can make a method of: `listContacts`, `getContact`, `unsubscribeContact`. A
 * route whose path does not read as what it does names itself: `replyToTicket`.
 */
export function operationIdOf(method: string, path: string): string {
  const words = path.split('/').filter((part) => part && part !== 'v1' && !part.startsWith('{'))
  const owners = words.slice(0, -1).map(singular)
  const last = words.at(-1) ?? ''
  const ofOne = path.endsWith('}')
  if (method === 'get' && !ofOne && isPlural(last)) return camelCase('list', ...owners, last)
  if (method === 'post' && !isPlural(last)) return camelCase(last, ...owners)
  return camelCase(verbs[method] ?? method, ...owners, singular(last))
}

const verbs: Record<string, string> = { get: 'get', post: 'create', put: 'update', delete: 'delete' }

function isPlural(word: string): boolean {
  return /[^u]s$/.test(word)
}

function singular(word: string): string {
  if (!isPlural(word)) return word
  return word.replace(/ies$/, 'y').replace(/xes$/, 'x').replace(/s$/, '')
}

function camelCase(first: string, ...rest: string[]): string {
  return first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}
