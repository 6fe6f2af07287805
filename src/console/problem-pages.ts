import { html, type Markup } from '../lib/html/markup.ts'
import type { OpenVisit, PageContent, Problem, View, Visit } from './visit.ts'

/* Pages that say why there is no page. */

function plain(view: View, status: number, title: string, why: string | Markup): PageContent {
  const { say } = view.wording
  return {
    title,
    status,
    width: 'narrow',
    body: html`<h1>${title}</h1><p>${why}</p><p><a href="${view.href('/console')}">${say('backToStart')}</a></p>`,
  }
}

export function notFound(visit: OpenVisit): PageContent {
  const { say } = visit.wording
  return plain(visit, 404, say('notFound'), say('notFoundWhy'))
}

export function forbidden(visit: Visit): PageContent {
  const { say } = visit.wording
  return plain(visit, 403, say('forbidden'), say('forbiddenWhy', { tenant: visit.session.tenantName }))
}

export function foreignForm(visit: OpenVisit): PageContent {
  const { say } = visit.wording
  return plain(visit, 403, say('foreignForm'), say('foreignFormWhy'))
}

/** What an operation refused, where the form's own page cannot say it. */
export function refused(visit: OpenVisit, problem: Problem): PageContent {
  return plain(visit, 400, visit.wording.say('refused'), problem.text)
}

/** `wait` in seconds. */
export function tooMany(visit: OpenVisit, wait: number): PageContent {
  const { say } = visit.wording
  return plain(visit, 429, say('tooMany'), say('tooManyWhy', { count: Math.max(1, Math.ceil(wait / 60)) }))
}

export function unavailable(visit: OpenVisit): PageContent {
  const { say } = visit.wording
  return plain(visit, 503, say('unavailable'), say('unavailableWhy'))
}

/** A fault of ours: the log says more under the request's id. */
export function failed(visit: OpenVisit, requestId: string): PageContent {
  const { say } = visit.wording
  return plain(visit, 500, say('failed'), say('failedWhy', { request: requestId }))
}
