import { beforeAll, expect, test } from 'bun:test'
import { executable, type Running, record } from '../../support/processes/program.ts'
import { dataOf, newSite, type Site, start } from '../../support/processes/site.ts'
import { outboxOf } from '../../support/webhooks/ledger.ts'

const LINES = 1_000

beforeAll(() => executable().then(() => {}))

/** Asks for a page of the console as somebody who has signed in. */
type Ask = (service: Running, method: string, path: string, body?: FormData | URLSearchParams) => Promise<Response>

async function signIn(site: Site, service: Running): Promise<Ask> {
  const { cwd, program, environment } = site
  const user = ['user', 'create', '--email', 'a@acme.test', '--role', 'agent']
  const { password } = await record(program, user, { cwd, environment })
  const body = new URLSearchParams({ email: 'a@acme.test', password })
  const signedIn = await fetch(`${service.url}/console/sign-in`, { method: 'POST', body, redirect: 'manual' })
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] as string
  return ({ url }, method, path, body) =>
    fetch(url + path, { method, redirect: 'manual', headers: { cookie }, ...(body && { body }) })
}

test('a file of contacts goes on behind where kill -9, or a stop, ended it: every line once', async () => {
  const site = await newSite()
  let service = await start(site)
  const ask = await signIn(site, service)
  const page = await (await ask(service, 'GET', '/console/contacts/imports')).text()
  const csrf = /name="csrf-token" content="([^"]*)"/.exec(page)?.[1] as string
  const lines = Array.from({ length: LINES }, (_, index) => `line${index}@import.test,Line ${index}`)
  const upload = new FormData()
  upload.append('csrf', csrf)
  upload.append('file', new File([['email,name', ...lines].join('\n')], 'lines.csv'))
  const sent = await ask(service, 'POST', '/console/contacts/imports', upload)
  const path = new URL(sent.headers.get('location') as string, service.url).pathname
  const plan = { csrf, hasHeadings: 'on', 'columns[0]': 'email', 'columns[1]': 'name', existing: 'update' }
  expect((await ask(service, 'POST', path, new URLSearchParams(plan))).status).toBe(303)

  const done = async () => {
    const text = await (await ask(service, 'GET', path)).text()
    return { lines: Number(/<progress[^>]* value="(\d+)"/.exec(text)?.[1]), isOver: text.includes('>Imported<') }
  }
  let reached = 0
  for (const end of [() => service.kill('SIGKILL'), () => service.stop()]) {
    for (;;) {
      const { lines, isOver } = await done()
      if (isOver || lines > reached) {
        reached = lines
        break
      }
      await Bun.sleep(5)
    }
    await end()
    await service.exited
    service = await start(site)
  }
  while (!(await done()).isOver) await Bun.sleep(20)
  const text = await (await ask(service, 'GET', path)).text()
  expect(/<dt>New<\/dt><dd>([^<]*)/.exec(text)?.[1]).toBe('1,000')
  await service.stop()
  const contacts = (await outboxOf(dataOf(site))).map(({ contactId }) => contactId)
  expect([contacts.length, new Set(contacts).size]).toEqual([LINES, LINES])
})
