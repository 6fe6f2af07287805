import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { users } from '../../src/db/schema.ts'
import { problem } from '../support/api/problem.ts'
import { openDataOf, testOfSqlite } from '../support/data/postgres.ts'
import { png } from '../support/forms/hosted.ts'
import {
  emptyFolder,
  executable,
  type Program,
  type Running,
  record,
  run,
  serve,
} from '../support/processes/program.ts'

const USER = ['user', 'create', '--role', 'agent', '--email', 'c@acme.test']

async function passwordHashOf(cwd: string, userId: string): Promise<string> {
  const database = await openDataOf(join(cwd, 'data'))
  const [user] = await database.db.select({ hash: users.passwordHash }).from(users).where(eq(users.id, userId))
  await database.close()
  return user?.hash ?? ''
}

describe('beside a running server', () => {
  let program: Program
  const cwd = emptyFolder()
  let service: Running
  let tenantId: string
  beforeAll(async () => {
    program = await executable()
    service = await serve(program, { cwd })
    tenantId = (await record(program, ['tenant', 'create', '--name', 'Acme'], { cwd })).tenantId
  })
  afterAll(() => service.stop())

  const environment = { FRONTDESK_BASE_URL: 'https://desk.acme.test' }
  const command = (...args: string[]) => record(program, [...args, '--tenant', tenantId], { cwd, environment })
  const get = (path: string, key: string) => fetch(service.url + path, { headers: { authorization: `Bearer ${key}` } })

  test('a key works as soon as it is made, and no longer once it is revoked', async () => {
    const { keyId, key } = await command('key', 'create', '--name', 'CRM', '--scopes', 'contacts:read')
    const me = await get('/v1/me', key)
    expect(await me.json()).toEqual({ keyId, keyName: 'CRM', tenantId, scopes: ['contacts:read'] })
    const revoked = await command('key', 'revoke', '--key', keyId)
    expect(revoked).toMatchObject({ keyId, revokedAt: expect.any(String) })
    expect((await get('/v1/me', key)).status).toBe(401)
    expect(await command('key', 'list')).toEqual([revoked])
  })

  test('an organisation and a group made by command are listed', async () => {
    const organisation = await command('organisation', 'create', '--name', 'Acme', '--domain', 'ACME.test')
    const group = await command('group', 'create', '--name', 'News', '--consent-wording', 'Monthly news')
    const { key } = await command('key', 'create', '--name', 'all', '--scopes', 'contacts:read')
    expect((await (await get('/v1/organisations', key)).json()).items).toEqual([organisation])
    expect((await (await get('/v1/groups', key)).json()).items).toEqual([group])
    expect(organisation).toMatchObject({ domain: 'acme.test', contactCount: 0 })
    expect(group).toMatchObject({ id: 1, consentWording: 'Monthly news' })
  })

  test('inboxes, sources, tickets and notes made by command are served, the note to nobody', async () => {
    const { key } = await command('key', 'create', '--name', 'all', '--scopes', 'tickets:read')
    const email = await command('inbox', 'create', '--name', 'Help', '--channel', 'email', '--address', 'H@acme.test')
    const chat = await command('inbox', 'create', '--name', 'Chat', '--channel', 'livechat')
    // The API does not tell what is archived: the command does.
    const served = [email, chat].map(({ archivedAt: _, ...inbox }) => inbox)
    expect((await (await get('/v1/inboxes', key)).json()).items).toContainAllValues(served)
    const source = await command('source', 'create', '--name', 'Manual', '--inbox', chat.id)
    const { id, name, inboxId, createdAt } = source
    expect((await (await get('/v1/livechat/sources', key)).json()).items).toEqual([{ id, name, inboxId, createdAt }])

    const message = ['--email', 'ada@acme.test', '--name', 'Ada', '--subject', 'Refund?', '--text', 'Where is it?']
    const made = await command('ticket', 'create', '--inbox', email.id, ...message)
    const ticketId = expect.any(String)
    expect(made).toEqual({ id: ticketId, ticketId, ticketReference: expect.stringMatching(/^T-\d+$/) })
    const note = await command('ticket', 'note', '--ticket', made.ticketId, '--text', 'VIP')
    expect(note).toEqual({ messageId: expect.any(String) })
    const ticket = await (await get(`/v1/tickets/${made.ticketId}`, key)).json()
    expect(ticket).toMatchObject({ subject: 'Refund?', channel: 'email', messageCount: 1, excerpt: 'Where is it?' })
    expect(ticket.messages).toHaveLength(1)
  })

  test('a form is published, closed and trashed by command', async () => {
    await command('user', 'create', '--email', `${tenantId}@acme.test`, '--role', 'admin', '--billable')
    const { key } = await command('key', 'create', '--name', 'f', '--scopes', 'forms:read,forms:write')
    const created = await fetch(`${service.url}/v1/forms`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'Poll' }),
    })
    const { id } = (await created.json()) as { id: string }
    const item = async () => ((await (await get('/v1/forms', key)).json()) as { items: unknown[] }).items
    const published = await command('form', 'publish', '--form', id)
    const { launchCode, url, ...listed } = published
    expect(listed).toMatchObject({ id, status: 'active', publishedAt: expect.any(String) })
    expect(await item()).toEqual([listed])
    // That of the service, whatever the command's own settings say.
    expect(url).toBe(`${service.url}/f/${launchCode}`)
    expect((await fetch(`${service.url}/f/${launchCode}`)).status).toBe(200)
    const again = await run(program, ['form', 'publish', '--form', id, '--tenant', tenantId], { cwd, environment })
    expect(again).toEqual({ code: 0, stdout: `${url}\n`, stderr: '' })
    expect(await command('form', 'close', '--form', id)).toMatchObject({ id, status: 'inactive' })
    await command('form', 'trash', '--form', id)
    expect(await item()).toEqual([])
  })

  test('a form gets its settings by command, and a running server shows them', async () => {
    await command('user', 'create', '--email', `s${tenantId}@acme.test`, '--role', 'admin', '--billable')
    const { key } = await command('key', 'create', '--name', 's', '--scopes', 'forms:read,forms:write')
    const created = await fetch(`${service.url}/v1/forms`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'Poll' }),
    })
    const { id } = (await created.json()) as { id: string }
    const { launchCode } = await command('form', 'publish', '--form', id)
    const logo = join(cwd, 'logo.png')
    await Bun.write(logo, png)
    const settings = (...options: string[]) => command('form', 'settings', '--form', id, ...options)
    const look = ['--accent', '#0A7D4F', '--scheme', 'dark', '--language', 'de-at', '--mode', 'step', '--logo', logo]
    const lists = ['--hidden', 'campaign, source', '--notify', 'a@acme.test,b@acme.test']
    const end = ['--thanks', '<b>Danke</b>', '--redirect', 'https://acme.test/', '--max-responses', '3']
    const set = await settings(...look, ...lists, ...end, '--closes', '2099-01-01T00:00:00+01:00')
    expect(set).toEqual({
      language: 'de-AT',
      thanks: '<b>Danke</b>',
      redirect: 'https://acme.test/',
      accent: '#0a7d4f',
      scheme: 'dark',
      font: 'sans',
      fontFile: null,
      corners: 'round',
      background: null,
      backgroundImage: null,
      cover: null,
      copy: false,
      later: false,
      logo: { contentType: 'image/png', width: 1, height: 1, size: png.length, version: expect.any(String) },
      mode: 'step',
      closes: '2098-12-31T23:00:00.000Z',
      maxResponses: 3,
      hidden: ['campaign', 'source'],
      notify: ['a@acme.test', 'b@acme.test'],
    })
    expect(await settings('--accent', '', '--notify', '', '--logo', '')).toEqual({
      ...set,
      accent: null,
      notify: [],
      logo: null,
    })
    const page = await (await fetch(`${service.url}/f/${launchCode}`)).text()
    expect(page).toContain('<html lang="de-AT"')
    const bad = ['form', 'settings', '--form', id, '--tenant', tenantId, '--redirect', 'http://acme.test/']
    expect(await run(program, bad, { cwd, environment })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'frontdesk: redirect: must be a web address that begins with https://\n',
    })
    await settings('--closes', '2020-01-01T00:00:00Z')
    while ((await fetch(`${service.url}/f/${launchCode}`)).status !== 404) await Bun.sleep(20)
  })

  test('a refused request says what is wrong with it, though the build is for production', async () => {
    const { key } = await command('key', 'create', '--name', 'w', '--scopes', 'contacts:write')
    const answer = await fetch(`${service.url}/v1/contacts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'a@b.test', nmae: 'Ada' }),
    })
    expect([answer.status, await answer.json()]).toEqual([400, problem('invalid_request', 'nmae: unknown field')])
  })

  test('every request is one line of JSON, without query, key or body', async () => {
    const { key, keyId } = await command('key', 'create', '--name', 'r', '--scopes', 'contacts:read')
    const answer = await get('/v1/contacts?email=lovelace%40acme.test', key)
    await fetch(`${service.url}/v1/nothing?token=hidden`)
    while (!service.requests().some(({ path }) => path === '/v1/nothing')) await Bun.sleep(5)
    const id = answer.headers.get('x-request-id')
    const line = service.requests().find(({ requestId }) => requestId === id)
    expect(line).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      level: 'info',
      message: 'request',
      requestId: expect.any(String),
      method: 'GET',
      path: '/v1/contacts',
      address: '127.0.0.1',
      status: 200,
      duration: expect.any(Number),
      tenantId,
      keyId,
    })
    expect(service.requests().some(({ path, status }) => path === '/v1/nothing' && status === 401)).toBe(true)
    for (const secret of [key, 'lovelace', 'hidden']) expect(service.output.stdout).not.toContain(secret)
  })
})

describe('the command line', () => {
  let program: Program
  const cwd = emptyFolder()
  let tenantId: string
  beforeAll(async () => {
    program = await executable()
    tenantId = (await record(program, ['tenant', 'create', '--name', 'Acme'], { cwd })).tenantId
  })

  test('makes users, with the password piped in or one of its own, shown this once', async () => {
    const user = ['user', 'create', '--role', 'agent']
    const stdin = 'correct horse battery\n'
    const given = await record(program, [...user, '--email', 'a@acme.test', '--password-stdin'], { cwd, stdin })
    expect(given).toEqual({ userId: expect.any(String), password: null })
    const own = await record(program, [...user, '--email', 'b@acme.test', '--billable'], { cwd })
    expect(own.password).toMatch(/^[\w-]{20}$/)
    for (const [{ userId }, password] of [
      [given, 'correct horse battery'],
      [own, own.password],
    ]) {
      const hash = await passwordHashOf(cwd, userId)
      expect(hash).toStartWith('$argon2id$v=19$m=65536,t=2,p=1$')
      expect(await Bun.password.verify(password, hash)).toBe(true)
    }
    const listed = await run(program, ['user', 'list', '--json'], { cwd })
    expect(JSON.parse(listed.stdout)).toMatchObject([{ userId: own.userId }, { userId: given.userId }])
    expect(listed.stdout).not.toMatch(/password|argon2/i)
  })

  test.each([
    ['of 11 characters', 'ääääääääää1'],
    ['of nothing', ''],
    ['of several lines', 'correct horse\nbattery staple\n'],
    ['too long to be meant', 'x'.repeat(1001)],
    ['guessed at once', 'aaaaaaaaaaaa'],
    ['made of the company’s name', 'AcmeAcmeAcme'],
  ])('refuses a password %s without repeating it', async (_, stdin) => {
    const answer = await run(program, [...USER, '--password-stdin'], { cwd, stdin })
    expect(answer).toMatchObject({ code: 1, stdout: '' })
    expect(answer.stderr).toMatch(/^frontdesk: password: (must be|is too easy to guess:) [^\n]+\n$/)
    if (stdin) expect(answer.stderr).not.toContain(stdin.slice(0, 11))
  })

  test('prints plain lines without --json', async () => {
    const { stdout } = await run(program, ['tenant', 'create', '--name', 'Other'], { cwd: emptyFolder() })
    expect(stdout).toMatch(/^tenantId {5}\S+\nworkspaceId {2}\S+\n$/)
  })

  test('lists what create made, newest first, and asks which tenant once there are two', async () => {
    const cwd = emptyFolder()
    const nobody = await run(program, ['group', 'list'], { cwd })
    expect(nobody).toMatchObject({ code: 1, stderr: expect.stringMatching(/^frontdesk: .*create a tenant first.*\n$/) })
    const command = (...args: string[]) => record(program, args, { cwd })
    const acme = await command('tenant', 'create', '--name', 'Acme')
    const made = {
      user: await command('user', 'create', '--email', 'a@acme.test', '--role', 'admin', '--billable'),
      workspace: await command('workspace', 'create', '--name', 'Sales'),
      group: await command('group', 'create', '--name', 'News'),
      organisation: await command('organisation', 'create', '--name', 'Globex'),
      tag: await command('tag', 'create', '--name', 'billing', '--colour', '#0a7d4f'),
      team: await command(
        'team',
        'create',
        '--name',
        'Support',
        '--distribution',
        'round_robin',
        '--members',
        'a@acme.test',
      ),
      inbox: await command('inbox', 'create', '--name', 'Chat', '--channel', 'livechat'),
    }
    const created = await command('source', 'create', '--name', 'Manual', '--inbox', made.inbox.id)
    const { password: _, ...user } = made.user
    const { secret: __, ...source } = created
    for (const [noun, record] of Object.entries({ ...made, user, source })) {
      const [newest] = await command(noun, 'list')
      expect(newest).toMatchObject(record)
    }
    expect(await command('workspace', 'list')).toMatchObject([made.workspace, { id: acme.workspaceId }])
    expect(await command('tenant', 'list')).toMatchObject([{ ...acme, name: 'Acme' }])
    expect([await command('form', 'list'), await command('webhook', 'list')]).toEqual([[], []])

    const other = await command('tenant', 'create', '--name', 'Other\u001b[2J')
    const unclear = await run(program, ['group', 'list'], { cwd })
    expect(unclear).toEqual({
      code: 1,
      stdout: '',
      stderr: `frontdesk: --tenant: is needed, since there are 2 tenants: ${other.tenantId} (Other [2J), ${acme.tenantId} (Acme)\n`,
    })
    expect(await command('group', 'list', '--tenant', other.tenantId)).toEqual([])
    expect(await command('group', 'list', '--tenant', acme.tenantId)).toEqual([made.group])
  })

  testOfSqlite('--data and FRONTDESK_DATA name the folder, and the option wins', async () => {
    const environment = { FRONTDESK_DATA: 'nowhere' }
    const args = ['key', 'list', '--tenant', tenantId]
    for (const where of [
      ['--data', 'data', ...args],
      [...args, '--data', 'data'],
    ])
      expect(await record(program, where, { cwd, environment })).toEqual([])
    expect(await run(program, args, { cwd, environment })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nowhere'),
    })
  })

  test.each([
    ['an unknown tenant', ['key', 'list', '--tenant', 'nobody'], 'tenant not found'],
    ['a blank name', ['tenant', 'create', '--name', ' '], 'name: must be 1 to 255 characters'],
    ['an unknown scope', ['key', 'create', '--name', 'k', '--scopes', 'contacts:read,root'], 'scopes: '],
    [
      'an expiry without an offset',
      ['key', 'create', '--name', 'k', '--scopes', 'forms:read', '--expires', '2030-01-01'],
      'expires: ',
    ],
    [
      'an expiry in the past',
      ['key', 'create', '--name', 'k', '--scopes', 'forms:read', '--expires', '2020-01-01T00:00:00Z'],
      'expires: ',
    ],
    ['a key of nobody', ['key', 'revoke', '--key', 'x'], 'key not found'],
    ['a bad email', ['user', 'create', '--email', 'x', '--role', 'admin'], 'email: '],
  ])('refuses %s with one line and exit code 1', async (_, args, message) => {
    const withTenant = args[0] === 'tenant' || args.includes('--tenant') ? args : [...args, '--tenant', tenantId]
    const answer = await run(program, withTenant, { cwd })
    expect(answer).toMatchObject({ code: 1, stdout: '' })
    expect(answer.stderr).toStartWith(`frontdesk: ${message}`)
    expect(answer.stderr.trimEnd()).not.toContain('\n')
  })

  test.each([
    ['a missing option', ['tenant', 'create'], '--name'],
    ['an unknown option', ['tenant', 'create', '--name', 'x', '--color', 'red'], '--color'],
    ['a mistyped option', ['tenant', 'create', '--nmae', 'x'], 'Did you mean --name?'],
    ['an unknown command', ['frobnicate'], 'frobnicate'],
    ['a mistyped command', ['tenat', 'list'], 'Did you mean tenant?'],
    ['a mistyped second word', ['key', 'lsit'], 'Did you mean list?'],
    ['a password among the arguments', [...USER, '--password', 'correct horse battery'], '--password-stdin'],
    ['a bad choice', ['user', 'create', '--tenant', 't', '--email', 'a@b.test', '--role', 'boss'], 'admin, agent'],
  ])('refuses %s with exit code 2', async (_, args, message) => {
    const answer = await run(program, args, { cwd })
    expect(answer).toMatchObject({ code: 2, stdout: '' })
    expect(answer.stderr).toStartWith('frontdesk: ')
    expect(answer.stderr).toContain(message)
    expect(answer.stderr).not.toContain('correct horse')
  })

  test('marks in the help what has to be given', async () => {
    const { stdout } = await run(program, ['user', 'create', '--help'], { cwd })
    const required = stdout.split('\n').filter((line) => line.includes('(required)'))
    expect(required.map((line) => /--\w+/.exec(line)?.[0])).toEqual(['--email', '--role'])
  })

  test('prints the OpenAPI document whole, with every option that other commands take', async () => {
    const document = await record(program, ['openapi', '--data', 'nowhere'], { cwd })
    expect(Object.keys(document.paths)).toContain('/v1/contacts')
    expect(document.info.version).toBeString()
  })

  test('refuses the 21st active key, and takes another once one is revoked', async () => {
    const { tenantId: tenant } = await record(program, ['tenant', 'create', '--name', 'Keys'], { cwd })
    const create = ['key', 'create', '--tenant', tenant, '--name', 'k', '--scopes', 'forms:read']
    const keys = await Promise.all(Array.from({ length: 20 }, () => record(program, create, { cwd })))
    expect(await run(program, create, { cwd })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('at most 20 active keys'),
    })
    await record(program, ['key', 'revoke', '--tenant', tenant, '--key', keys[0].keyId], { cwd })
    await record(program, create, { cwd })
  })
})
