import { describe, expect, test } from 'bun:test'
import { copyForm } from '../../src/forms/copying.ts'
import { createForm } from '../../src/forms/operations.ts'
import { trashForm } from '../../src/forms/publishing.ts'
import { getFile } from '../../src/forms/settings/files.ts'
import { changeSettings, getSettings } from '../../src/forms/settings/operations.ts'
import type { SettingsChanges } from '../../src/forms/settings/read.ts'
import { formFileKinds } from '../../src/kinds/form-files.ts'
import type { TestApp, TestTenant } from '../support/app.ts'
import type { TestForm } from '../support/forms/collecting.ts'
import { png } from '../support/forms/hosted.ts'
import { setUpForm } from '../support/pages/fixtures.ts'
import { woff2 } from '../support/pages/fonts.ts'
import { pictures } from '../support/pages/images.ts'
import { refusal } from '../support/refusal.ts'

let app: TestApp
let acme: TestTenant
let form: TestForm

setUpForm([{ type: 'nps' }], (fixture) => ({ app, acme, form } = fixture))

const set = (changes: SettingsChanges, formId = form.id) =>
  acme.perform((tx, caller) => changeSettings(tx, caller, formId, changes))
const read = () => app.request('GET', `/f/${form.launchCode}`)
const addressIn = (text: string, kind: string) => new RegExp(`/f/\\w+/${kind}\\?v=\\w+`).exec(text)?.[0] ?? ''

describe('a font of one’s own', () => {
  test('is loaded from where the page is, and its policy allows that alone', async () => {
    expect((await read()).headers.get('content-security-policy')).not.toContain('font-src')
    const bytes = woff2({ family: 'Häuser' })
    const { fontFile } = await set({ fontFile: bytes })
    expect(fontFile).toMatchObject({ contentType: 'font/woff2', family: 'Häuser', isVariable: false })
    const { text, headers } = await read()
    expect(headers.get('content-security-policy')).toContain("; font-src 'self'; ")
    const address = addressIn(text, 'fontFile')
    expect(text).toContain(`<link rel="preload" href="${address}" as="font" type="font/woff2" crossorigin>`)
    expect(text).toContain(`src:url("${address}")format("woff2");font-display:swap}`)
    expect(text).toContain('--face:own,system-ui,sans-serif')
    const answer = await fetch(app.url + address)
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'font/woff2',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'public, max-age=31536000, immutable',
    })
  })

  test('of all weights says so, and goes before the letters that were chosen', async () => {
    await set({ fontFile: woff2({ further: { fvar: Buffer.alloc(16) } }), font: 'serif' })
    const { text } = await read()
    expect(text).toContain('font-display:swap;font-weight:100 900}')
    expect(text).toMatch(/--face:own,ui-serif,[^;}]+,serif/)
  })

  const whole = woff2()
  const changed = (at: number, value: number) => {
    const bytes = whole.slice()
    bytes[at] = value
    return bytes
  }
  const bomb = () => woff2({ further: { post: Buffer.alloc(5 * 1024 * 1024) } })
  test.each<[string, () => unknown, string]>([
    ['a TrueType font', () => Uint8Array.from([0, 1, 0, 0, ...whole.slice(4)]), 'must be a WOFF2 font'],
    ['a WOFF font', () => changed(3, 0x46), 'must be a WOFF2 font'],
    [
      'a collection',
      () => Uint8Array.from([...whole.slice(0, 4), ...Buffer.from('ttcf'), ...whole.slice(8)]),
      'must be a',
    ],
    ['a picture', () => png, 'must be a WOFF2 font'],
    ['nothing', () => new Uint8Array(), 'must be a WOFF2 font'],
    ['half of it', () => whole.slice(0, whole.length / 2), 'must be a WOFF2 font'],
    ['more than it says', () => Uint8Array.from([...whole, 0]), 'must be a WOFF2 font'],
    ['tables that cannot be unpacked', () => changed(100, 0xff ^ (whole[100] as number)), 'must be a WOFF2 font'],
    ['no letters', () => woff2({ without: ['cmap'] }), 'must be a WOFF2 font'],
    ['no outlines', () => woff2({ without: ['glyf'] }), 'must be a WOFF2 font'],
    ['five mebibytes of nothing', bomb, 'must be a WOFF2 font'],
    ['more than 512 KiB', () => Buffer.concat([whole, Buffer.alloc(512 * 1024)]), 'must be at most 512 KiB'],
    ['a name', () => 'font.woff2', 'must be a file'],
  ])('of %s is refused', async (_name, make, message) => {
    const [code, said] = await refusal(set({ fontFile: make() }))
    expect([code, said.startsWith(`fontFile: ${message}`) || said]).toEqual(['invalid_request', true])
    expect((await getSettings(app.database.db, acme.tenantId, form.id)).fontFile).toBeNull()
  })
})

describe('a cover and a background image', () => {
  test('are on the page, and served as what they are', async () => {
    await set({ cover: pictures.png(1200, 400), backgroundImage: pictures.webp(1600, 900) })
    const { text, headers } = await read()
    expect(headers.get('content-security-policy')).toContain("img-src 'self' data: blob:;")
    expect(text).toContain(`<img class="cover" src="${addressIn(text, 'cover')}" width="1200" height="400" alt="">`)
    expect(text).toContain(`--picture:url("${addressIn(text, 'backgroundImage')}")`)
    expect(text).toMatch(/<html [^>]*class="hue-\d backed pictured">/)
    for (const [kind, type] of [
      ['cover', 'image/png'],
      ['backgroundImage', 'image/webp'],
    ] as const) {
      const answer = await app.request('GET', addressIn(text, kind))
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type])
      expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    }
  })

  test.each(['cover', 'backgroundImage'])('%s: SVG is refused', async (kind) => {
    const svg = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>')
    expect(await refusal(set({ [kind]: svg }))).toEqual([
      'invalid_request',
      `${kind}: must be a PNG, JPEG, GIF or WebP image`,
    ])
  })
})

const all = () => ({ logo: png, cover: pictures.gif(30, 10), backgroundImage: pictures.png(8, 8), fontFile: woff2() })

test.each([...formFileKinds])(
  '%s has another address once it is another file, and none once it is gone',
  async (kind) => {
    await set(all())
    const first = addressIn((await read()).text, kind)
    const other = kind === 'fontFile' ? woff2({ family: 'Other' }) : pictures.gif(11, 11)
    await set({ [kind]: other })
    const second = addressIn((await read()).text, kind)
    expect(second).not.toBe(first)
    expect(Buffer.from(await (await fetch(app.url + second)).arrayBuffer())).toEqual(Buffer.from(other))
    await set({ [kind]: null })
    expect(addressIn((await read()).text, kind)).toBe('')
    expect((await app.request('GET', second)).status).toBe(404)
  },
)

test('the files of a form that was never published are there by their version alone, and none of one in the trash', async () => {
  const { id, launchCode } = await acme.perform((tx, caller) => createForm(tx, caller, { title: 'Draft' }))
  const { cover } = await set(all(), id)
  const ask = async (version?: string) => (await app.request('GET', `/f/${launchCode}/cover?v=${version}`)).status
  expect([await ask(cover?.version), await ask('1'), await ask('')]).toEqual([200, 404, 404])
  await acme.perform((tx, caller) => trashForm(tx, caller, id))
  expect(await ask(cover?.version)).toBe(404)
})

test('a copy has all files, and goes without the form they come from', async () => {
  await set(all())
  const { id } = await acme.perform((tx, caller) => copyForm(tx, caller, form.id))
  await set({ logo: null, cover: null, backgroundImage: null, fontFile: null })
  for (const [kind, bytes] of Object.entries(all())) {
    const file = await getFile(app.database.db, acme.tenantId, id, kind as keyof ReturnType<typeof all>)
    expect(Buffer.from(file.bytes)).toEqual(Buffer.from(bytes))
  }
})
