import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventTypes } from '../../../src/kinds/events.ts'
import { settled } from '../../support/api/event-log.ts'
import type { TestApp, TestTenant } from '../../support/app.ts'
import { until } from '../../support/patience.ts'
import { unusedPort } from '../../support/processes/ports.ts'
import { emptyFolder, executable } from '../../support/processes/program.ts'
import { cloneTools, openShell } from '../../support/sources/shell.ts'
import { codeOf } from '../../support/sources/text-blocks.ts'
import { startReceiver } from '../../support/webhooks/receiver.ts'
import { addContacts, envelopeOf, passWindow, startDelivering, subscribe } from '../../support/webhooks/webhooks.ts'

const [shown, receiver, demo, trying, reading, verify] = codeOf(
  'src/guide/receiving-webhooks.md',
  ...(['json', 'js', 'sh', 'console', 'console', 'js', 'python', 'go', 'php', 'java'] as const),
)

describe('the chapter on receiving webhooks', () => {
  let app: TestApp
  let acme: TestTenant
  beforeAll(async () => {
    app = await startDelivering()
  })
  const children: Bun.Subprocess[] = []
  afterAll(async () => {
    for (const child of children) child.kill()
    await app.close()
  })

  test('shows a batch as it comes', async () => {
    acme = await app.createTenant()
    const there = await startReceiver()
    await subscribe(acme, there)
    await addContacts(acme)
    await passWindow(app)
    const sent = envelopeOf((await there.waitFor(1))[0])
    const batch = JSON.parse(shown.text)
    expect(Object.keys(batch)).toEqual(Object.keys(sent))
    expect(Object.keys(batch.events[0])).toEqual(Object.keys(sent.events[0]))
    const [{ event, eventType }] = batch.events
    expect(eventType).toBe(eventTypes[event as keyof typeof eventTypes])
    await there.close()
  })

  test('has a receiver that takes a sample, and the event of a contact', async () => {
    acme = await app.createTenant()
    const cwd = emptyFolder()
    const port = unusedPort()
    writeFileSync(join(cwd, 'verify.mjs'), verify.text)
    writeFileSync(join(cwd, 'receiver.mjs'), receiver.text.replace('8080', String(port)))
    const child = Bun.spawn(['node', 'receiver.mjs'], { cwd, stdout: Bun.file(join(cwd, 'log')), stderr: 'ignore' })
    children.push(child)
    await until(() => fetch(`http://127.0.0.1:${port}`).catch(() => null))
    // What it was just asked is no delivery of ours.
    const received = () => Bun.file(join(cwd, 'log')).text()
    expect(await received()).toBe('')

    const shell = await openShell(await executable(), { cwd, instead: cloneTools, places: { '8080': String(port) } })
    shell.known.set('http://127.0.0.1:3000', app.url)
    shell.known.set('sk_that-the-demo-printed', acme.key)
    await shell.run(demo)
    await shell.run(trying)
    await until(async () => (await received()).includes('contact.created_or_updated'))
    const [id] = await addContacts(acme)
    await passWindow(app)
    await until(async () => (await received()).includes(id as string))
    await settled(app, acme)
    await shell.run(reading)
    await shell.close()
  })
})
