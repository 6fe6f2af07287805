import type { Activity } from '../lib/loop/activity.ts'
import type { Refusal } from '../ports/meter.ts'
import { findContext } from './context.ts'

/** The methods that a request is told by; all others are `other`, since a stranger may make one up. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** A request while it is answered, for the log: by its route's pattern, since a path may hold what people wrote. */
export class RequestActivity implements Activity {
  constructor(private readonly request: Request) {}

  get name(): string {
    const { method } = this.request
    const known = (METHODS as readonly string[]).includes(method) ? method : 'a request to'
    return `${known} ${routeOf(this.request) ?? 'no route'}`
  }
}

/** The pattern of the route that answers a request; undefined where there is none, or it was refused before one was looked for. */
export function routeOf(request: Request): string | undefined {
  return findContext(request)?.route
}

const byStatus: Readonly<Record<number, Refusal>> = {
  400: 'invalid_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  413: 'too_large',
  422: 'unprocessable',
  429: 'too_soon',
  503: 'unavailable',
}

/** Why a request that is answered with this status was refused; null where that is no refusal but a fault. */
export function refusalOf(request: Request, status: number): Refusal | null {
  return findContext(request)?.refused ?? byStatus[status] ?? (status < 500 ? 'other' : null)
}
