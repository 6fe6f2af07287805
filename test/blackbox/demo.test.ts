import { describe, expect, test } from 'bun:test'
import { testOfSqlite } from '../support/data/postgres.ts'
import { unusedPort } from '../support/processes/ports.ts'
import { emptyFolder, executable, type Running, run, serve, source } from '../support/processes/program.ts'

const programs = [
  ['from source', source],
  ['the executable', await executable()],
] as const

/** What `demo` says once it has said it. */
async function introduction({ output }: Running): Promise<{
  curl: string
  docs: string
  form: string
  help: string
  mail: string
  signIn: string
  site: string
}> {
  for (;;) {
    const curl = /^ *(curl .+)$/m.exec(output.stdout)?.[1]
    const docs = /\bhttp\S+\/docs$/m.exec(output.stdout)?.[0]
    const form = /\bhttp\S+\/f\/\w+$/m.exec(output.stdout)?.[0]
    const help = /\bhttp\S+\/help\/[\w-]+$/m.exec(output.stdout)?.[0]
    const mail = /^ *(printf .+)$/m.exec(output.stdout)?.[1]
    const signIn = /^ *Sign in +(.+)$/m.exec(output.stdout)?.[1]
    const site = /\bhttp\S+\/demo-site$/m.exec(output.stdout)?.[0]
    if (curl && docs && form && help && mail && signIn && site) return { curl, docs, form, help, mail, signIn, site }
    await Bun.sleep(10)
  }
}

/** Signs in as the demo says, and returns the session's cookie. */
async function signInTo({ url }: Running, signIn: string): Promise<string> {
  const [, email = '', password = ''] = /^(\S+), password (\S+)$/.exec(signIn) ?? []
  const signedIn = await fetch(`${url}/console/sign-in`, {
    method: 'POST',
    body: new URLSearchParams({ email, password }),
    redirect: 'manual',
  })
  expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '/console'])
  return signedIn.headers.get('set-cookie') ?? ''
}

describe.each(programs)('demo %s', (_, program) => {
  // Filled once: that takes far longer than what is tested on it.
  const cwd = emptyFolder()

  test('in an empty folder prints addresses, a curl line and one that sends a mail, which work, and a second time the same line', async () => {
    const environment = { FRONTDESK_PORT: String(unusedPort()) }
    const first = await serve(program, { cwd, environment }, ['demo'])
    const { curl, docs, form, help, mail, signIn, site } = await introduction(first)
    const cookie = await signInTo(first, signIn)
    const account = await fetch(`${first.url}/console/account`, { headers: { cookie } })
    expect([account.status, (await account.text()).includes('Robin Adeyemi')]).toEqual([200, true])
    expect(docs).toBe(`${first.url}/docs`)
    expect((await fetch(docs)).status).toBe(200)
    expect(await (await fetch(form, { headers: { accept: 'text/html' } })).text()).toContain('How are we doing?')
    const article = await fetch(`${help}/refunds-and-cancellations`)
    expect([article.status, await article.text()]).toEqual([200, expect.stringContaining('<h2>A guest cancels</h2>')])
    expect(await (await fetch(`${help}?q=refund`)).text()).toContain('Refunds and cancellations')
    const [, widget = ''] = /src="([^"]+widget\.js)"/.exec(await (await fetch(site)).text()) ?? []
    for (const path of [widget, '/chat/assets/chat.js', '/chat/assets/chat.css']) {
      const file = await fetch(new URL(path, site))
      expect([path, file.status, (await file.text()).length > 5000]).toEqual([path, 200, true])
    }
    const shell = { command: ['sh', '-c'] }
    expect(await run(shell, [mail], { cwd })).toEqual({ code: 0, stdout: '', stderr: '' })
    const tickets = await run(shell, [curl.replace('/contacts', '/tickets')], { cwd })
    expect(JSON.parse(tickets.stdout).items[0]).toMatchObject({ subject: 'My booking', excerpt: 'Which room is it?' })
    const answer = await run(shell, [curl], { cwd })
    const { items, nextCursor } = JSON.parse(answer.stdout)
    expect(items).toHaveLength(3)
    expect(nextCursor).toEqual(expect.any(String))
    expect(await first.stop()).toMatchObject({ code: 0, stderr: '' })

    const second = await serve(program, { cwd, environment }, ['demo'])
    expect(await introduction(second)).toMatchObject({ curl, signIn })
    const again = await run(shell, [curl], { cwd })
    expect(JSON.parse(again.stdout).items).toEqual(items)
    expect(await second.stop()).toMatchObject({ code: 0 })
  })

  test('has passkeys', async () => {
    const service = await serve(program, { cwd, environment: { FRONTDESK_BASE_URL: 'https://desk.test' } }, ['demo'])
    const cookie = await signInTo(service, (await introduction(service)).signIn)
    const page = await fetch(`${service.url}/console/account/passkeys/new`, { headers: { cookie } })
    expect([page.status, (await page.text()).includes('&quot;challenge&quot;')]).toEqual([200, true])
    await service.stop()
  })
})

testOfSqlite('demo on a folder that is being served fails with one line and fills nothing', async () => {
  const cwd = emptyFolder()
  const program = await executable()
  const service = await serve(program, { cwd })
  const answer = await run(program, ['demo'], { cwd })
  expect(answer).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^frontdesk: .*in use.*\n$/) })
  await service.stop()
})
