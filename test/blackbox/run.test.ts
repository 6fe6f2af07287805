import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { testOfSqlite } from '../support/postgres.ts'
import { emptyFolder, executable, type Program, type Running, record, run, serve } from '../support/program.ts'

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

  const command = (...args: string[]) => record(program, [...args, '--tenant', tenantId], { cwd })
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
    expect((await (await get('/v1/inboxes', key)).json()).items).toContainAllValues([email, chat])
    const source = await command('source', 'create', '--name', 'Manual', '--inbox', chat.id)
    expect((await (await get('/v1/livechat/sources', key)).json()).items).toEqual([source])

    const message = ['--email', 'ada@acme.test', '--name', 'Ada', '--subject', 'Refund?', '--text', 'Where is it?']
    const made = await command('ticket', 'create', '--inbox', email.id, ...message)
    expect(made).toEqual({ ticketId: expect.any(String), ticketReference: expect.stringMatching(/^T-\d+$/) })
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
    expect(published).toMatchObject({ id, status: 'active', publishedAt: expect.any(String) })
    expect(await item()).toEqual([published])
    expect(await command('form', 'close', '--form', id)).toMatchObject({ id, status: 'inactive' })
    await command('form', 'trash', '--form', id)
    expect(await item()).toEqual([])
  })

  test('a refused request says what is wrong with it, though the build is for production', async () => {
    const { key } = await command('key', 'create', '--name', 'w', '--scopes', 'contacts:write')
    const answer = await fetch(`${service.url}/v1/contacts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'a@b.test', nmae: 'Ada' }),
    })
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { error: 'invalid_request', message: expect.stringMatching(/^nmae: /) },
    ])
  })

  test('every request is one line of JSON, without query, key or body', async () => {
    const { key, keyId } = await command('key', 'create', '--name', 'r', '--scopes', 'contacts:read')
    const answer = await get('/v1/contacts?email=lovelace%40acme.test', key)
    await fetch(`${service.url}/v1/nothing?token=hidden`)
    await Bun.sleep(150)
    const id = answer.headers.get('x-request-id')
    const line = service.requests().find(({ requestId }) => requestId === id)
    expect(line).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      level: 'info',
      message: 'request',
      requestId: expect.any(String),
      method: 'GET',
      path: '/v1/contacts',
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

  test('makes users, with the password given or one of its own', async () => {
    const user = ['user', 'create', '--tenant', tenantId, '--role', 'agent']
    const given = await record(program, [...user, '--email', 'a@acme.test', '--password', 'hunter22'], { cwd })
    expect(given).toEqual({ userId: expect.any(String), password: 'hunter22' })
    const own = await record(program, [...user, '--email', 'b@acme.test', '--billable'], { cwd })
    expect(own.password).toMatch(/^[\w-]{20}$/)
  })

  test('prints plain lines without --json', async () => {
    const { stdout } = await run(program, ['tenant', 'create', '--name', 'Other'], { cwd })
    expect(stdout).toMatch(/^tenantId {5}\S+\nworkspaceId {2}\S+\n$/)
  })

  testOfSqlite('--data and FRONTDESK_DATA name the folder, and the option wins', async () => {
    const environment = { FRONTDESK_DATA: 'nowhere' }
    const args = ['key', 'list', '--tenant', tenantId]
    expect(await run(program, [...args, '--data', 'data', '--json'], { cwd, environment })).toMatchObject({
      code: 0,
      stdout: '[]\n',
    })
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
    ['an unknown command', ['frobnicate'], 'frobnicate'],
    ['a bad choice', ['user', 'create', '--tenant', 't', '--email', 'a@b.test', '--role', 'boss'], 'admin, agent'],
  ])('refuses %s with exit code 2', async (_, args, message) => {
    const answer = await run(program, args, { cwd })
    expect(answer).toMatchObject({ code: 2, stdout: '' })
    expect(answer.stderr).toContain(message)
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
