import { type App, createApp } from '../../../src/app.ts'
import type { TestApp } from '../app.ts'

/** A route as the app has it. */
export interface Route {
  method: string
  /** `/v1/contacts/:id`. */
  path: string
  /** What a key needs for it; `none` where any key will do. */
  scope: string
  takesBody: boolean
}

/** Every route under `/v1`: tests that go over this list cannot forget a new one. */
export function apiRoutes({ deps }: TestApp): Route[] {
  return createApp(deps)
    .routes.filter(({ path }) => path.startsWith('/v1'))
    .map(({ method, path, hooks }) => ({
      method,
      path: path.replace(/(?<=.)\/$/, ''),
      scope: (hooks.detail as Record<string, string> | undefined)?.['x-scope'] ?? '',
      takesBody: Object.keys(hooks.body?.properties ?? {}).length > 0,
    }))
}

/** Every route of the service, those of rooms too that are loaded when they are first asked for. */
export async function allRoutes(app: App) {
  const found: App['routes'] = []
  const rooms = new Set<() => Promise<App>>()
  for (const route of app.routes) {
    const leadsTo = (route.hooks.detail as { 'x-leads-to'?: () => Promise<App> } | undefined)?.['x-leads-to']
    if (leadsTo) rooms.add(leadsTo)
    else found.push(route)
  }
  for (const room of rooms) found.push(...(await room()).routes)
  return found
}

/** `GET /v1/contacts/:id`, as a test's name. */
export function nameOf({ method, path }: Route): string {
  return `${method} ${path}`
}

/** The ids in a path, by what stands before them: `{ contacts: '…' }`. */
export type PathIds = Readonly<Record<string, string>>

/** The path with ids in the place of parameters. */
export function pathWith(path: string, ids: PathIds): string {
  return path.replace(/([\w-]+)\/:(\w+)/g, (_, owner, name) => {
    const id = ids[owner]
    if (id === undefined)
      throw new Error(`no ${owner} id for :${name} of ${path}: add one to test/support/api/furnished.ts`)
    return `${owner}/${encodeURIComponent(id)}`
  })
}

/** The same kind of id wherever one is needed. */
export function idsOf(make: (owner: string) => string): PathIds {
  return new Proxy({}, { get: (_, owner) => make(String(owner)) })
}

/** Whether a path names its record by what it is, so that one that is not there is made: no id, and no 404. */
export function makesItsRecord({ path }: Pick<Route, 'path'>): boolean {
  return path.includes('/by-email/')
}

/** Well-formed ids of nothing. */
export function randomIds(): PathIds {
  return idsOf((owner) => (owner === 'articles' ? `slug-${crypto.randomUUID()}` : Bun.randomUUIDv7()))
}

/** A body and a type that are refused wherever they are looked at. */
export function hopeless({ method }: Route): { body?: string; headers?: Record<string, string> } {
  return method === 'GET' ? {} : { body: '{"broken', headers: { 'content-type': 'text/nothing' } }
}

/** What the ids in a path belong to: `['forms', 'responses']`. */
export function idsIn(path: string): string[] {
  return [...path.matchAll(/([\w-]+)\/:\w+/g)].map(([, owner]) => owner as string)
}
