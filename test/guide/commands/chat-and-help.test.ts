import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SignJWT } from 'jose'
import { systemClock } from '../../../src/lib/clock.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { emptyFolder, executable } from '../../support/processes/program.ts'
import { openShell } from '../../support/sources/shell.ts'
import { codeOf } from '../../support/sources/text-blocks.ts'

const { command } = await executable()
const [making, button, identity] = codeOf('src/guide/chat-and-help.md', 'sh', 'html', 'js')

describe('the chapter on chat and help', () => {
  let app: TestApp
  let acme: TestTenant
  let source = ''
  let secret = ''

  beforeAll(async () => {
    // Identities end by the clock on the wall, which their library reads.
    app = await startApp({ replace: { clock: systemClock } })
    acme = await app.createTenant()
  })
  afterAll(() => app.close())

  test('makes an inbox and its source, whose widget sites load', async () => {
    const cwd = emptyFolder()
    const environment = { FRONTDESK_DATA: app.dataDir }
    const shell = await openShell({ command }, { cwd, dataDir: app.dataDir, environment })
    const idIn = (printed: string) => /^id +(\S+)$/m.exec(printed)?.[1] ?? ''
    await shell.run(making, {
      after: (done, printed) => {
        if (done.includes('inbox create')) shell.places.set('INBOX', idIn(printed))
        else [source, secret] = [idIn(printed), /^secret +(\S+)$/m.exec(printed)?.[1] ?? '']
      },
    })
    await shell.close()
    const path = /src="https:\/\/desk\.example\.com([^"]+)"/.exec(button.text)?.[1] ?? ''
    const widget = await app.request('GET', path.replace('SOURCE', source))
    expect([widget.status, widget.headers.get('content-type')]).toEqual([200, expect.stringContaining('javascript')])
  })

  test('signs who somebody is, as the chat believes it', async () => {
    const sign = new Function(
      'SignJWT',
      'process',
      'name',
      'email',
      `return (async () => { ${identity.text}\nreturn identity })()`,
    )
    const process = { env: { FRONTDESK_CHAT_SECRET: secret } }
    const signed = await sign(SignJWT, process, 'Ada Lovelace', 'ada@acme.test')
    const call = (path: string, body: object, key: string | null = null) =>
      app.request('POST', `/chat/${source}${path}`, { body, key })
    const { token } = (await call('/visitors', { identity: signed })).body
    expect((await call('/conversations', { text: 'Hello' }, token)).status).toBe(201)
    expect((await acme.get('/v1/contacts')).body.items).toMatchObject([
      { name: 'Ada Lovelace', email: 'ada@acme.test' },
    ])
  })
})
