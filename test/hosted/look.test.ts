import { describe, expect, test } from 'bun:test'
import { changeSettings } from '../../src/forms/settings/operations.ts'
import type { SettingsChanges } from '../../src/forms/settings/read.ts'
import { accentOf, backgroundOf } from '../../src/hosted/page/accent.ts'
import { createTenant } from '../../src/tenants/operations.ts'
import type { TestApp, TestTenant } from '../support/app.ts'
import type { TestForm } from '../support/forms/collecting.ts'
import { setUpForm } from '../support/pages/fixtures.ts'
import { refusal } from '../support/refusal.ts'

let app: TestApp
let acme: TestTenant
let form: TestForm

setUpForm([{ type: 'nps' }], (fixture) => ({ app, acme, form } = fixture))

const set = (changes: SettingsChanges) => acme.perform((tx, caller) => changeSettings(tx, caller, form.id, changes))
const read = () => app.request('GET', `/f/${form.launchCode}`)

/** Relative luminance and contrast, as WCAG 2.2 defines them. */
function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

const colours = ['#000000', '#ffffff', '#ffff00', '#ff0000', '#00ff00', '#0000ff', '#0f8f80', '#808080', '#f4c2c2']

describe('an accent colour', () => {
  test.each(colours)('%s becomes shades that can be read on light and on dark, and text on them', (colour) => {
    const { light, dark } = accentOf(colour)
    // The darkest light background and the lightest dark one of the pages.
    for (const shade of [light.accent, light.hover]) expect(contrast(shade, '#f0f0f0')).toBeGreaterThanOrEqual(4.5)
    for (const shade of [dark.accent, dark.hover]) expect(contrast(shade, '#2e2e2e')).toBeGreaterThanOrEqual(4.5)
    expect(contrast(light.accent, '#ffffff')).toBeGreaterThanOrEqual(4.5)
    expect(contrast(dark.accent, '#1a1a1a')).toBeGreaterThanOrEqual(4.5)
  })

  test('that has the contrast already stays as it is', () => {
    expect(accentOf('#0a5d52').light.accent).toBe('#0a5d52')
    expect(accentOf('#9be7d8').dark.accent).toBe('#9be7d8')
  })

  test('shows on the page at once, in the one style element that its policy names', async () => {
    await read()
    await set({ accent: '#ffff00' })
    const { text, headers } = await read()
    const [, css = ''] = /<style>([^<]*)<\/style>/.exec(text) ?? []
    expect(css).toContain(`--accent:${accentOf('#ffff00').light.accent}`)
    expect(css).toContain(`--accent:${accentOf('#ffff00').dark.accent}`)
    const hash = new Bun.CryptoHasher('sha256').update(css).digest('base64')
    expect(headers.get('content-security-policy')).toContain(`style-src 'self' 'sha256-${hash}';`)
    await set({ accent: null })
    const plain = await read()
    expect(plain.text).not.toContain('<style>')
    expect(plain.headers.get('content-security-policy')).toContain("style-src 'self';")
  })
})

describe('a background colour', () => {
  const six = (colour: string) => (colour.length === 4 ? colour.replace(/[^#]/g, '$&$&') : colour)

  test.each(colours)('%s can be written on, and is dark on dark pages', (colour) => {
    const { light, dark } = backgroundOf(colour)
    expect(light.page).toBe(colour)
    for (const { page, text } of [light, dark]) expect(contrast(page, six(text))).toBeGreaterThanOrEqual(4.5)
    expect([dark.text, contrast(dark.page, '#ffffff') > 10]).toEqual(['#fff', true])
  })

  test('shows on the page at once, light and dark, and marks that there is one', async () => {
    expect((await read()).text).not.toContain('backed')
    await set({ background: '#f4d9b0' })
    const { text, headers } = await read()
    const [, css = ''] = /<style>([^<]*)<\/style>/.exec(text) ?? []
    const { dark } = backgroundOf('#f4d9b0')
    expect(css).toBe(
      `:root:root:root{--page:#f4d9b0;--on-page:#000}@media(prefers-color-scheme:dark){:root:root:root{--page:${dark.page};--on-page:#fff}}`,
    )
    const hash = new Bun.CryptoHasher('sha256').update(css).digest('base64')
    expect(headers.get('content-security-policy')).toContain(`style-src 'self' 'sha256-${hash}';`)
    expect(text).toMatch(/<html [^>]*class="hue-\d backed">/)
  })
})

test('letters and corners are rules of the page, and the usual ones need none', async () => {
  await set({ font: 'serif', corners: 'square' })
  expect((await read()).text).toMatch(/<style>:root:root:root\{--face:ui-serif,[^;]+,serif;--round:0\}<\/style>/)
  await set({ font: 'sans', corners: 'round' })
  expect((await read()).text).not.toContain('<style>')
})

test.each(['light', 'dark'] as const)('a form that is always %s says so, with that shade alone', async (scheme) => {
  await set({ scheme, accent: '#ff0000' })
  const { text } = await read()
  expect(text).toMatch(new RegExp(`<html lang="en" dir="ltr" class="hue-\\d ${scheme}">`))
  expect(text).toContain(`<meta name="color-scheme" content="${scheme}">`)
  const { light, dark } = accentOf('#ff0000')
  const [shown, other] = scheme === 'light' ? [light, dark] : [dark, light]
  expect(text).toContain(`--accent:${shown.accent};`)
  expect(text).not.toContain(`--accent:${other.accent};`)
})

describe('the end', () => {
  test('has the owner’s thanks in the place of ours', async () => {
    await set({ thanks: '<p>Danke, <b>Ada</b>!</p>' })
    const { text } = await read()
    expect(text).toContain('<div class="thanks" id="thanks"><p>Danke, <b>Ada</b>!</p></div>')
    expect(text).not.toContain('Your answers have been sent to')
  })

  test('knows where it leads', async () => {
    await set({ redirect: 'https://acme.test/?a="&b=1' })
    expect((await read()).text).toContain(' data-redirect="https://acme.test/?a=%22&amp;b=1"')
  })
})

describe('the language of a form', () => {
  test('is its own, else its tenant’s, else English', async () => {
    expect((await read()).text).toContain('<html lang="en"')
    await set({ language: 'pt-br' })
    expect((await read()).text).toContain('<html lang="pt-BR"')
    await set({ language: null })
    expect((await read()).text).toContain('<html lang="en"')
  })

  test('of a tenant has to be one', async () => {
    const make = (language: string) =>
      app.database.transaction((tx) => createTenant(tx, { name: 'X', language }, app.clock.now()))
    expect(await refusal(make('klingon!'))).toEqual([
      'invalid_request',
      'language: must be a language tag such as de or pt-BR',
    ])
    await make('de')
  })
})
