import { describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import {
  early,
  emptyFolder,
  executable,
  type Program,
  type Running,
  record,
  refusing,
  serve,
} from '../support/processes/program.ts'

const program = await executable()

describe('stopping', () => {
  test('on SIGTERM refuses what is new, answers what is under way, and ends with 0', async () => {
    const { service, key } = await started(program)
    const request = halfSent(service, key, { email: 'late@acme.test' })
    await request.underWay
    service.kill('SIGTERM')
    await refusing(service.url)
    request.finish()
    expect(await request.answer).toStartWith('HTTP/1.1 201 ')
    expect(await service.exited).toMatchObject({ code: 0, stderr: '' })
  })

  test('a second signal ends it at once', async () => {
    const { service, key } = await started(program)
    const request = halfSent(service, key, { email: 'never@acme.test' })
    await request.underWay
    service.kill('SIGTERM')
    await refusing(service.url)
    service.kill('SIGINT')
    expect(await early(service.exited)).toMatchObject({ code: 130 })
  })

  test('an idle connection does not hold it up', async () => {
    const { service } = await started(program)
    const idle = connect(Number(new URL(service.url).port), '127.0.0.1')
    await new Promise((resolve) => idle.once('connect', resolve))
    expect(await early(service.stop())).toMatchObject({ code: 0 })
    idle.destroy()
  })

  test.each(['hangs', 'goes'] as const)(
    'a reader of its log that %s stops neither its answers nor its end',
    async (reader) => {
      const service = await serve(program, { cwd: emptyFolder(), reader })
      const path = `/v1/${'x'.repeat(200)}`
      for (let sent = 0; sent < 3_000; sent += 50) {
        const answers = await Promise.all(Array.from({ length: 50 }, () => fetch(service.url + path)))
        expect(answers.every(({ status }) => status === 401)).toBe(true)
      }
      expect(await early(service.stop())).toMatchObject({ code: 0, stderr: '' })
    },
  )

  test('a reader of its log that is slow gets every line', async () => {
    const cwd = emptyFolder()
    const service = await serve(program, { cwd, reader: 'sleeps' })
    const path = `/v1/${'x'.repeat(200)}`
    for (let sent = 0; sent < 3_000; sent += 50) {
      await Promise.all(Array.from({ length: 50 }, () => fetch(service.url + path)))
    }
    expect(await service.stop()).toMatchObject({ code: 0 })
    expect(service.requests()).toHaveLength(3_000)
  })

  test('with kill -9 loses nothing that was acknowledged', async () => {
    const { service, key, cwd } = await started(program)
    const acknowledged: string[] = []
    const writer = async (name: number) => {
      for (let i = 0; ; i++) {
        const answer = await post(service, key, { email: `c${name}-${i}@acme.test` }).catch(() => null)
        if (!answer) return
        if (answer.status === 201) acknowledged.push(((await answer.json()) as { id: string }).id)
        if (acknowledged.length === 200) service.kill('SIGKILL')
      }
    }
    await Promise.all(Array.from({ length: 16 }, (_, name) => writer(name)))
    expect((await service.exited).signal).toBe('SIGKILL')
    const again = await serve(program, { cwd })
    const statuses = await Promise.all(acknowledged.map(async (id) => (await get(again, key, id)).status))
    expect(statuses.filter((status) => status !== 200)).toEqual([])
    await again.stop()
  })
})

test('stores when keys were last used before it ends', async () => {
  const program = await executable()
  const { service, key, cwd, tenantId } = await started(program)
  // The first use is stored at once, later ones now and then: only stopping stores this one in time.
  await get(service, key, 'x')
  const second = await record(program, ['key', 'create', '--tenant', tenantId, ...NEW_KEY], { cwd })
  await get(service, second.key, 'x')
  await service.stop()
  const keys = await record(program, ['key', 'list', '--tenant', tenantId], { cwd })
  expect(keys.map(({ lastUsedAt }: { lastUsedAt: unknown }) => lastUsedAt)).toEqual([
    expect.any(String),
    expect.any(String),
  ])
})

const NEW_KEY = ['--name', 'k', '--scopes', 'contacts:read,contacts:write']

async function started(program: Program) {
  const cwd = emptyFolder()
  const { tenantId } = await record(program, ['tenant', 'create', '--name', 'Acme'], { cwd })
  const { key } = await record(program, ['key', 'create', '--tenant', tenantId, ...NEW_KEY], { cwd })
  return { service: await serve(program, { cwd }), key: key as string, cwd, tenantId: tenantId as string }
}

function post(service: Running, key: string, body: object): Promise<Response> {
  return fetch(`${service.url}/v1/contacts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

function get(service: Running, key: string, id: string): Promise<Response> {
  return fetch(`${service.url}/v1/contacts/${id}`, { headers: { authorization: `Bearer ${key}` } })
}

/** A request whose last byte is held back until `finish`. */
function halfSent(service: Running, key: string, body: object) {
  const text = JSON.stringify(body)
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  const answer = Promise.withResolvers<string>()
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  socket.on('close', () => answer.resolve(received))
  socket.on('error', () => answer.resolve(received))
  socket.write(
    `POST /v1/contacts HTTP/1.1\r\nHost: frontdesk\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text.slice(0, -1)}`,
  )
  return {
    answer: answer.promise,
    /** The server answers another request on the way, so it has seen this one. */
    underWay: new Promise((resolve) => socket.once('connect', resolve)).then(() => get(service, key, 'x')),
    finish: () => socket.write(text.slice(-1)),
  }
}
