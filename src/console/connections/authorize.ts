import { isWithinRights, type Scope } from '../../kinds/scopes.ts'
import { html } from '../../lib/html/markup.ts'
import { allowClient } from '../../users/oauth/grants.ts'
import { pageHead } from '../components/display.ts'
import { button, buttons, form } from '../components/forms.ts'
import type { FormFields } from '../form-fields.ts'
import type { Guard } from '../guard.ts'
import { scopeFields } from '../keys/scope-fields.ts'
import { type Again, Departure, type PageContent, type Visit } from '../visit.ts'
import { type AuthorizationRequest, answerTo, authorizationRequest, type parameters } from './request.ts'

const PATH = '/console/authorize'

/** Where a program that takes no key leads somebody, to be let in (OAuth 2.1, decisions §23). */
export function authorizePages(add: Guard): void {
  const requestIn = (visit: Visit, sent?: FormFields) =>
    authorizationRequest(sent ? { getAll: (name) => sent.allOf(name) } : visit.query, visit.deps)

  add.page(PATH, {}, (visit) => {
    const request = requestIn(visit)
    return request ? consentPage(visit, request) : unknownPage(visit)
  })

  add.action(PATH, { again: (visit, again) => shownAgain(visit, again) }, async (visit, sent) => {
    const request = requestIn(visit, sent)
    if (!request) return unknownPage(visit)
    const issuer = visit.deps.config.baseUrl
    if (sent.text('decision') !== 'allow') return new Departure(answerTo(request, issuer, { error: 'access_denied' }))
    const ticked = sent.texts('scopes')
    const scopes = offeredTo(visit, request).filter((scope) => ticked.includes(scope))
    const { clientId, client, redirectUri, codeChallenge } = request
    const sessionId = visit.session.id
    const code = await visit.change((tx, caller) =>
      allowClient(tx, caller, { sessionId, clientId, client, redirectUri, codeChallenge, scopes }),
    )
    return new Departure(answerTo(request, issuer, { code }))
  })

  function shownAgain(visit: Visit, again: Again): PageContent {
    const request = requestIn(visit, again.form)
    return request ? consentPage(visit, request, again) : unknownPage(visit)
  }
}

/** What can be allowed: what was asked for, as far as somebody may do it themselves. */
function offeredTo({ principal }: Visit, { scopes }: AuthorizationRequest): readonly Scope[] {
  return scopes.filter((scope) => isWithinRights(scope, principal.role))
}

function consentPage(visit: Visit, request: AuthorizationRequest, again?: Again): PageContent {
  const { say } = visit.wording
  const { client, redirectUri } = request
  const offered = offeredTo(visit, request)
  const { tenantName, email } = visit.session
  return {
    title: say('authorizeTitle'),
    width: 'narrow',
    // Browsers look at where the form's answer leads on, too.
    policy: { 'form-action': `'self' ${sourceOf(redirectUri)}` },
    body: html`${pageHead(say('authorizeTitle'))}
<p>${say('authorizeAsks', { client: client.name, email, tenant: tenantName })}</p>
<p>${say('authorizeLeads')} <code dir="ltr">${placeOf(redirectUri)}</code></p>
<p class="help">${say('authorizeWarning')}</p>
${form(visit, { action: PATH }, [
  carried(request),
  scopeFields(visit, again, offered, { offered, legend: say('authorizeScopes'), help: say('authorizeScopesHelp') }),
  buttons(
    button(say('authorizeAllow'), { name: 'decision', value: 'allow' }),
    button(say('authorizeDeny'), { kind: 'secondary', name: 'decision', value: 'deny' }),
  ),
])}`,
  }
}

/** What the form sends back, to be looked at anew. */
function carried(request: AuthorizationRequest) {
  const values: Record<keyof typeof parameters, string> = {
    response_type: 'code',
    client_id: request.clientId,
    redirect_uri: request.redirectUri,
    code_challenge: request.codeChallenge,
    code_challenge_method: 'S256',
    state: request.state,
    scope: request.scopes.join(' '),
    resource: '',
  }
  return Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
}

/** Where it leads, as far as people can tell by it whose it is. */
function placeOf(uri: string): string {
  const { protocol, host } = new URL(uri)
  return protocol === 'https:' ? host : `${protocol}//${host}`
}

function sourceOf(uri: string): string {
  const { protocol, host } = new URL(uri)
  return protocol === 'https:' || protocol === 'http:' ? `${protocol}//${host}` : protocol
}

function unknownPage(visit: Visit): PageContent {
  const { say } = visit.wording
  return {
    title: say('authorizeUnknownTitle'),
    status: 400,
    width: 'narrow',
    body: html`${pageHead(say('authorizeUnknownTitle'))}<p>${say('authorizeUnknown')}</p>`,
  }
}
