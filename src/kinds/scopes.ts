/** The eight scopes, a closed list (api.md §5). */
export const scopes = [
  'forms:read',
  'forms:write',
  'responses:read',
  'contacts:read',
  'contacts:write',
  'tickets:read',
  'tickets:write',
  'webhooks:manage',
] as const

export type Scope = (typeof scopes)[number]

/** Whether `text` is one of the eight. */
export function isScope(text: string): text is Scope {
  return (scopes as readonly string[]).includes(text)
}
