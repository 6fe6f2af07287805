import { describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { auditEntries } from '../../src/db/schema.ts'
import { trashForm } from '../../src/forms/publishing.ts'
import { changeSettings, getSettings } from '../../src/forms/settings/operations.ts'
import type { SettingsChanges } from '../../src/forms/settings/read.ts'
import type { FormFileKind } from '../../src/kinds/form-files.ts'
import type { TestApp, TestTenant } from '../support/app.ts'
import type { TestForm } from '../support/forms/collecting.ts'
import { png } from '../support/forms/hosted.ts'
import { setUpForm } from '../support/pages/fixtures.ts'
import { hostileHtml } from '../support/pages/hostile-html.ts'
import { pictures } from '../support/pages/images.ts'
import { refusal } from '../support/refusal.ts'

let app: TestApp
let acme: TestTenant
let form: TestForm

setUpForm([{ type: 'nps' }], (fixture) => ({ app, acme, form } = fixture))

const read = () => getSettings(app.database.db, acme.tenantId, form.id)
const set = (changes: SettingsChanges, tenant = acme) =>
  tenant.perform((tx, caller) => changeSettings(tx, caller, form.id, changes))

const defaults = {
  language: null,
  thanks: null,
  redirect: null,
  accent: null,
  scheme: 'auto',
  font: 'sans',
  fontFile: null,
  corners: 'round',
  background: null,
  backgroundImage: null,
  logo: null,
  cover: null,
  mode: 'page',
  closes: null,
  maxResponses: null,
  hidden: [],
  notify: [],
  copy: false,
  later: false,
}

/** Each setting with a value as it may be written, and as it is kept. */
const chosen: Record<Exclude<keyof typeof defaults, FormFileKind>, [written: unknown, kept: unknown]> = {
  language: ['de-at', 'de-AT'],
  thanks: ['<b>Danke</b><script>x</script>', '<b>Danke</b>'],
  redirect: [' https://acme.test/thanks?from=form ', 'https://acme.test/thanks?from=form'],
  accent: ['#0A7D4F', '#0a7d4f'],
  scheme: ['dark', 'dark'],
  font: ['serif', 'serif'],
  corners: ['square', 'square'],
  background: [' #F4EFE6 ', '#f4efe6'],
  mode: ['step', 'step'],
  closes: ['2026-04-01T12:00:00+02:00', '2026-04-01T10:00:00.000Z'],
  maxResponses: [100, 100],
  hidden: [
    ['campaign', ' source_2 ', 'campaign'],
    ['campaign', 'source_2'],
  ],
  notify: [
    ['a@acme.test', 'b@acme.test', 'a@acme.test'],
    ['a@acme.test', 'b@acme.test'],
  ],
  copy: [true, true],
  later: [true, true],
}
const written = Object.fromEntries(Object.entries(chosen).map(([name, [value]]) => [name, value]))
const kept = Object.fromEntries(Object.entries(chosen).map(([name, [, value]]) => [name, value]))

const SIMPLE_TAG =
  /^<\/?(?:a|b|br|code|em|i|s|span|strong|sub|sup|u|blockquote|li|ol|p|ul)(?: (?:href="(?:https?:|mailto:)[^"]*"|(?:rel|target)="[a-z _]*"))*(?: \/)?>$/

describe('settings', () => {
  test('are the defaults until they are changed', async () => {
    expect(await read()).toEqual(defaults as never)
  })

  test('are kept as they were read; each that is left out keeps its value, and null clears it', async () => {
    expect(await set(written)).toEqual({ ...defaults, ...kept } as never)
    expect(await set({})).toEqual({ ...defaults, ...kept } as never)
    for (const name of Object.keys(chosen)) {
      await set({ [name]: null })
      expect(await read()).toEqual({ ...defaults, ...kept, [name]: defaults[name as keyof typeof chosen] } as never)
      await set({ [name]: written[name] })
    }
    expect(await read()).toEqual({ ...defaults, ...kept } as never)
  })

  test('belong to no revision and are not shown by the API, but move the time of the last change', async () => {
    const before = (await acme.get(`/v1/forms/${form.id}`)).body
    app.clock.advance(1000)
    await set({ ...written, closes: null })
    const after = (await acme.get(`/v1/forms/${form.id}`)).body
    expect(after).toEqual({ ...before, updatedAt: new Date(app.clock.now()).toISOString() })
  })

  test('that change are named in the audit log, and none is where nothing changed', async () => {
    const entries = () =>
      app.database.db
        .select({ fields: auditEntries.fields, recordId: auditEntries.recordId })
        .from(auditEntries)
        .where(and(eq(auditEntries.tenantId, acme.tenantId), eq(auditEntries.action, 'form.settings_changed')))
        .orderBy(auditEntries.number)
    await set({ accent: '#0a7d4f', scheme: 'dark', mode: 'page' })
    await set({ accent: '#0A7D4F' })
    expect(await entries()).toEqual([{ fields: 'accent,scheme', recordId: form.id }])
  })

  test('of another tenant’s form, or one in the trash, cannot be read or changed', async () => {
    const other = await app.createTenant()
    const gone = ['not_found', 'form not found']
    expect(await refusal(set({ mode: 'step' }, other))).toEqual(gone as never)
    expect(await refusal(getSettings(app.database.db, other.tenantId, form.id))).toEqual(gone as never)
    await acme.perform((tx, caller) => trashForm(tx, caller, form.id))
    expect(await refusal(set({ mode: 'step' }))).toEqual(gone as never)
  })

  const https = 'redirect: must be a web address that begins with https://'
  test.each<[SettingsChanges, string]>([
    [{ language: 'german!' }, 'language: must be a language tag such as de or pt-BR'],
    [{ language: '' }, 'language: must be a language tag such as de or pt-BR'],
    [{ language: `de-${'x'.repeat(8)}-`.repeat(9) }, 'language: must be a language tag such as de or pt-BR'],
    [{ thanks: 'x'.repeat(10_001) }, 'thanks: must be at most 10000 characters'],
    [{ thanks: '<'.repeat(5001) }, 'thanks: must hold at most 5000 tags (<)'],
    [{ redirect: 'http://acme.test/' }, https],
    [{ redirect: 'javascript:alert(1)' }, https],
    [{ redirect: '//acme.test' }, https],
    [{ redirect: 'data:text/html,x' }, https],
    [{ redirect: 'https://ada:secret@acme.test/' }, 'redirect: must not hold a user name or password'],
    [{ redirect: `https://acme.test/${'x'.repeat(2000)}` }, 'redirect: must be at most 2000 characters'],
    [{ accent: 'red' }, 'accent: must be a colour such as #0a7d4f'],
    [{ accent: '#fff' }, 'accent: must be a colour such as #0a7d4f'],
    [{ accent: '#0a7d4f;}' }, 'accent: must be a colour such as #0a7d4f'],
    [{ scheme: 'sepia' }, 'scheme: must be one of auto, light, dark'],
    [{ font: 'Comic Sans' }, 'font: must be one of sans, serif, mono'],
    [{ corners: '12px' }, 'corners: must be one of round, slight, square'],
    [{ background: 'url(//acme.test)' }, 'background: must be a colour such as #0a7d4f'],
    [{ mode: 'wizard' }, 'mode: must be one of page, step'],
    [{ closes: '2026-04-01' }, 'closes: must be a date-time with an offset, such as 2026-03-01T18:00:00Z'],
    [{ closes: '2026-02-30T10:00:00Z' }, 'closes: must be a date-time with an offset, such as 2026-03-01T18:00:00Z'],
    [{ maxResponses: 0 }, 'maxResponses: must be between 1 and 1000000000'],
    [{ maxResponses: 1.5 }, 'maxResponses: must be an integer'],
    [{ maxResponses: 'many' }, 'maxResponses: must be an integer'],
    [{ hidden: ['Campaign'] }, 'hidden[0]: "Campaign" must be 1 to 40 small letters, digits and underscores'],
    [{ hidden: ['a', ''] }, 'hidden[1]: "" must be 1 to 40 small letters, digits and underscores'],
    [{ hidden: ['x'.repeat(41)] }, 'hidden[0]: '],
    [{ hidden: ['__proto__'] }, 'hidden[0]: "__proto__" cannot be a name'],
    [{ hidden: ['constructor'] }, 'hidden[0]: "constructor" cannot be a name'],
    [{ hidden: Array.from({ length: 21 }, (_, i) => `n${i}`) }, 'hidden: at most 20 items are allowed'],
    [{ notify: ['nobody'] }, 'notify[0]: "nobody" is not an email address'],
    [{ notify: ['a@acme.test\r\nBcc: b@acme.test'] }, 'notify[0]: '],
    [{ notify: Array.from({ length: 11 }, (_, i) => `n${i}@acme.test`) }, 'notify: at most 10 items are allowed'],
  ])('%j is refused, and nothing is kept of it', async (changes, message) => {
    const [code, said] = await refusal(set({ scheme: 'light', ...changes }))
    expect([code, said.startsWith(message) || said]).toEqual(['invalid_request', true])
    expect(await read()).toEqual(defaults as never)
  })

  test.each(hostileHtml)('a thank-you text never runs: %s', async (html) => {
    await set({ thanks: html })
    const { text } = await app.request('GET', `/f/${form.launchCode}`)
    const thanks = /<div class="thanks" id="thanks"[^>]*>(.*)<\/div>\n\s*<p id="pay-note"/s.exec(text)?.[1] as string
    expect(thanks).toBeString()
    for (const [tag] of thanks.matchAll(/<[^>]*>/g)) expect(tag).toMatch(SIMPLE_TAG)
  })
})

describe('a logo', () => {
  const logoOf = (headers: Record<string, string> = {}) =>
    app.request('GET', `/f/${form.launchCode}/logo?v=1`, { headers })

  test.each(Object.entries(pictures))('may be a %s; what it is follows from its bytes', async (type, picture) => {
    const { logo } = await set({ logo: picture(320, 80) })
    expect(logo).toMatchObject({ contentType: `image/${type}`, width: 320, height: 80 })
  })

  test('is shown at the head of the page and served as what it is, and nothing else', async () => {
    await set({ logo: png })
    const { text, headers } = await app.request('GET', `/f/${form.launchCode}`)
    const [, address] = /<img class="logo" src="([^"]+)" width="1" height="1" alt="Acme">/.exec(text) ?? []
    expect(headers.get('content-security-policy')).toContain("img-src 'self' data: blob:;")
    const answer = await fetch(app.url + address)
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(png)
    expect([answer.headers.get('content-type'), answer.headers.get('x-content-type-options')]).toEqual([
      'image/png',
      'nosniff',
    ])
    expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
  })

  test('has another address after it was changed, and none once it is gone', async () => {
    await set({ logo: png })
    const first = (await read()).logo?.version
    await set({ logo: pictures.gif(10, 10) })
    expect((await read()).logo?.version).not.toBe(first)
    expect((await logoOf()).headers.get('content-type')).toBe('image/gif')
    await set({ logo: null })
    expect((await logoOf()).status).toBe(404)
    expect((await app.request('GET', `/f/${form.launchCode}`)).text).not.toContain('class="logo"')
  })

  const bytes = (text: string) => new TextEncoder().encode(text)
  test.each<[string, unknown, string]>([
    ['SVG', bytes('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), 'must be a PNG'],
    ['HTML', bytes('<!doctype html><script>alert(1)</script>'), 'must be a PNG'],
    ['HTML that begins like a picture', bytes('GIF89a'), 'must be a PNG'],
    ['nothing', new Uint8Array(), 'must be a PNG'],
    ['a broken header', pictures.png(1, 1).slice(0, 18), 'must be a PNG'],
    ['no pixels', pictures.png(0, 10), 'must be a PNG'],
    ['50 megapixels', pictures.png(10_000, 5000), 'must have at most 16 megapixels, and has 10000 × 5000'],
    ['50 megapixels as WebP', pictures.webp(10_000, 5000), 'must have at most 16 megapixels'],
    ['more than a mebibyte', Buffer.concat([pictures.png(1, 1), Buffer.alloc(1024 * 1024)]), 'must be at most 1 MiB'],
    ['a name', 'logo.png', 'must be a file'],
  ])('of %s is refused', async (_name, logo, message) => {
    const [code, said] = await refusal(set({ logo }))
    expect([code, said.startsWith(`logo: ${message}`) || said]).toEqual(['invalid_request', true])
    expect((await read()).logo).toBeNull()
  })
})
