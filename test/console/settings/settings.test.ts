import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { listSources } from '../../../src/articles/sources.ts'
import { changeSettings } from '../../../src/forms/settings/operations.ts'
import { listInboxes } from '../../../src/inboxes/operations.ts'
import { getChatSettings } from '../../../src/livechat/settings.ts'
import { getTenantSettings, listWorkspaces } from '../../../src/tenants/operations.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { createTestSource } from '../../support/chat/articles.ts'
import { createPublished } from '../../support/forms/collecting.ts'
import { signedIn } from '../../support/pages/console.ts'
import { problemOn } from '../../support/pages/problem.ts'
import { createTicket } from '../../support/tickets/tickets.ts'

const HOSTILE = '"><script>alert(1)</script>'

let app: TestApp
let acme: TestTenant
let admin: Awaited<ReturnType<typeof signedIn>>

beforeAll(async () => {
  app = await startApp()
})
beforeEach(async () => {
  app.clock.advance(3_600_000)
  acme = await app.createTenant()
  admin = await signedIn(app, acme)
})
afterAll(() => app.close())

const PATHS = ['', '/inboxes', '/chats', '/chats/new', '/workspaces'].map((path) => `/console/settings${path}`)

test('the settings are for admins alone, in parts that lead to one another', async () => {
  const agent = await signedIn(app, acme, 'agent')
  for (const path of PATHS) {
    expect([path, (await admin.get(path)).status, (await agent.get(path)).status]).toEqual([path, 200, 403])
  }
  const { text } = await admin.get('/console/settings/inboxes')
  expect(text).toMatch(/<a href="\/console\/settings\/inboxes" aria-current="page">Inboxes/)
  expect(text).toMatch(/<a href="\/console\/settings\/chats">Live chat/)
})

describe('an inbox', () => {
  const create = async () => {
    const answer = await admin.post('/console/settings/inboxes', {
      name: 'Support',
      channel: 'email',
      emailAddress: `help@${acme.tenantId}.test`,
    })
    return answer.headers.get('location')?.split('?')[0] as string
  }

  test('is renamed, archived, restored and deleted on its page, and the log says so', async () => {
    const path = await create()
    const saved = await admin.follow(
      await admin.post(path, { name: HOSTILE, emailAddress: `care@${acme.tenantId}.test` }),
    )
    expect(saved.text).toContain('The settings were saved.')
    expect(saved.text).not.toContain(HOSTILE)
    expect(saved.text).toContain(`value="care@${acme.tenantId}.test"`)
    await admin.post(path, { name: 'Care', emailAddress: `care@${acme.tenantId}.test` })
    const archived = await admin.follow(await admin.post(`${path}/archive`))
    expect(archived.text).toContain('The inbox Care was archived.')
    expect([archived.text.includes('/restore"'), archived.text.includes('/connect"')]).toEqual([true, false])
    expect((await admin.get('/console/settings/inboxes')).text).toContain('>Archived<')
    expect((await admin.follow(await admin.post(`${path}/restore`))).text).toContain('The inbox Care was restored.')
    await app.runDue()
    const log = (await admin.get('/console/audit?what=inbox')).text
    for (const did of ['Inbox: created', 'Inbox: changed', 'Inbox: archived', 'Inbox: restored']) {
      expect(log).toContain(did)
    }
    expect((await admin.follow(await admin.post(`${path}/delete`))).text).toContain('The inbox Care was deleted.')
    expect((await admin.get(path)).status).toBe(404)
  })

  test('that is changed in two tabs, or with a wrong address, is as it was, and what was typed comes again', async () => {
    const path = await create()
    const seen = /name="seen" value="([^"]*)"/.exec((await admin.get(path)).text)?.[1] as string
    const fields = { seen, name: 'Care', emailAddress: 'nonsense' }
    const wrong = await admin.post(path, fields)
    expect([wrong.status, wrong.text.includes('value="nonsense"')]).toEqual([400, true])
    const right = { ...fields, emailAddress: `care@${acme.tenantId}.test` }
    expect((await admin.post(path, right)).status).toBe(303)
    expect((await admin.post(path, { ...right, name: 'Late' })).status).toBe(409)
    expect((await listInboxes(app.database.db, acme.tenantId))[0]?.name).toBe('Care')
  })

  test('with tickets is not deleted, and says why; an agent changes nothing', async () => {
    await createTicket(acme)
    const [inbox] = await listInboxes(app.database.db, acme.tenantId)
    const path = `/console/settings/inboxes/${inbox?.id}`
    const refused = await admin.post(`${path}/delete`)
    expect([refused.status, refused.text.includes('Archive it instead.')]).toEqual([409, true])
    const agent = await signedIn(app, acme, 'agent')
    for (const under of ['', '/archive', '/restore', '/delete']) {
      expect((await agent.post(path + under, { name: 'Mine' })).status).toBe(403)
    }
    expect((await listInboxes(app.database.db, acme.tenantId))[0]).toMatchObject({ name: 'Support', archivedAt: null })
  })
})

describe('the company', () => {
  test('is renamed and speaks another language, wherever customers read it', async () => {
    const { launchCode: code } = await createPublished(acme, [{ type: 'nps' }])
    const before = await app.request('GET', `/f/${code}`)
    expect(before.text).toContain('<html lang="en"')
    const answer = await admin.post('/console/settings', { name: '  Äcme & Söhne ', language: 'de' })
    const page = await admin.follow(answer)
    expect(page.text).toContain('Die Einstellungen wurden gespeichert.')
    expect(page.text).toContain('value="Äcme &amp; Söhne"')
    expect(page.text).toContain('<option value="de" selected>Deutsch</option>')
    expect((await app.request('GET', `/f/${code}`)).text).toContain('<html lang="de"')
    await admin.post('/console/settings', { name: 'Acme', language: '' })
    expect((await app.request('GET', `/f/${code}`)).text).toContain('<html lang="en"')
    await app.runDue()
    const log = await admin.get('/console/audit?what=tenant')
    expect(log.text).toContain('Company: changed')
  })

  test('has a colour, which forms and chats have that choose none', async () => {
    const { launchCode: code, id: formId } = await createPublished(acme, [{ type: 'nps' }])
    const { id } = await createTestSource(acme)
    const colours = async () => {
      const [form, chat] = await Promise.all([app.request('GET', `/f/${code}`), app.request('GET', `/chat/${id}`)])
      return [form, chat].map(({ text }) => /--accent:(#[0-9a-f]{6})/.exec(text)?.[1] ?? null)
    }
    expect(await colours()).toEqual([null, null])
    const answer = await admin.post('/console/settings', { name: 'Acme', language: '', accent: ' #063D29 ' })
    expect((await admin.follow(answer)).text).toContain('value="#063d29"')
    expect(await colours()).toEqual(['#063d29', '#063d29'])
    await acme.perform((tx, caller) => changeSettings(tx, caller, formId, { accent: '#5d0a3a' }))
    await admin.post(`/console/settings/chats/${id}`, { accent: '#5d0a3a' })
    expect(await colours()).toEqual(['#5d0a3a', '#5d0a3a'])
    await acme.perform((tx, caller) => changeSettings(tx, caller, formId, { accent: null }))
    await admin.post('/console/settings', { name: 'Acme', language: '', accent: '' })
    expect(await colours()).toEqual([null, '#5d0a3a'])
  })

  test('that two people change: the second is told, and can still have it as they wrote it', async () => {
    const seenIn = async (path: string) => /name="seen" value="(\w+)"/.exec((await admin.get(path)).text)?.[1] as string
    const seen = await seenIn('/console/settings')
    await admin.post('/console/settings', { name: 'Acme One', language: '', seen })
    const second = await admin.post('/console/settings', { name: 'Acme Two', language: '', seen })
    expect([second.status, second.text.includes('Somebody else changed these settings meanwhile.')]).toEqual([
      409,
      true,
    ])
    expect(second.text).toContain('value="Acme Two"')
    expect((await getTenantSettings(app.database.db, acme.tenantId)).name).toBe('Acme One')
    const next = /name="seen" value="(\w+)"/.exec(second.text)?.[1] as string
    expect((await admin.post('/console/settings', { name: 'Acme Two', language: '', seen: next })).status).toBe(303)
    const { id } = await createTestSource(acme)
    const path = `/console/settings/chats/${id}`
    const chat = await seenIn(path)
    await admin.post(path, { awayText: 'One', seen: chat })
    expect((await admin.post(path, { awayText: 'Two', seen: chat })).status).toBe(409)
    expect((await getChatSettings(app.database.db, acme.tenantId, id)).awayText).toBe('One')
  })

  test.each([
    [{ name: 'Acme', language: '', accent: 'green' }, 'accent', 'Must be a colour such as #0a7d4f.'],
    [{ name: ' ', language: 'de' }, 'name', 'Must be 1 to 255 characters.'],
    [{ name: 'x'.repeat(256), language: '' }, 'name', 'Must be 1 to 255 characters.'],
    [{ name: 'Acme', language: 'not a language' }, 'language', 'Must be a language tag'],
  ])('refuses what is no name, language or colour beside it', async (fields, name, text) => {
    const answer = await admin.post('/console/settings', fields)
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(`<p class="error" id="field-${name}-error">${text}`)
    expect((await admin.get('/console/settings')).text).toContain('value="Acme"')
  })
})

describe('workspaces', () => {
  const PATH = '/console/settings/workspaces'
  const names = async () => (await listWorkspaces(app.database.db, acme.tenantId)).map(({ name }) => name)

  test('are listed, made and renamed, which is in the audit log', async () => {
    expect((await admin.get(PATH)).text).toContain('value="Main"')
    const made = await admin.follow(await admin.post(PATH, { name: HOSTILE }))
    expect(made.text).not.toContain('<script>')
    const renamed = await admin.post(`${PATH}/${acme.workspaceId}`, { name: 'Head office', before: 'Main' })
    expect((await admin.follow(renamed)).text).toContain('The settings were saved.')
    expect(await names()).toEqual([HOSTILE, 'Head office'])
    await app.runDue()
    const log = await admin.get('/console/audit?what=workspace')
    expect(log.text).toContain('Workspace: created')
    expect(log.text).toContain('Workspace: changed')
  })

  test('that two people rename: the second is told, and nothing is lost', async () => {
    await admin.post(`${PATH}/${acme.workspaceId}`, { name: 'Head office', before: 'Main' })
    const second = await admin.post(`${PATH}/${acme.workspaceId}`, { name: 'Office', before: 'Main' })
    expect(second.status).toBe(409)
    expect(second.text).toContain('Somebody else renamed it to Head office meanwhile.')
    expect(second.text).toContain('value="Office"')
    expect(second.text).toContain('name="before" value="Head office"')
    expect(await names()).toEqual(['Head office'])
  })

  test('are refused without a name, beside the field, and unknown where they are another tenant’s', async () => {
    const answer = await admin.post(`${PATH}/${acme.workspaceId}`, { name: ' ', before: 'Main' })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('id="field-name-error">Must be 1 to 255 characters.')
    expect((await admin.post(PATH, { name: '' })).status).toBe(400)
    const others = await app.createTenant()
    const foreign = await admin.post(`${PATH}/${others.workspaceId}`, { name: 'Mine', before: 'Main' })
    expect(foreign.status).toBe(404)
    expect(await names()).toEqual(['Main'])
  })
})

describe('inboxes', () => {
  test('are created and listed with their channel, address and connection', async () => {
    const { text: empty } = await admin.get('/console/settings/inboxes')
    expect(empty).toContain('There are no inboxes yet.')
    // Of email inboxes it is needed, and chats have none: neither is said of it.
    expect(empty).toMatch(/<label for="field-emailAddress">[^<]+<\/label><input(?![^>]* required)/)
    const address = `help@${acme.tenantId}.test`
    const mail = await admin.post('/console/settings/inboxes', {
      name: 'Help',
      channel: 'email',
      emailAddress: ` ${address.toUpperCase()} `,
    })
    expect((await admin.follow(mail)).text).toContain('The inbox Help was created.')
    await admin.post('/console/settings/inboxes', { name: HOSTILE, channel: 'livechat', emailAddress: '' })
    const { text } = await admin.get('/console/settings/inboxes')
    const plain = text.replace(/ data-label="[^"]*"/g, '')
    expect(plain).toContain(`${address}</span></td><td><span class="badge neutral">Not connected</span></td>`)
    expect(plain).toContain('<td>Live chat</td><td>–</td><td>–</td>')
    expect(text).not.toContain('<script>')
    const others = await signedIn(app, await app.createTenant())
    expect((await others.get('/console/settings/inboxes')).text).not.toContain(address)
  })

  test.each([
    [{ name: '', channel: 'livechat' }, 400, 'Must be 1 to 255 characters.'],
    [{ name: 'Help', channel: 'email' }, 400, 'An email inbox needs an address.'],
    [{ name: 'Help', channel: 'email', emailAddress: 'nobody' }, 400, 'An email inbox needs an address.'],
    [{ name: 'Chat', channel: 'livechat', emailAddress: 'a@b.test' }, 400, 'Only email inboxes have an address.'],
    [{ name: 'Chat', channel: 'pigeon' }, 400, 'Must be one of'],
  ])('are refused with the reason, and nothing is made: %j', async (fields, status, text) => {
    const answer = await admin.post('/console/settings/inboxes', fields)
    expect([answer.status, answer.text.includes(text)]).toEqual([status, true])
    expect(await listInboxes(app.database.db, acme.tenantId)).toEqual([])
  })

  test('have an address of their own, over all tenants', async () => {
    const fields = { name: 'Help', channel: 'email', emailAddress: `taken@${acme.tenantId}.test` }
    await admin.post('/console/settings/inboxes', fields)
    const others = await signedIn(app, await app.createTenant())
    const answer = await others.post('/console/settings/inboxes', fields)
    expect([answer.status, answer.text.includes('There is an inbox with this address already.')]).toEqual([409, true])
  })
})

describe('live chats', () => {
  test('need an inbox, and come with the code for a site, which works', async () => {
    expect((await admin.get('/console/settings/chats/new')).text).toContain('A live chat needs an inbox')
    await admin.post('/console/settings/inboxes', { name: 'Chats', channel: 'livechat' })
    const [inbox] = await listInboxes(app.database.db, acme.tenantId)
    expect((await admin.get('/console/settings/chats/new')).text).toContain(`<option value="${inbox?.id}">Chats`)
    const answer = await admin.post('/console/settings/chats', { name: 'Shop', inboxId: inbox?.id as string })
    const page = await admin.follow(answer)
    expect(page.text).toContain('The live chat was created.')
    const code = /id="code" value="([^"]*)"/.exec(page.text)?.[1] ?? ''
    const address = /src=&quot;(http[^&]*)&quot;/.exec(code)?.[1] as string
    expect(code).toStartWith('&lt;script src=')
    const widget = await app.request('GET', new URL(address).pathname)
    expect([widget.status, widget.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
    const help = /href="(\/help\/[^"]+)"/.exec(page.text)?.[1] as string
    expect((await app.request('GET', help)).status).toBe(200)
    // The same script stands in this page: what it does is what a site gets.
    const preview = /<script src="([^"]+)" async>/.exec(page.text)?.[1] as string
    expect(preview).toStartWith(new URL(address).pathname)
    expect((await app.request('GET', preview)).text).toBe(widget.text)
    expect((await admin.get('/console/settings/chats')).text).toMatch(/>Shop<\/a><\/th><td[^>]*>Chats<\/td>/)
  })

  test('are refused without a name, and in an inbox that is not theirs', async () => {
    const others = await app.createTenant()
    const foreign = (await createTestSource(others)).inboxId
    for (const fields of [
      { name: 'Shop', inboxId: '' },
      { name: 'Shop', inboxId: foreign },
    ]) {
      expect((await admin.post('/console/settings/chats', fields)).status).toBe(400)
    }
    const { inboxId } = await createTestSource(acme)
    expect((await admin.post('/console/settings/chats', { name: ' ', inboxId })).status).toBe(400)
    expect(await listSources(app.database.db, acme.tenantId)).toHaveLength(1)
  })

  test('keep their settings, and clear what is emptied', async () => {
    const { id } = await createTestSource(acme)
    const path = `/console/settings/chats/${id}`
    const fields = {
      origins: 'https://www.acme.test\nhttps://shop.acme.test',
      hours: 'mon-fri 09:00-17:00 Europe/Berlin',
      awayText: HOSTILE,
      hidesWhenAway: 'on',
      accent: '#0A7D4F',
      language: 'de',
      emailInboxId: '',
    }
    expect((await admin.follow(await admin.post(path, fields))).text).toContain('The settings were saved.')
    expect(await getChatSettings(app.database.db, acme.tenantId, id)).toEqual({
      origins: ['https://www.acme.test', 'https://shop.acme.test'],
      hours: 'Mon-Fri 09:00-17:00 Europe/Berlin',
      awayText: HOSTILE,
      hidesWhenAway: true,
      accent: '#0a7d4f',
      language: 'de',
      emailInboxId: null,
    })
    const { text } = await admin.get(path)
    expect(text).toContain('>\nhttps://www.acme.test\nhttps://shop.acme.test</textarea>')
    expect(text).toContain('value="Mon-Fri 09:00-17:00 Europe/Berlin"')
    expect(text).toMatch(/name="hidesWhenAway" value="on" checked/)
    expect(text).not.toContain('<script>')
    await admin.post(path, {})
    expect(await getChatSettings(app.database.db, acme.tenantId, id)).toEqual({
      origins: null,
      hours: null,
      awayText: null,
      hidesWhenAway: false,
      accent: null,
      language: null,
      emailInboxId: null,
    })
  })

  test.each([
    ['origins', { origins: 'https://www.acme.test\nacme.test/path' }, 'Each line must be a site'],
    ['hours', { hours: 'whenever Europe/Berlin' }, 'Must be days, times and a time zone'],
    ['hours', { hours: 'Mon 09:00-17:00 Nowhere/Land' }, 'The last word must be a time zone'],
    ['hours', { hours: 'Mon 09:00-09:00 UTC' }, '09:00-09:00 ends when it begins.'],
    ['awayText', { awayText: 'x'.repeat(1001) }, 'Must be at most 1,000 characters.'],
    ['accent', { accent: 'green' }, 'Must be a colour'],
    ['language', { language: '!' }, 'Must be a language tag'],
    ['emailInboxId', { emailInboxId: 'nothing' }, 'There is no such inbox.'],
  ])('refuse bad %s beside it, and change nothing', async (name, fields, text) => {
    const { id } = await createTestSource(acme)
    const answer = await admin.post(`/console/settings/chats/${id}`, { awayText: 'Back soon', ...fields })
    expect(answer.status).toBe(400)
    expect(problemOn(answer.text)).toEqual([`field-${name}`, expect.stringContaining(`: ${text}`)])
    expect(answer.text).toContain(`id="field-${name}-error"`)
    expect((await getChatSettings(app.database.db, acme.tenantId, id)).awayText).toBeNull()
  })

  test('get a new secret, which is shown once', async () => {
    const { id } = await createTestSource(acme)
    const path = `/console/settings/chats/${id}`
    const made = await admin.post(`${path}/secret`)
    const secret = /value="(cs_[\w-]{43})" readonly/.exec(made.text)?.[1] as string
    expect([made.status, secret === undefined]).toEqual([200, false])
    expect((await admin.get(path)).text).not.toContain(secret)
    expect((await admin.post(`${path}/secret`)).text).not.toContain(secret)
  })

  test('of another tenant are unknown', async () => {
    const { id } = await createTestSource(await app.createTenant())
    const path = `/console/settings/chats/${id}`
    expect((await admin.get(path)).status).toBe(404)
    expect((await admin.post(path, { hours: 'nonsense' })).status).toBe(404)
    expect((await admin.post(`${path}/secret`)).status).toBe(404)
    expect((await admin.get('/console/settings/chats')).text).not.toContain(id)
  })
})
