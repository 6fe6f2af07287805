import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { signedIn } from '../support/pages/console.ts'

let app: TestApp
let acme: TestTenant
let ada: Awaited<ReturnType<typeof signedIn>>

beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
  ada = await signedIn(app, acme, 'agent')
})
afterAll(() => app.close())

const schemeOf = ({ text }: { text: string }) => [
  /<html[^>]*? data-theme="(\w+)"/.exec(text)?.[1] ?? null,
  /<meta name="color-scheme" content="([^"]*)"/.exec(text)?.[1],
]
const current = ({ text }: { text: string }) =>
  /<button[^>]* name="theme" value="(\w+)" aria-current="true"/.exec(text)?.[1]

describe('the theme of the console', () => {
  test('is that of the device until somebody chooses one, which the page is written with and leads back to', async () => {
    const before = await ada.get('/console/account')
    expect([...schemeOf(before), current(before)]).toEqual([null, 'light dark', 'system'])
    for (const theme of ['dark', 'light'] as const) {
      const answer = await ada.post('/console/account/theme', { theme }, { referer: `${app.url}/console/inbox?q=a` })
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console/inbox?q=a'])
      const after = await ada.get('/console/account')
      expect([...schemeOf(after), current(after)]).toEqual([theme, theme, theme])
    }
    const { headers } = await ada.post('/console/account/theme', { theme: 'system' })
    expect(headers.get('location')).toBe('/console/account')
    expect(schemeOf(await ada.get('/console/account'))).toEqual([null, 'light dark'])
  })

  test('holds before the sign-in, and whatever else stands in the cookie is none', async () => {
    const signIn = async (cookie: string) => {
      const response = await fetch(`${app.url}/console/sign-in`, { headers: { cookie } })
      return schemeOf({ text: await response.text() })
    }
    expect(await signIn('frontdesk_theme=dark')).toEqual(['dark', 'dark'])
    expect(await signIn('frontdesk_theme="><script>')).toEqual([null, 'light dark'])
  })

  test('is one of three, of whoever is signed in: anything else is refused, and sets nothing', async () => {
    const refused = await ada.post('/console/account/theme', { theme: 'blue' })
    expect([refused.status, refused.headers.getSetCookie()]).toEqual([400, []])
    const stranger = await fetch(`${app.url}/console/account/theme`, { method: 'POST', redirect: 'manual' })
    expect([stranger.status, stranger.headers.get('location')?.split('?')[0]]).toEqual([303, '/console/sign-in'])
    expect(stranger.headers.getSetCookie()).toEqual([])
  })
})
