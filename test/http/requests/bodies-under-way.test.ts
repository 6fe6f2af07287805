import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { BodiesUnderWay } from '../../../src/http/requests/bodies-under-way.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { createPublished, type TestForm } from '../../support/forms/collecting.ts'
import { questionBody } from '../../support/forms/questions.ts'

/** A request whose body comes as the test says. */
function begun() {
  let controller: ReadableStreamDefaultController<Uint8Array>
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given
    },
  })
  const request = new Request('http://x/', { method: 'POST', body })
  return {
    request,
    send: (size: number) => controller.enqueue(new Uint8Array(size)),
    end: () => controller.close(),
  }
}

const turn = () => new Promise(setImmediate)
const codeOf = (reading: Promise<unknown>) =>
  reading.then(
    () => 'read',
    (error) => error.code,
  )

describe('bodies under way', () => {
  test('that would take too much memory together are broken off, the first begun first', async () => {
    const bodies = new BodiesUnderWay(10_000, 60_000)
    const all = [begun(), begun(), begun()]
    const readings = all.map(({ request }) => codeOf(bodies.read(request, 9_000)))
    for (const { send } of all) send(3_000)
    await turn()
    all[1]?.send(2_000)
    await turn()
    for (const { end } of all.slice(1)) end()
    expect(await Promise.all(readings)).toEqual(['unavailable', 'read', 'read'])
  })

  test('give their memory back, however they end', async () => {
    const bodies = new BodiesUnderWay(10_000, 60_000)
    for (let i = 0; i < 20; i += 1) {
      const body = begun()
      const reading = codeOf(bodies.read(body.request, i % 2 ? 9_000 : 1_000))
      body.send(4_000)
      if (i % 2) body.end()
      expect(await reading).toBe(i % 2 ? 'read' : 'too_large')
    }
  })

  test('count for more than their bytes when they come byte by byte', async () => {
    const bodies = new BodiesUnderWay(10_000, 60_000)
    const { request, send } = begun()
    const reading = codeOf(bodies.read(request, 9_000))
    for (let i = 0; i < 100; i += 1) send(1)
    expect(await reading).toBe('unavailable')
  })

  test('that do not come to an end are given up', async () => {
    const { request, send } = begun()
    const reading = codeOf(new BodiesUnderWay(10_000, 1).read(request, 9_000))
    send(1)
    expect(await reading).toBe('invalid_request')
  })
})

describe('a body that anybody can send', () => {
  let app: TestApp
  let form: TestForm
  beforeAll(async () => {
    app = await startApp()
    form = await createPublished(await app.createTenant(), [questionBody('nps')])
  })
  afterAll(() => app.close())

  const send = async (body: BodyInit) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${app.url}/f/${form.launchCode}/responses`, { method: 'POST', body, headers })
    const { error, message } = (await response.json()) as Record<string, unknown>
    return [response.status, error, message]
  }
  const chunks = (text: string) =>
    new ReadableStream({
      start(controller) {
        for (let at = 0; at < text.length; at += 10_000) {
          controller.enqueue(new TextEncoder().encode(text.slice(at, at + 10_000)))
        }
        controller.close()
      },
    })
  const whole = JSON.stringify({ answers: [] }).padEnd(256 * 1024)

  test('is at most 256 KiB, in chunks too', async () => {
    const tooLarge = [413, 'invalid_request', 'body: must be at most 256 KiB']
    expect(await send(whole)).toEqual([201, undefined, undefined])
    expect(await send(chunks(whole))).toEqual([201, undefined, undefined])
    expect(await send(`${whole} `)).toEqual(tooLarge)
    expect(await send(chunks(`${whole} `))).toEqual(tooLarge)
  })

  test('holds at most 10,000 keys, in all objects together', async () => {
    const keys = (count: number) => Array.from({ length: count }, (_, i) => `"k${i}":"a:b"`).join(',')
    const refusal = (rule: string) => [400, 'invalid_request', rule]
    expect(await send(`{"answers":[],${keys(9_999)}}`)).toEqual(refusal('k0: unknown field'))
    expect(await send(`{"answers":[],"more":{${keys(9_999)}}}`)).toEqual(
      refusal('body: must not hold more than 10000 keys'),
    )
  })
})

test('long bodies with a key, begun and not finished, have to go when there are too many', async () => {
  const app = await startApp()
  const { key, post } = await app.createTenant()
  const { hostname, port } = new URL(app.url)
  const head = `POST /v1/contacts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Length: 1048576\r\n\r\n`
  const sockets: Socket[] = []
  const refused = new Promise<string>((resolve) => {
    for (let i = 0; i < 70; i++) {
      const socket = connect(Number(port), hostname, () => socket.write(head + ' '.repeat(1_000_000)))
      socket.on('data', (data) => resolve(String(data)))
      sockets.push(socket)
    }
  })
  const answer = await refused
  expect(answer).toStartWith('HTTP/1.1 503 ')
  expect(answer.toLowerCase()).toContain('retry-after: 5')
  const whole = JSON.stringify({ email: 'ada@acme.test' }).padEnd(1024 * 1024)
  expect((await post('/v1/contacts', whole)).status).toBe(201)
  for (const socket of sockets) socket.destroy()
  await app.close()
})
