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

/** Whether somebody of that role may do themselves, in the console, what a scope lets programs do: webhooks are for admins alone. */
export function isWithinRights(scope: string, role: 'admin' | 'agent'): boolean {
  return role === 'admin' || scope !== 'webhooks:manage'
}

/** Whether `text` is one of the eight. */
export function isScope(text: string): text is Scope {
  return (scopes as readonly string[]).includes(text)
}
