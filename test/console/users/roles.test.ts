import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { asc } from 'drizzle-orm'
import { createApp } from '../../../src/app.ts'
import { createCategory } from '../../../src/articles/categories.ts'
import { saveDraft } from '../../../src/articles/drafts.ts'
import { setLanguages } from '../../../src/articles/sources.ts'
import { callerFor } from '../../../src/caller.ts'
import { customFields, messages, oauthGrants, passkeys, receivedMails, sessions } from '../../../src/db/schema.ts'
import { createPromise } from '../../../src/promises/operations.ts'
import { parsePromise } from '../../../src/promises/parse.ts'
import { addReportMail, listReportMails } from '../../../src/reports/mails/subscriptions.ts'
import { createRule } from '../../../src/rules/operations.ts'
import { createTag } from '../../../src/tags/operations.ts'
import { createTeam } from '../../../src/teams/operations.ts'
import { addView } from '../../../src/tickets/inbox/views.ts'
import { addCannedReply } from '../../../src/tickets/writing/canned-replies.ts'
import { allowClient } from '../../../src/users/oauth/grants.ts'
import { type Furnished, furnish } from '../../support/api/furnished.ts'
import { allRoutes, type PathIds, pathWith } from '../../support/api/routes.ts'
import { snapshot } from '../../support/api/snapshot.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { rawMail } from '../../support/mail/mails.ts'
import { ConsoleBrowser, signedIn } from '../../support/pages/console.ts'
import { pictures } from '../../support/pages/images.ts'
import { createTestAttachment, createTicket } from '../../support/tickets/tickets.ts'

/** Where passkeys and an identity provider are, so that their pages are, too. */
const app: TestApp = await startApp({
  environment: {
    FRONTDESK_PUBLIC_RATE_LIMIT: '100000',
    FRONTDESK_BASE_URL: 'https://desk.test',
    FRONTDESK_OIDC_ISSUER: 'https://login.acme.test',
    FRONTDESK_OIDC_CLIENT_ID: 'desk',
    FRONTDESK_OIDC_CLIENT_SECRET: 'secret',
  },
})

interface ConsoleRoute {
  method: string
  path: string
  /** Whom it is for, as it tells the guard; `anyone` needs no session. */
  role: 'admin' | 'agent' | 'anyone' | undefined
}

/** Every route of the console, but for files that all pages load. One for all methods is looked at by both. */
const routes: ConsoleRoute[] = (await allRoutes(createApp(app.deps)))
  .filter(({ path }) => /^\/console(\/(?!assets\/)|$)/.test(path))
  .flatMap(({ method, path, hooks }) =>
    (method === 'ALL' ? ['GET', 'POST'] : [method]).map((one) => ({
      method: one,
      path,
      role: (hooks.detail as Record<string, ConsoleRoute['role']> | undefined)?.['x-console'],
    })),
  )
const table = routes.map((route) => [`${route.method} ${route.path}`, route] as const)
const guarded = table.filter(([, { role }]) => role !== 'anyone')
const changes = guarded.filter(([, { method, path }]) => method === 'POST' && !path.endsWith('*'))
const pages = guarded.filter(([, { method }]) => method === 'GET')

let acme: Furnished
let admin: Awaited<ReturnType<typeof signedIn>>
let agent: Awaited<ReturnType<typeof signedIn>>
let intruder: Awaited<ReturnType<typeof signedIn>>
let ids: PathIds

beforeAll(async () => {
  const tenant = await app.createTenant()
  acme = await furnish(tenant)
  admin = await signedIn(app, tenant, 'admin')
  agent = await signedIn(app, tenant, 'agent')
  intruder = await signedIn(app, await app.createTenant('Other'), 'admin')
  ids = {
    ...(await consoleIds(tenant)),
    ...(await workIds(tenant)),
    imports: await sendImport(agent),
    connections: await connection(),
  }
})
afterAll(() => app.close())

/** A program that the admin has let in. */
async function connection(): Promise<string> {
  const caller = callerFor({ type: 'user', name: 'Admin', ...admin.person }, app.clock.now(), null)
  const client = { name: 'Agent', redirectUris: ['https://agent.test/'] }
  const asked = { clientId: 'agent', client, redirectUri: 'https://agent.test/', codeChallenge: '-' }
  const consent = { ...asked, sessionId: Bun.randomUUIDv7(), scopes: ['forms:read'] } as const
  await app.database.transaction((tx) => allowClient(tx, caller, consent))
  const [grant] = await app.database.db.select({ id: oauthGrants.id }).from(oauthGrants)
  return grant?.id as string
}

/** A file of contacts that waits for somebody to say what its columns are. */
async function sendImport(browser: ConsoleBrowser): Promise<string> {
  const body = new FormData()
  body.append('csrf', await browser.csrf())
  body.append('file', new File(['email\nada@acme.test\n'], 'people.csv', { type: 'text/csv' }))
  const { headers } = await browser.request('POST', '/console/contacts/imports', body)
  return headers.get('location')?.split('/').at(-1) as string
}

/** What people have made for their work in the inbox: the admin's own, and everybody's. */
async function workIds(tenant: TestTenant): Promise<PathIds> {
  const { userId } = admin.person
  const view = { name: 'Urgent', filters: 'priority=urgent' }
  const reply = { name: 'Hello', text: 'Hello {{contact.name}}' }
  const shared = await tenant.perform((tx, caller) => addCannedReply(tx, caller, null, reply))
  return {
    views: await tenant.perform((tx, caller) => addView(tx, caller, userId, view)),
    'shared-views': await tenant.perform((tx, caller) => addView(tx, caller, null, view)),
    'canned-replies': await tenant.perform((tx, caller) => addCannedReply(tx, caller, userId, reply)),
    'shared-canned-replies': shared,
    canned: shared,
    pictures: await pictureOf(tenant),
  }
}

/** A picture that came with a message. */
async function pictureOf(tenant: TestTenant): Promise<string> {
  const picture = await createTestAttachment(tenant, { fileName: 'a.png' }, new Uint8Array(pictures.png(4, 3)))
  await createTicket(tenant, { inboxId: acme.ids.inboxes as string, attachments: [picture] })
  return picture.id
}

/** A new article that somebody is writing. Returns the id of its draft. */
async function articleDraft(tenant: TestTenant): Promise<string> {
  const draft = Bun.randomUUIDv7()
  const writing = { slug: '', title: 'Warranty', content: '', format: 'markdown', canonicalUrl: '' } as const
  const from = { seen: { revision: 0, writer: '' }, newId: '' }
  await tenant.perform((tx, caller) => saveDraft(tx, caller, acme.ids.sources as string, { draft }, writing, from))
  return draft
}

/** A category of articles. Returns its id. */
async function articleCategory(tenant: TestTenant): Promise<string> {
  const make = (name: string) =>
    tenant.perform((tx, caller) => createCategory(tx, caller, acme.ids.sources as string, name))
  return (await make('Returns')).id
}

/** Has the articles translated. Returns the tag of a language. */
async function articleLanguage(tenant: TestTenant): Promise<string> {
  const into = { language: 'en', languages: ['de'] }
  await tenant.perform((tx, caller) => setLanguages(tx, caller, acme.ids.sources as string, into))
  return 'de'
}

/** What the company promises, and what it has done by itself. */
async function automationIds(tenant: TestTenant): Promise<PathIds> {
  const given = parsePromise({ name: 'All', targets: { urgent: { close: '8h' } } })
  const promise = await tenant.perform((tx, caller) => createPromise(tx, caller, given))
  const made = { name: 'Refunds', on: 'ticket.created', then: [{ do: 'stop' }] }
  const rule = await tenant.perform((tx, caller) => createRule(tx, caller, made))
  const mail = { user: tenant.userId, kind: 'week' }
  const reports = await tenant.perform(async (tx, caller) => {
    await addReportMail(tx, caller, mail)
    return (await listReportMails(tx, caller.tenantId))[0]?.id as string
  })
  return { promises: promise.id, rules: rule.id, reports }
}

/** A passkey of somebody, which nobody can sign in with. */
async function passkeyOf({ userId }: { userId: string }, tenant: TestTenant): Promise<string> {
  const { tenantId } = tenant
  const id = Bun.randomUUIDv7()
  const passkey = {
    tenantId,
    userId,
    id,
    name: 'Phone',
    publicKey: '',
    counter: 0,
    transports: [],
    createdAt: '2026-01-01T00:00:00.000Z',
  }
  await tenant.perform((tx) => tx.insert(passkeys).values(passkey))
  return id
}

/** What the console's paths name, besides what the API's do. */
async function consoleIds(tenant: TestTenant): Promise<PathIds> {
  const { inbox_id: inboxId } = acme.references as Record<string, string>
  const inbox = { tenantId: tenant.tenantId, id: inboxId as string }
  await tenant.receive({ raw: rawMail({ from: 'Eve <eve@furnished.test>', headers: { From: null } }), inbox })
  const { db } = app.database
  const mails = await db.select().from(receivedMails)
  const [message] = await db.select().from(messages).orderBy(asc(messages.id))
  const [field] = await db.select().from(customFields)
  const [session] = await db.select().from(sessions).orderBy(asc(sessions.id))
  const form = await tenant.get(`/v1/forms/${acme.ids.forms}`)
  const tag = await tenant.perform((tx, caller) => createTag(tx, caller, { name: 'of the console' }))
  const team = await tenant.perform((tx, caller) => createTeam(tx, caller, { name: 'Of the console' }))
  return {
    ...acme.ids,
    articles: acme.ids.sources as string,
    new: acme.ids.sources as string,
    edit: 'returns',
    drafts: await articleDraft(tenant),
    categories: await articleCategory(tenant),
    delete: 'returns',
    in: await articleLanguage(tenant),
    chats: acme.ids.sources as string,
    inboxes: inboxId as string,
    groups: acme.references.groupIds as string,
    fields: field?.id as string,
    keys: tenant.keyId,
    tags: tag.id,
    teams: team.id,
    hours: inboxId as string,
    ...(await automationIds(tenant)),
    workspaces: tenant.workspaceId,
    users: tenant.userId,
    passkeys: await passkeyOf(admin.person, tenant),
    messages: message?.id as string,
    tickets: message?.ticketId as string,
    sessions: session?.id as string,
    quarantine: mails.find(({ outcome }) => outcome === 'quarantined')?.id as string,
    results: String(form.body.pages[0].questions[0].id),
    pages: String(form.body.pages[0].id),
    questions: String(form.body.pages[0].questions[0].id),
    languages: 'de',
    ends: '0',
  }
}

/** Of the furnished tenant's own records. */
const pathOf = ({ path }: ConsoleRoute) => pathWith(path, ids).replace('*', 'nothing')
const namesSomething = ({ path }: ConsoleRoute) => /[:*]/.test(path)

/** Asks for a page, or sends its form with nothing but the token, or as a script would where that is what is taken. */
async function visit(browser: ConsoleBrowser, route: ConsoleRoute, headers: Record<string, string> = {}) {
  if (route.method === 'GET') return browser.get(pathOf(route), headers)
  const csrf = headers['x-csrf-token'] ?? (await browser.csrf())
  const answer = await browser.post(pathOf(route), { csrf }, { 'x-csrf-token': csrf, ...headers })
  if (!answer.headers.get('content-type')?.includes('json')) return answer
  const json = { 'content-type': 'application/json', 'x-csrf-token': csrf, ...headers }
  return browser.request('POST', pathOf(route), '{}', json)
}

/** That somebody's data left the house is in the audit log, though nothing was changed. */
const isExport = ({ path }: ConsoleRoute) => /\/export(\.\w+)?$/.test(path)

async function withoutTrace(work: () => Promise<void>): Promise<void> {
  const before = await snapshot(app)
  await work()
  expect(await snapshot(app)).toEqual(before)
}

describe('every route of the console', () => {
  test('names whom it is for', () => {
    expect(routes.length).toBeGreaterThan(100)
    expect(routes.filter(({ role }) => !['admin', 'agent', 'anyone'].includes(role ?? ''))).toEqual([])
  })

  test('that needs no session belongs to the sign-in', () => {
    for (const { path, role } of routes) {
      expect([path, role === 'anyone']).toEqual([path, /^\/console\/(sign-in|password)(\/|$)/.test(path)])
    }
  })

  test('of what is the admins’ is for admins alone', () => {
    for (const { path, role } of routes) {
      const isTheirs = /^\/console\/(keys|webhooks|users|settings|audit)(\/|$)/.test(path)
      if (isTheirs) expect([path, role]).toEqual([path, 'admin'])
    }
  })

  test.each(guarded)('%s leads those without a session to the sign-in, and does nothing', async (_, route) => {
    await withoutTrace(async () => {
      const stranger = new ConsoleBrowser(app)
      for (const headers of [{}, { cookie: `frontdesk_session=${'x'.repeat(43)}` }] as Record<string, string>[]) {
        const body = route.method === 'GET' ? undefined : new URLSearchParams({ csrf: 'x' })
        const answer = await stranger.request(route.method, pathOf(route), body, headers)
        expect([answer.status, answer.text]).toEqual([303, ''])
        expect(answer.headers.get('location')).toMatch(/^\/console\/sign-in(\?next=%2Fconsole%2F[^&]*)?$/)
      }
    })
  })

  test.each(guarded)('%s treats a key of the API as nobody', async (_, route) => {
    const answer = await app.request(route.method, pathOf(route), { key: acme.tenant.key })
    expect([answer.status, answer.text]).toEqual([303, ''])
  })

  test.each(guarded.filter(([, { role }]) => role === 'admin'))(
    '%s is a 403 for an agent, and does nothing',
    async (_, route) => {
      await withoutTrace(async () => {
        const answer = await visit(agent, route)
        expect([answer.status, answer.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8'])
        expect(answer.text).toContain('Only admins can do this')
      })
    },
  )

  test.each(guarded.filter(([name, route]) => namesSomething(route) && !name.endsWith('/sign-out')))(
    '%s is a 404 for another tenant’s admin, and does nothing',
    async (_, route) => {
      await withoutTrace(async () => {
        const answer = await visit(intruder, route)
        expect(answer.status).toBe(404)
        expect(answer.text).not.toMatch(/furnished|Grace|Returns/)
      })
    },
  )

  test.each(pages.filter(([, { path }]) => !path.endsWith('/events')))(
    '%s shows its tenant’s own, changes nothing, and answers HEAD alike without a body',
    async (name, route) => {
      const looking = isExport(route) ? (work: () => Promise<void>) => work() : withoutTrace
      await looking(async () => {
        const answer = await visit(admin, route)
        const isThere =
          answer.status < 400 || /\*$|\/callback$|\/authorize$|\/(logo|cover|backgroundImage|fontFile)$/.test(name)
        expect([name, answer.status, isThere]).toEqual([name, answer.status, true])
        expect(answer.status).toBeLessThan(500)
        const head = await admin.request('HEAD', pathOf(route))
        expect([head.status, head.text]).toEqual([answer.status, ''])
        for (const header of ['content-type', 'location', 'cache-control', 'content-security-policy']) {
          expect(head.headers.get(header)).toBe(answer.headers.get(header))
        }
      })
    },
  )

  test.each(pages.filter(([, { path }]) => path.endsWith('/events')))(
    '%s is a stream, which HEAD does not wait for',
    async (_, route) => {
      const head = await admin.request('HEAD', pathOf(route))
      expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    },
  )

  test.each(changes)('%s takes no form of another session or site', async (_, route) => {
    const own = route.role === 'admin' ? admin : agent
    const right = await own.csrf()
    const others = await (own === admin ? agent : admin).csrf()
    await withoutTrace(async () => {
      for (const csrf of ['', others, 'x'.repeat(86)]) {
        expect([csrf, (await visit(own, route, { 'x-csrf-token': csrf })).status]).toEqual([csrf, 403])
      }
      for (const headers of [{ origin: 'https://evil.test' }, { 'sec-fetch-site': 'same-site' }] as Record<
        string,
        string
      >[]) {
        expect((await visit(own, route, { 'x-csrf-token': right, ...headers })).status).toBe(403)
      }
    })
  })

  test.each(pages.filter(([, route]) => !namesSomething(route) && !route.path.endsWith('/events')))(
    '%s is a page that no other site frames and no cache keeps',
    async (_, route) => {
      const answer = await visit(admin, route)
      expect(answer.headers.get('cache-control')).toBe('no-store')
      if (answer.status !== 200) return
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    },
  )
})

test.each(['admin', 'agent'] as const)('a session of an %s that was revoked is none, on any route', async (role) => {
  const gone = await signedIn(app, acme.tenant, role)
  const token = gone.cookies.get('frontdesk_session') as string
  const csrf = await gone.csrf()
  await gone.post('/console/sign-out')
  gone.cookies.set('frontdesk_session', token)
  await withoutTrace(async () => {
    for (const [name, route] of guarded) {
      expect([name, (await visit(gone, route, { 'x-csrf-token': csrf })).status]).toEqual([name, 303])
    }
  })
})
