import { afterAll, expect, test } from 'bun:test'
import { copyFileSync, renameSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { testOfSqlite } from '../support/data/postgres.ts'
import { until } from '../support/patience.ts'
import { emptyFolder, executable, faultLines, type Program, record, run, serve } from '../support/processes/program.ts'
import { isThere, Succession } from '../support/processes/succession.ts'
import { notifySocket } from '../support/servers/notify-socket.ts'

const open: Succession[] = []
afterAll(() => {
  for (const succession of open) succession.kill()
})

async function started(program: Program, environment: Record<string, string> = {}) {
  const cwd = emptyFolder()
  const { tenantId } = await record(program, ['tenant', 'create', '--name', 'Acme'], { cwd })
  const made = ['key', 'create', '--tenant', tenantId, '--name', 'k', '--scopes', 'contacts:read,contacts:write']
  const { key } = await record(program, made, { cwd })
  const succession = new Succession(await serve(program, { cwd, environment }))
  open.push(succession)
  const { url } = succession.service
  return { succession, url, key: key as string, cwd, port: Number(new URL(url).port) }
}

test('on SIGHUP another process follows, and the first ends what it has begun', async () => {
  const manager = notifySocket()
  const program = await executable()
  const environment = { FRONTDESK_INBOUND_SMTP_PORT: '0', NOTIFY_SOCKET: manager.path }
  const { succession, url, port, key } = await started(program, environment)
  const first = succession.pid
  expect(await manager.next()).toBe('READY=1')
  const mailPort = Number(/takes mail on smtp:\/\/127\.0\.0\.1:(\d+)/.exec(succession.service.output.stdout)?.[1])
  expect(await firstLine(mailPort)).toStartWith('220 ')

  const begun = line(port)
  const quiet = line(port)
  const body = JSON.stringify({ email: 'late@acme.test' })
  const head = `Host: frontdesk\r\nX-Api-Key: ${key}\r\n`
  await begun.send(
    `POST /v1/contacts HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  )
  await quiet.send(`GET /v1/contacts HTTP/1.1\r\n${head}\r\n`)
  await until(() => quiet.received().includes('"nextCursor"'))
  expect(quiet.received().toLowerCase()).not.toContain('connection: close')

  const second = await succession.follow()
  const said = [await manager.next(), await manager.next()]
  expect(said.sort()).toEqual([`MAINPID=${second}`, 'READY=1'])
  // All by the second: the first would close each after its answer.
  for (let i = 0; i < 20; i++) {
    const fresh = line(port)
    await fresh.send('GET /healthz HTTP/1.1\r\nHost: frontdesk\r\n\r\n')
    await until(() => fresh.received().includes('"ok"'))
    expect(fresh.received().toLowerCase()).not.toContain('connection: close')
    fresh.end()
  }
  expect(await firstLine(mailPort)).toStartWith('220 ')
  expect(isThere(first)).toBe(true)

  await begun.send(body)
  await until(() => begun.received().startsWith('HTTP/1.1 201 '))
  await quiet.send(`GET /v1/contacts HTTP/1.1\r\n${head}\r\n`)
  await until(() => quiet.received().includes('late@acme.test'))
  for (const connection of [begun, quiet]) {
    expect(await connection.closed).toBe('by the service')
    expect(connection.received().toLowerCase()).toContain('connection: close')
  }
  await succession.alone()
  expect(await health(url)).toBe(200)
  const { stderr, stdout } = await succession.stop()
  expect(stderr).toBe('')
  expect(faultLines(stdout)).toEqual([])
  manager.close()
})

test('stopping the second ends the first, and nobody may restore before', async () => {
  const program = await executable()
  const { succession, port, cwd, key } = await started(program)
  const file = join(cwd, 'backup.tar')
  expect((await run(program, ['backup', file], { cwd })).code).toBe(0)
  const connection = line(port)
  await connection.send(`GET /v1/contacts HTTP/1.1\r\nHost: frontdesk\r\nX-Api-Key: ${key}\r\n\r\n`)
  await until(() => connection.received().includes('"nextCursor"'))
  await succession.follow()
  // The first waits for what may still be asked on its connection.
  const restored = await run(program, ['restore', file], { cwd })
  expect(restored).toMatchObject({ code: 1, stderr: expect.stringContaining('is in use by a running frontdesk') })
  await succession.stop()
  expect(await connection.closed).toBe('by the service')
  const again = await serve(program, { cwd })
  expect(await again.stop()).toMatchObject({ code: 0, stderr: '' })
})

testOfSqlite(
  'a second that is killed leaves the data to the first until that has ended what it has begun',
  async () => {
    const program = await executable()
    const { succession, port, cwd, key } = await started(program)
    const [first] = succession.pids
    const begun = line(port)
    const body = JSON.stringify({ email: 'late@acme.test' })
    const head = `Host: frontdesk\r\nX-Api-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`
    await begun.send(`POST /v1/contacts HTTP/1.1\r\n${head}\r\n${body.slice(0, -1)}`)
    const second = await succession.follow()
    process.kill(second, 'SIGKILL')
    await until(() => !isThere(second))
    const another = await run(program, ['serve'], { cwd })
    expect(another).toMatchObject({ code: 1, stderr: expect.stringContaining('is in use by a running frontdesk') })
    expect(isThere(first as number)).toBe(true)
    await begun.send(body.slice(-1))
    await until(() => begun.received().startsWith('HTTP/1.1 201 '))
    await until(() => !isThere(first as number))
    const again = await serve(program, { cwd })
    expect(await (await fetch(`${again.url}/v1/contacts`, { headers: { 'x-api-key': key } })).text()).toContain('late@')
    expect(await again.stop()).toMatchObject({ code: 0, stderr: '' })
  },
)

test('what follows is the executable that lies there now; one that does not start changes nothing', async () => {
  const { command, ...user } = await executable()
  const place = join(emptyFolder(), 'frontdesk')
  copyFileSync(command[0] as string, place)
  const { succession, url } = await started({ command: [place], ...user })
  const first = succession.pid

  writeFileSync(`${place}.broken`, '#!/bin/sh\nexit 3\n', { mode: 0o755 })
  renameSync(`${place}.broken`, place)
  expect(await succession.remain()).toBe('it ended with 3')
  expect(await health(url)).toBe(200)
  expect(isThere(first)).toBe(true)

  copyFileSync(command[0] as string, `${place}.new`)
  renameSync(`${place}.new`, place)
  await succession.follow()
  await succession.alone()
  expect(await health(url)).toBe(200)
  await succession.stop()
})

/** Asked on a connection of its own: one that stays open would be waited for. */
async function health(url: string): Promise<number> {
  return (await fetch(`${url}/healthz`, { headers: { connection: 'close' } })).status
}

/** A connection, and what came on it. */
function line(port: number) {
  const socket = connect(port, '127.0.0.1')
  const closed = Promise.withResolvers<string>()
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  socket.on('error', ({ message }) => closed.resolve(message))
  socket.on('close', () => closed.resolve('by the service'))
  return {
    received: () => received,
    closed: closed.promise,
    end: () => socket.end(),
    send: (text: string) => new Promise<void>((resolve) => socket.write(text, () => resolve())),
  }
}

async function firstLine(port: number): Promise<string> {
  const connection = line(port)
  await until(() => connection.received().includes('\r\n'))
  return connection.received()
}
