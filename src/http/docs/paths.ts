import type { Parameter } from './types.ts'

/** `/v1/contacts/:id/` as Elysia has it → `/v1/contacts/{id}`. */
export function documentedPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}').replace(/(?<=.)\/$/, '')
}

/** Path parameters that are not the UUID of what stands before them. */
const special: Record<string, Pick<Parameter, 'description' | 'schema'>> = {
  responseId: { description: 'Id of the response.', schema: { type: 'string' } },
  batchId: { description: 'Id of the delivery.', schema: { type: 'string' } },
  slug: {
    description: 'Name of the article within its source: letters, digits and `-` `.` `_` `~`.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._~-]{1,200}$', example: 'refunds' },
  },
}

/** The parameters in a path such as `/v1/contacts/{id}`. */
export function pathParameters(path: string): Parameter[] {
  return [...path.matchAll(/([\w-]+)\/\{(\w+)\}/g)].map(([, owner = '', name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...(special[name] ?? { description: `Id of the ${singular(owner)}.`, schema: { type: 'string', format: 'uuid' } }),
  }))
}

/**
 * A name for an operation that code generators can make a function of: `listContacts`, `getContact`,
 * `unsubscribeContact`, `createTicketReply`, `updateTicketStatus`.
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
