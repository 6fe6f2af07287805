import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { copyForm } from '../../src/forms/copying.ts'
import { saveDraft } from '../../src/forms/drafts.ts'
import { publishForm } from '../../src/forms/publishing.ts'
import { changeSettings } from '../../src/forms/settings/operations.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { translate as translateInto } from '../support/forms/translated.ts'
import { refusalOf } from '../support/refusal.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app?.close())

const asked = [
  { type: 'choose_one', text: 'Which <b>colour</b>?', options: ['Red', 'Blue'], otherText: 'Another' },
  { type: 'matrix', text: 'How was it?', rowHeadings: ['Speed'], columnHeadings: ['Poor', 'Good'] },
  {
    type: 'likert',
    text: 'Say',
    scales: [
      { text: 'Cold', opposingText: 'Hot' },
      { text: 'Disagree', opposingText: 'Agree' },
    ],
  },
  { type: 'binary', text: 'Coming?', trueLabel: 'Sure' },
  { type: 'ranking', text: 'Order', rankOptions: ['Price', 'Quality'] },
  { type: 'contact_details', text: 'You', contactFields: [{ field: 'email', label: 'Work email', visible: true }] },
  { type: 'file_upload', text: 'Files', fileUploadSlots: ['Photo'] },
]

async function formIn(tenant: TestTenant, questions: object[] = asked) {
  const pages = [{ title: 'One', questions }]
  const { body } = await tenant.post('/v1/forms', { title: 'Survey', description: 'About you', active: true, pages })
  await tenant.perform((tx, caller) => publishForm(tx, caller, body.id))
  const [page] = body.pages
  return { ...body, page, ids: page.questions.map(({ id }: { id: number }) => id) as number[] }
}

type Form = Awaited<ReturnType<typeof formIn>>

const translate = (tenant: TestTenant, form: Form, texts: Record<string, string>, language = 'de') =>
  translateInto(tenant, form, language, texts)

const definition = async (form: Form, lang?: string) => {
  const query = lang === undefined ? '' : `?lang=${lang}`
  return (await app.request('GET', `/f/${form.launchCode}/definition${query}`)).body
}

describe('texts of a form in another language', () => {
  test('stand in the definition, and labels that answers name beside the form’s own', async () => {
    const acme = await app.createTenant('Definition')
    const form = await formIn(acme)
    const [colour, how, say, coming, order, you, files] = form.ids
    await translate(acme, form, {
      title: 'Umfrage',
      description: 'Über <i>Sie</i><script>alert(1)</script>',
      [`page${form.page.id}.title`]: 'Eins',
      [`q${colour}.text`]: 'Welche <b>Farbe</b>?',
      [`q${colour}.options[0]`]: 'Rot',
      [`q${colour}.otherText`]: 'Eine andere',
      [`q${how}.rowHeadings[0]`]: 'Tempo',
      [`q${how}.columnHeadings[1]`]: 'Gut',
      [`q${say}.scales[0].text`]: 'Kalt',
      [`q${coming}.trueLabel`]: 'Klar',
      [`q${order}.rankOptions[1]`]: 'Güte',
      [`q${you}.contactFields.email`]: 'E-Mail im Büro',
      [`q${files}.fileUploadSlots[0]`]: 'Foto',
    })

    const german = await definition(form, 'de')

    expect(german).toMatchObject({
      title: 'Umfrage',
      description: 'Über <i>Sie</i>',
      language: 'de',
      languages: ['en', 'de'],
    })
    const [page] = german.pages
    expect(page.title).toBe('Eins')
    expect(page.questions).toMatchObject([
      { text: 'Welche <b>Farbe</b>?', options: ['Red', 'Blue'], labels: ['Rot', 'Blue'], otherText: 'Eine andere' },
      { text: 'How was it?', columnHeadings: ['Poor', 'Good'], columnLabels: ['Poor', 'Gut'], rowLabels: ['Tempo'] },
      {
        scales: [{ text: 'Cold' }, { text: 'Disagree' }],
        scaleLabels: [
          { text: 'Kalt', opposingText: 'Hot' },
          { text: 'Stimme nicht zu', opposingText: 'Stimme zu' },
        ],
      },
      { trueLabel: 'Klar', falseLabel: 'Nein' },
      { rankOptions: ['Price', 'Quality'], rankLabels: ['Price', 'Güte'] },
      { contactFields: [{ field: 'email', label: 'E-Mail im Büro', visible: true }] },
      { fileUploadSlots: ['Foto'] },
    ])
    // A region of the language is the language; one that the form lacks, and nonsense, give its own.
    expect((await definition(form, 'de-AT')).language).toBe('de')
    const own = await definition(form)
    expect(own).toMatchObject({ title: 'Survey', language: 'en', languages: ['en', 'de'] })
    expect(own.pages[0].questions[0]).not.toHaveProperty('labels')
    for (const lang of ['fr', 'en', 'x', '%00']) expect(await definition(form, lang)).toEqual(own)
    // What the API reads is the form's own.
    const read = (await acme.get(`/v1/forms/${form.id}`)).body
    expect(read).toMatchObject({ title: 'Survey', pages: form.pages })
  })

  test('hold at once, without a new revision, and are taken away by blank ones', async () => {
    const acme = await app.createTenant('At once')
    const form = await formIn(acme)
    await translate(acme, form, { title: 'Umfrage' })
    expect(await definition(form, 'de')).toMatchObject({ title: 'Umfrage' })
    await translate(acme, form, { title: 'Befragung', description: 'Über Sie' })
    expect(await definition(form, 'de')).toMatchObject({ title: 'Befragung', description: 'Über Sie' })
    const sheet = await translate(acme, form, { title: ' ', description: '' })
    expect(sheet.missing).toBe(sheet.texts.length)
    expect(await definition(form, 'de')).toMatchObject({ title: 'Survey', languages: ['en'] })
  })

  test('go with what they translate: an option that moves keeps its words, one that changes has none', async () => {
    const acme = await app.createTenant('Moves')
    const form = await formIn(acme, [asked[0] as object])
    const [id] = form.ids
    await translate(acme, form, {
      [`q${id}.options[0]`]: 'Rot',
      [`q${id}.options[1]`]: 'Blau',
      [`q${id}.text`]: 'Farbe?',
    })
    const page = {
      ...form.page,
      questions: [{ ...form.page.questions[0], text: 'Colour?', options: ['Blue', 'Green'] }],
    }
    await acme.perform((tx, caller) => saveDraft(tx, caller, form.id, { title: 'Survey', pages: [page] }))
    // Until the draft is published, what is published is asked.
    expect((await definition(form, 'de')).pages[0].questions[0].labels).toEqual(['Rot', 'Blau'])
    await acme.perform((tx, caller) => publishForm(tx, caller, form.id))

    const { pages } = await definition(form, 'de')

    expect(pages[0].questions[0]).toMatchObject({
      options: ['Blue', 'Green'],
      labels: ['Blau', 'Green'],
      text: 'Farbe?',
    })
    const { texts, outdated } = await translate(acme, form, {})
    expect(outdated).toBe(1)
    expect(texts.find(({ isOutdated }) => isOutdated)?.key).toBe(`q${id}.text`)
  })

  test('are refused all together, by name and rule, where one cannot be', async () => {
    const acme = await app.createTenant('Refusals')
    const form = await formIn(acme)
    const [colour] = form.ids
    const refusal = (texts: Record<string, string>, language?: string) =>
      translate(acme, form, { title: 'Umfrage', ...texts }, language).then(
        () => 'taken',
        (error) => error.message,
      )
    expect(await refusal({ 'q0.text': 'x' })).toBe('q0.text: the form has no text "q0.text"')
    expect(await refusal({ __proto__x: 'x', constructor: 'x' })).toContain('the form has no text')
    expect(await refusal({ [`q${colour}.options[0]`]: 'x'.repeat(501) })).toBe(
      `q${colour}.options[0]: must be at most 500 characters`,
    )
    expect(await refusal({ title: 'x'.repeat(256) })).toContain('title: ')
    expect(await refusal({}, 'en')).toBe('language: is the form’s own language, and its texts stand in the form')
    expect(await refusal({}, 'no language')).toContain('language: ')
    expect(await refusal({ description: '<p>'.repeat(6000) })).toContain('description: ')
    expect(await definition(form, 'de')).toMatchObject({ title: 'Survey', languages: ['en'] })
    // Another company's form is not there.
    const evil = await app.createTenant('Evil')
    expect(await refusalOf(translate(evil, form, { title: 'Mein' }))).toContain('not found')
  })

  test('come along with a copy of the form, under its own ids', async () => {
    const acme = await app.createTenant('Copies')
    const form = await formIn(acme)
    await translate(acme, form, {
      title: 'Umfrage',
      [`q${form.ids[0]}.options[1]`]: 'Blau',
      [`page${form.page.id}.title`]: 'Eins',
    })
    const copy = await acme.perform((tx, caller) => copyForm(tx, caller, form.id))
    await acme.perform((tx, caller) => publishForm(tx, caller, copy.id))
    const { pages } = await definition(copy as Form, 'de')
    expect(pages[0]).toMatchObject({ title: 'Eins', questions: [{ labels: ['Red', 'Blau'] }, {}, {}, {}, {}, {}, {}] })
  })

  test('are those of the end, too', async () => {
    const acme = await app.createTenant('Ends')
    const form = await formIn(acme)
    await acme.perform((tx, caller) => changeSettings(tx, caller, form.id, { thanks: '<b>Thanks!</b>' }))
    await translate(acme, form, { thanks: '<b>Danke!</b>', title: 'Umfrage' })
    const page = (await app.request('GET', `/f/${form.launchCode}?lang=de`)).text
    expect(page).toMatch(/<div class="thanks"[^>]*><b>Danke!<\/b><\/div>/)
  })

  test('are those of several ends, and go with what an end says wherever it stands', async () => {
    const acme = await app.createTenant('Several ends')
    const end = (thanks: string) => ({ showIf: null, thanks, redirect: null })
    const body = { title: 'Survey', active: true, questions: [{ type: 'nps' }], ends: [end('Sad'), end('Happy')] }
    const form = (await acme.post('/v1/forms', body)).body
    await acme.perform((tx, caller) => publishForm(tx, caller, form.id))
    await translate(acme, form, { 'ends[1].thanks': '<i>Froh</i><script>x</script>' })
    expect((await definition(form, 'de')).ends).toMatchObject([{ thanks: 'Sad' }, { thanks: '<i>Froh</i>' }])
    const ends = [end('Happy'), end('Sad')]
    await acme.perform((tx, caller) => saveDraft(tx, caller, form.id, { title: 'Survey', pages: form.pages, ends }))
    await acme.perform((tx, caller) => publishForm(tx, caller, form.id))
    expect((await definition(form, 'de')).ends).toMatchObject([{ thanks: '<i>Froh</i>' }, { thanks: 'Sad' }])
  })
})
