import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createCategory, placeArticle, renameCategory } from '../../src/articles/categories.ts'
import type { Source } from '../../src/articles/model.ts'
import { setLanguages } from '../../src/articles/sources.ts'
import { deleteTranslation, translateArticle } from '../../src/articles/translations.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createTestSource } from '../support/chat/articles.ts'
import { refusalOf } from '../support/refusal.ts'

const BASE = 'https://desk.acme.test/app'

let app: TestApp
let acme: TestTenant
let source: Source

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_BASE_URL: BASE, FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
  acme = await app.createTenant('Acme')
  source = await createTestSource(acme)
  await put('refunds', 'Refunds', 'Money comes back. See [shipping](shipping).')
  await put('shipping', 'Shipping', 'Parcels take two days.')
  await put('it', 'Computers', 'About machines.')
  await speak('de', 'it', 'ar')
  await translate('refunds', 'de', 'Erstattungen', 'Das Geld kommt zurück. Siehe [Versand](shipping).')
  await translate('refunds', 'it', 'Rimborsi', 'I soldi tornano.')
  await translate('shipping', 'ar', 'الشحن', 'يومان.')
})
afterAll(() => app.close())

const put = (slug: string, title: string, content: string, of = source.id, tenant = acme) =>
  tenant.put(`/v1/livechat/sources/${of}/articles/${slug}`, { title, content })
const speak = (...languages: string[]) =>
  acme.perform((tx, caller) => setLanguages(tx, caller, source.id, { language: 'en', languages }))
const translate = (slug: string, language: string, title: string, content: string) =>
  acme.perform((tx, caller) =>
    translateArticle(tx, caller, { sourceId: source.id, slug, language }, { title, content }),
  )
const home = () => `/help/${source.id}`
const read = (path: string) => app.request('GET', path)
const alternates = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/<link rel="alternate" hreflang="([^"]+)" href="([^"]+)">/g)].map(([, tag, url]) => [tag, url]),
  )
const canonicalOf = (text: string) => /<link rel="canonical" href="([^"]+)">/.exec(text)?.[1]
const titlesOf = (text: string) => [...text.matchAll(/<h3><a [^>]*>([^<]+)</g)].map(([, title]) => title)

describe('an article', () => {
  test('is read in each of its languages, which know each other', async () => {
    const languages = {
      en: `${BASE}${home()}/refunds`,
      de: `${BASE}${home()}/de/refunds`,
      it: `${BASE}${home()}/it/refunds`,
      'x-default': `${BASE}${home()}/refunds`,
    }
    const own = await read(`${home()}/refunds`)
    expect(own.text).toContain('<html lang="en" dir="ltr"')
    expect([canonicalOf(own.text), alternates(own.text)]).toEqual([languages.en, languages])
    const german = await read(`${home()}/de/refunds`)
    expect(german.status).toBe(200)
    expect(german.text).toContain('<html lang="de" dir="ltr"')
    expect(german.text).toContain('<h1>Erstattungen</h1>')
    // Relative, so the language stays.
    expect(german.text).toContain('<a href="shipping">Versand</a>')
    expect([canonicalOf(german.text), alternates(german.text)]).toEqual([languages.de, languages])
    expect(german.text).not.toContain('class="notice"')
    expect(german.text).toContain('<span lang="ar" dir="rtl">العربية</span>')
  })

  test('that is not translated is read as it was written, with a word about it, and known by its own address', async () => {
    const { status, text } = await read(`${home()}/ar/refunds`)
    expect(status).toBe(200)
    expect(text).toContain('<html lang="ar" dir="rtl"')
    expect(text).toMatch(/<p class="notice">[^<]*غير متوفر بالعربية[^<]*الإنجليزية/)
    expect(text).toContain('<article class="card" lang="en" dir="ltr">')
    expect([canonicalOf(text), alternates(text)]).toEqual([`${BASE}${home()}/refunds`, {}])
  })

  test('in a language that the help centre has not, or has no more, is where it was written', async () => {
    const moved = await app.request('GET', `${home()}/fr/refunds`)
    expect([moved.status, moved.headers.get('location')]).toEqual([302, `/app${home()}/refunds`])
    const own = await app.request('GET', `${home()}/en/refunds?a=1`)
    expect([own.status, own.headers.get('location')]).toEqual([302, `/app${home()}/refunds?a=1`])
    for (const path of ['xx/refunds', 'de/nothing', '%3Cb%3E/refunds', 'de/@/refunds'])
      expect([path, (await read(`${home()}/${path}`)).status]).toEqual([path, 404])
  })

  test('of another source is not there in any language', async () => {
    const other = await createTestSource(await app.createTenant('Other'))
    for (const path of [`${home().replace(source.id, other.id)}/de/refunds`, `/help/${other.id}/refunds`])
      expect((await app.request('GET', path)).text).not.toContain('Erstattungen')
  })
})

describe('the front page of a language', () => {
  test('has the translations, and the others as they were written', async () => {
    const { text } = await read(`${home()}/de`)
    expect(text).toContain('<html lang="de" dir="ltr"')
    expect(titlesOf(text)).toEqual(['Computers', 'Shipping', 'Erstattungen'])
    expect(text).toContain(
      `<a href="/app${home()}/de/shipping" lang="en" dir="ltr">Shipping</a> <span class="tongue">Englisch`,
    )
    expect(text).toContain(`<a href="/app${home()}/de/refunds">Erstattungen</a></h3>`)
    expect(alternates(text)).toMatchObject({
      de: `${BASE}${home()}/de`,
      it: `${BASE}${home()}/it/@`,
      en: BASE + home(),
    })
    expect(titlesOf((await read(home())).text)).toEqual(['Computers', 'Shipping', 'Refunds'])
  })

  test('gives way to an article that has its address', async () => {
    expect((await read(`${home()}/it`)).text).toContain('<h1>Computers</h1>')
    const { text } = await read(`${home()}/it/@`)
    expect(text).toContain('<html lang="it"')
    expect(titlesOf(text)).toContain('Rimborsi')
    expect((await read(`${home()}/it/it`)).text).toContain('<h1>Computers</h1>')
  })

  test('searches its language first, and then what was written', async () => {
    const german = await read(`${home()}/de?q=${encodeURIComponent('Wann kommt das Geld zurück?')}`)
    expect(german.text).toMatch(/<ol class="results"><li><h2><a href="[^"]*\/de\/refunds">Erstattungen</)
    const english = await read(`${home()}/de?q=parcels`)
    expect(english.text).toMatch(
      /<ol class="results"><li><h2><a href="[^"]*\/de\/shipping" lang="en" dir="ltr">Shipping</,
    )
    // What is written in another language is nobody else's.
    expect((await read(`${home()}?q=Erstattungen`)).text).not.toContain('class="results"')
    expect((await read(`${home()}/it/@?q=Erstattungen`)).text).not.toContain('class="results"')
  })

  test('calls categories as they are called there, once they are', async () => {
    const id = await acme.perform(async (tx, caller) => {
      const category = await createCategory(tx, caller, source.id, 'Money')
      await placeArticle(tx, caller, { sourceId: source.id, slug: 'refunds' }, category.id)
      return category.id
    })
    const name = (names: object, own = 'Money') =>
      acme.perform((tx, caller) => renameCategory(tx, caller, source.id, id, own, names))
    expect((await read(`${home()}/de`)).text).toContain(`<h2 id="c-${id}" class="part" lang="en" dir="ltr">Money</h2>`)
    await name({ de: 'Geld', it: '' })
    expect((await read(`${home()}/de`)).text).toContain(`<h2 id="c-${id}" class="part">Geld</h2>`)
    expect((await read(home())).text).toContain(`<h2 id="c-${id}" class="part">Money</h2>`)
    expect((await read(`${home()}/de?category=${id}`)).text).toContain('<h1 class="asked">Geld</h1>')
    expect(await refusalOf(name({ de: 'x'.repeat(81) }))).toContain('name-de')
    await name({ de: '' })
    expect((await read(`${home()}/de`)).text).toContain('Money</h2>')
  })
})

test('the sitemap has every language that is offered', async () => {
  const { text } = await read(`${home()}/sitemap.xml`)
  const urls = [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => (url as string).replace(BASE + home(), ''))
  expect(urls.toSorted()).toEqual(
    [
      '',
      '/de',
      '/it/@',
      '/ar',
      '/refunds',
      '/shipping',
      '/it',
      '/de/refunds',
      '/it/refunds',
      '/ar/shipping',
    ].toSorted(),
  )
})

describe('a question in the chat', () => {
  const ask = async (question: string, { language, header }: { language?: unknown; header?: string }) =>
    app.request('POST', `/chat/${source.id}/ask`, {
      body: { question, ...(language === undefined ? {} : { language }) } as object,
      headers: header ? { 'accept-language': header } : {},
    })
  const german = { slug: 'refunds', title: 'Erstattungen', url: `${BASE}/help/` }

  test('is answered from the language that its reader asks for, or whose browser does', async () => {
    for (const how of [{ language: 'de-AT' }, { header: 'fr, de;q=0.8, en;q=0.5' }]) {
      const { body } = await ask('Wann kommt mein Geld zurück?', how)
      expect(body.passages[0]).toMatchObject({ ...german, url: `${BASE}${home()}/de/refunds` })
      expect(Object.keys(body.passages[0])).toEqual(['slug', 'title', 'excerpt', 'url'])
    }
    const { body } = await ask('parcels', { language: 'de' })
    expect(body.passages.map(({ title, url }: Record<string, string>) => [title, url])).toEqual([
      ['Shipping', `${BASE}${home()}/shipping`],
    ])
  })

  test('is answered from what was written where the reader wants that, or nothing that there is', async () => {
    for (const how of [{}, { language: null }, { language: 'en' }, { language: 'ja' }, { header: 'en-GB, de' }]) {
      expect((await ask('money', how)).body.passages[0]).toMatchObject({
        title: 'Refunds',
        url: `${BASE}${home()}/refunds`,
      })
      expect((await ask('Erstattungen', how)).body.passages).toEqual([])
    }
    const { status, body } = await ask('money', { language: 'no language' })
    expect([status, body.message]).toEqual([400, expect.stringContaining('language')])
  })
})

test('the API has the articles as they were written, whatever they are translated into', async () => {
  const path = `/v1/livechat/sources/${source.id}/articles`
  const { body } = await acme.get(path)
  expect(body.items.map(({ slug, title }: Record<string, string>) => [slug, title])).toEqual([
    ['it', 'Computers'],
    ['shipping', 'Shipping'],
    ['refunds', 'Refunds'],
  ])
  expect((await acme.get(`${path}/refunds`)).body).toMatchObject({ title: 'Refunds' })
  expect(Object.keys((await acme.get(`${path}/refunds`)).body)).not.toContain('language')
  expect((await acme.get(`${path}?query=Erstattungen`)).body.items).toEqual([])
  expect((await acme.get(`${path}?query=money`)).body.items).toHaveLength(1)
  expect((await acme.get('/v1/livechat/sources')).body.items).toEqual([source])
})

test('a language that is taken out is read nowhere, and its translations are there again once it is back', async () => {
  await speak('it', 'ar')
  const gone = await app.request('GET', `${home()}/de`)
  expect([gone.status, gone.headers.get('location')]).toEqual([302, `/app${home()}`])
  expect((await read(`${home()}/refunds`)).text).not.toContain('hreflang="de"')
  expect((await read(`${home()}/sitemap.xml`)).text).not.toContain(`${home()}/de`)
  expect(await refusalOf(translate('refunds', 'de', 'A', 'B'))).toContain('language not found')
  await speak('de', 'it', 'ar')
  expect((await read(`${home()}/de/refunds`)).text).toContain('Erstattungen')
  for (const languages of [['xx'], ['DE'], ['']]) expect(await refusalOf(speak(...languages))).toContain('languages')
})

test('a translation that is deleted leaves the article, and one that is deleted takes its translations along', async () => {
  await put('gone', 'Gone', 'Soon.')
  await translate('gone', 'de', 'Weg', 'Bald.')
  const name = { sourceId: source.id, slug: 'gone', language: 'de' }
  const remove = (language = 'de') => acme.perform((tx, caller) => deleteTranslation(tx, caller, { ...name, language }))
  await remove()
  expect((await read(`${home()}/de/gone`)).text).toContain('class="notice"')
  for (const language of ['de', '', 'it']) expect(await refusalOf(remove(language))).toContain('not found')
  await translate('gone', 'de', 'Weg', 'Bald.')
  await acme.delete(`/v1/livechat/sources/${source.id}/articles/gone`)
  expect((await read(`${home()}/de/gone`)).status).toBe(404)
  await put('gone', 'Another', 'Thing.')
  expect((await read(`${home()}/de/gone`)).text).toContain('<h1>Another</h1>')
})
