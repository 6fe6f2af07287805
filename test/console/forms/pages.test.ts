import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { forms } from '../../../src/db/schema.ts'
import { publishForm, trashForm } from '../../../src/forms/publishing.ts'
import { changeSettings, getSettings } from '../../../src/forms/settings/operations.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { begin, complete, createPublished, createUnpublished, type TestForm } from '../../support/forms/collecting.ts'
import { png, respondent } from '../../support/forms/hosted.ts'
import { signedIn } from '../../support/pages/console.ts'
import { woff2 } from '../../support/pages/fonts.ts'

const HOSTILE = '"><script>alert(1)</script>'

let app: TestApp
let acme: TestTenant
let agent: Awaited<ReturnType<typeof signedIn>>
let stranger: Awaited<ReturnType<typeof signedIn>>

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
  stranger = await signedIn(app, await app.createTenant('Other'), 'admin')
})
beforeEach(async () => {
  acme = await app.createTenant()
  agent = await signedIn(app, acme, 'agent')
})
afterAll(() => app.close())

const settingsOf = (form: TestForm) => getSettings(app.database.db, acme.tenantId, form.id)
const statusOf = async (form: TestForm) =>
  (await app.database.db.select().from(forms).where(eq(forms.id, form.id)))[0]?.status

describe('the list of responses', () => {
  const listOf = async (id: string) => (await agent.get(`/console/forms/${id}/responses`)).text

  test('tells responses apart by what was typed or chosen, else by what was asked and answered', async () => {
    const form = await createPublished(acme, [
      { type: 'numeric', text: 'How many <b>loaves</b>?' },
      { type: 'binary', text: 'Delivered?', trueLabel: 'Yes', falseLabel: 'No' },
      { type: 'textbox', text: 'Where to?' },
    ])
    await complete(acme, form, [3, false, undefined])
    await complete(acme, form, [2, true, '12 Harbour Lane'])
    const text = await listOf(form.id)
    expect(text).toContain('<span dir="auto">How many loaves? 3 · Delivered? No</span>')
    expect(text).toContain('<span dir="auto">12 Harbour Lane</span>')
  })

  test('has points where a question gives some', async () => {
    const [scored, unscored] = await Promise.all([
      createPublished(acme, [{ type: 'star_rating' }]),
      createPublished(acme, [{ type: 'textbox' }]),
    ])
    await complete(acme, scored, [4])
    await complete(acme, unscored, ['Hi'])
    expect(await listOf(scored.id)).toContain('>Points</th>')
    expect(await listOf(unscored.id)).not.toContain('>Points</th>')
  })
})

describe('the page of a response', () => {
  test('shows the questions as they were asked with the answers, and whoever gave their email', async () => {
    const form = await createPublished(acme, [
      { type: 'textbox', text: '<b>What</b> else?' },
      { type: 'nps', text: 'Recommend?' },
      {
        type: 'contact_details',
        contactFields: [
          { field: 'first_name', visible: true },
          { field: 'email', visible: true },
        ],
      },
      { type: 'choose_one', options: ['Red', 'Blue'], otherText: 'Another' },
    ])
    const { response } = await complete(acme, form, [
      HOSTILE,
      9,
      { first_name: 'Ada', email: 'ada@acme.test' },
      { selected: null, other: 'Green' },
    ])
    const { status, text } = await agent.get(`/console/responses/${response.id}`)
    expect(status).toBe(200)
    expect(text).toContain('<b>What</b> else?')
    expect(text).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(text).not.toContain('<script>alert')
    expect(text).toContain('9 of 10')
    expect(text).toContain('9 of 10 (90%)')
    expect(text).toContain('Green')
    expect(text).toContain('Question 3')
    expect(text).toMatch(/href="\/console\/contacts\/[\w-]{36}">Ada<\/a> <small>ada@acme\.test/)
    expect(text).toContain(`href="/console/forms/${form.id}/responses"`)
    expect(text).toContain('<dt>Submitted</dt>')
    expect((await stranger.get(`/console/responses/${response.id}`)).status).toBe(404)
  })

  test('shows hidden fields, and says of one that is not finished that it is not', async () => {
    const form = await createPublished(acme, [{ type: 'textbox' }])
    await acme.perform((tx, caller) => changeSettings(tx, caller, form.id, { hidden: ['campaign'] }))
    const answers = [{ questionId: form.questionIds[0], value: 'Hi' }]
    const sent = await app.request('POST', `/f/${form.launchCode}/responses`, {
      body: { answers, complete: false, hiddenFields: { campaign: '<spring>' } },
    })
    const { text } = await agent.get(`/console/responses/${sent.body.id}`)
    expect(text).toContain('Not finished')
    expect(text).not.toContain('<dt>Submitted</dt>')
    expect(text).toMatch(/<dt>campaign<\/dt><dd>&lt;spring&gt;<\/dd>/)
  })

  test('has files to download, for those who are signed in to the tenant', async () => {
    const form = await createPublished(acme, [{ type: 'file_upload', fileUploadSlots: ['CV'] }, { type: 'signature' }])
    const visitor = respondent(app, form)
    const file = (await visitor.upload('hello', 'cv & co.txt')).body.uploadId
    const drawn = (await visitor.upload(png)).body.uploadId
    const sent = await visitor.begin([[{ slot: 0, uploadId: file }], { uploadId: drawn }], true)
    const { text } = await agent.get(`/console/responses/${sent.body.id}`)
    expect(text).toContain(`<a href="/console/uploads/${file}" download>cv &amp; co.txt</a>`)
    expect(text).toContain(`<img class="signature" src="/console/uploads/${drawn}" alt="Signature">`)
    expect(text).not.toContain('/v1/uploads')
    const download = await agent.get(`/console/uploads/${file}`)
    expect([download.status, download.text]).toEqual([200, 'hello'])
    expect(download.headers.get('content-disposition')).toStartWith('attachment;')
    expect(download.headers.get('content-security-policy')).toContain('sandbox')
    expect((await stranger.get(`/console/uploads/${file}`)).status).toBe(404)
  })

  test('says of one that was sent empty that nothing was answered, not that this is still to come', async () => {
    const form = await createPublished(acme, [{ type: 'textbox' }])
    const { response: sent } = await complete(acme, form, [])
    expect((await agent.get(`/console/responses/${sent.id}`)).text).toContain('Sent without answering anything.')
    const { response: begun } = await begin(acme, form, [])
    expect((await agent.get(`/console/responses/${begun.id}`)).text).toContain('Nothing has been answered yet.')
  })

  test('is gone with its form', async () => {
    const form = await createPublished(acme, [{ type: 'nps' }])
    const { response } = await complete(acme, form, [9])
    await acme.perform((tx, caller) => trashForm(tx, caller, form.id))
    expect((await agent.get(`/console/responses/${response.id}`)).status).toBe(404)
  })
})

describe('the list of forms', () => {
  test('says of each what state it is in and how many complete responses it has', async () => {
    const form = await createPublished(acme, [{ type: 'nps' }], `Survey ${HOSTILE}`)
    await complete(acme, form, [9])
    await begin(acme, form, [8])
    await createUnpublished(acme, [], 'Not yet')
    const { status, text } = await agent.get('/console/forms')
    expect(status).toBe(200)
    const [notYet = '', survey = ''] = text.split('<tbody>')[1]?.split('</tr>') ?? []
    expect(notYet).toMatch(/Not yet<\/a>.*Not published.*>0<\/a>.*–/s)
    expect(survey).toMatch(/Collecting.*>1<\/a>.*<time/s)
    expect(text).not.toContain('<script>alert')
    expect((await stranger.get('/console/forms')).text).toContain('There are no forms yet.')
  })

  test('goes on to older ones', async () => {
    for (let i = 0; i < 26; i++) await createUnpublished(acme, [], `Form ${i}!`)
    const first = await agent.get('/console/forms')
    expect(first.text).toContain('Form 25!')
    expect(first.text).not.toContain('Form 0!')
    const next = /rel="next" href="([^"]+)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const second = await agent.get(next)
    expect(second.text).toContain('Form 0!')
    expect(second.text).not.toContain('Form 25!')
    expect((await agent.get('/console/forms?cursor=made-up')).status).toBe(400)
  })
})

describe('the page of a form', () => {
  test('shows where it is found and what it asks', async () => {
    const form = await createPublished(acme, [
      { type: 'nps', text: '<i>Why</i>?', required: true },
      { type: 'textbox', text: '' },
    ])
    const { text } = await agent.get(`/console/forms/${form.id}`)
    expect(text).toContain(`value="${app.deps.config.baseUrl}/f/${form.launchCode}"`)
    expect(text).toContain(`/embed.js&quot; data-form=&quot;${form.launchCode}&quot;`)
    expect(text).toMatch(/aria-label="QR code of the link"><svg/)
    expect(text).toContain('<i>Why</i>?')
    expect(text).toContain('Net Promoter Score')
    expect(text).toContain('Question 2')
    expect(text).not.toMatch(/ style=|<style/)
    for (const path of ['', '/settings', '/results', '/responses', '/export.csv', '/export.json', '/logo'])
      expect((await stranger.get(`/console/forms/${form.id}${path}`)).status).toBe(404)
  })

  test('publishes, closes and re-opens it, for agents too', async () => {
    const form = await createUnpublished(acme, [{ type: 'nps' }])
    const path = `/console/forms/${form.id}`
    const before = await agent.get(path)
    expect(before.text).toContain('Publish the form to get its link')
    expect(before.text).not.toContain('Stop collecting')
    const published = await agent.post(`${path}/publish`)
    expect([published.status, published.headers.get('location')]).toEqual([303, path])
    expect((await agent.follow(published)).text).toContain('The form is published.')
    expect((await app.request('GET', `/f/${form.launchCode}`)).status).toBe(200)
    await agent.post(`${path}/close`)
    expect(await statusOf(form)).toBe('inactive')
    expect((await agent.get(path)).text).toContain('Collect again')
    await agent.post(`${path}/reopen`)
    expect(await statusOf(form)).toBe('active')
    expect((await stranger.post(`${path}/close`)).status).toBe(404)
    expect(await statusOf(form)).toBe('active')
  })

  test('says why it cannot be re-opened', async () => {
    const form = await createPublished(acme, [{ type: 'nps' }])
    await acme.perform((tx, caller) => changeSettings(tx, caller, form.id, { maxResponses: 1 }))
    await complete(acme, form, [9])
    const answer = await agent.post(`/console/forms/${form.id}/reopen`)
    expect(answer.status).toBe(409)
    expect(answer.text).toContain('By its settings the form has ended.')
    expect(await statusOf(form)).toBe('inactive')
  })

  test('puts it into the trash, from which it comes back closed', async () => {
    const form = await createPublished(acme, [{ type: 'nps' }], 'Old one')
    const path = `/console/forms/${form.id}`
    const trashed = await agent.post(`${path}/trash`)
    expect((await agent.follow(trashed)).text).toContain('Old one is in the trash.')
    expect((await agent.get(path)).status).toBe(404)
    expect((await agent.get('/console/forms')).text).not.toContain(`href="${path}"`)
    expect((await agent.get('/console/forms/trash')).text).toContain('Old one')
    expect((await stranger.get('/console/forms/trash')).text).not.toContain('Old one')
    expect((await stranger.post(`${path}/restore`)).status).toBe(404)
    const restored = await agent.post(`${path}/restore`)
    expect((await agent.follow(restored)).text).toContain('The form is back.')
    expect(await statusOf(form)).toBe('inactive')
    expect((await agent.get('/console/forms/trash')).text).toContain('The trash is empty.')
  })

  test('says when changes wait to be published', async () => {
    const form = await createPublished(acme, [{ type: 'nps' }])
    const waiting = JSON.stringify({
      title: 'Survey',
      description: null,
      pages: [{ id: 1, title: null, questions: [] }],
    })
    await acme.perform((tx) => tx.update(forms).set({ draft: waiting }).where(eq(forms.id, form.id)))
    expect((await agent.get(`/console/forms/${form.id}`)).text).toContain('Publish changes')
    await acme.perform((tx, caller) => publishForm(tx, caller, form.id))
    expect((await agent.get(`/console/forms/${form.id}`)).text).not.toContain('Publish changes')
  })
})

describe('the settings of a form', () => {
  const seenIn = (text: string) => /name="seen" value="(\w+)"/.exec(text)?.[1] ?? ''
  const whole = {
    language: 'de',
    mode: 'step',
    scheme: 'dark',
    accent: '#0A7D4F',
    thanks: '<b>Danke</b><script>x</script>',
    redirect: '',
    closes: '2026-12-24T18:00',
    maxResponses: '500',
    hidden: 'campaign\nsource',
    notify: 'ada@acme.test, bob@acme.test',
  }

  test('are a form that saves them all', async () => {
    const form = await createPublished(acme, [{ type: 'nps' }])
    const path = `/console/forms/${form.id}/settings`
    const seen = seenIn((await agent.get(path)).text)
    const saved = await agent.post(path, { ...whole, seen })
    expect([saved.status, saved.headers.get('location')]).toEqual([303, path])
    expect(await settingsOf(form)).toMatchObject({
      ...{ language: 'de', mode: 'step', scheme: 'dark', accent: '#0a7d4f', thanks: '<b>Danke</b>', redirect: null },
      ...{ closes: '2026-12-24T18:00:00.000Z', maxResponses: 500, hidden: ['campaign', 'source'] },
      notify: ['ada@acme.test', 'bob@acme.test'],
    })
    const { text } = await agent.follow(saved)
    expect(text).toContain('The settings were saved.')
    expect(text).toContain('value="2026-12-24T18:00"')
    expect(text).toMatch(/<option value="de" selected>German/)
  })

  test('say what is wrong beside the field, and keep what was typed', async () => {
    const form = await createPublished(acme, [{ type: 'nps' }])
    const path = `/console/forms/${form.id}/settings`
    const seen = seenIn((await agent.get(path)).text)
    for (const [name, value] of [
      ['notify', 'nobody'],
      ['accent', 'red'],
      ['redirect', 'http://a.test'],
      ['maxResponses', 'many'],
      ['hidden', 'Big'],
    ] as const) {
      const refused = await agent.post(path, { ...whole, seen, [name]: value })
      expect([name, refused.status]).toEqual([name, 400])
      expect(refused.text).toMatch(new RegExp(`id="field-${name}-error">(Each line must|Must) `))
      expect(refused.text).toContain(`<a href="#field-${name}">`)
      expect(refused.text).toContain('&lt;b&gt;Danke')
    }
    const german = await agent.post(path, { ...whole, seen, accent: 'red' }, { 'accept-language': 'de' })
    expect(german.text).toContain('Muss eine Farbe sein, etwa #0a7d4f.')
    expect((await settingsOf(form)).language).toBe(null)
  })

  test('tell the second of two people that they changed meanwhile', async () => {
    const form = await createPublished(acme, [{ type: 'nps' }])
    const path = `/console/forms/${form.id}/settings`
    const seen = seenIn((await agent.get(path)).text)
    await acme.perform((tx, caller) => changeSettings(tx, caller, form.id, { accent: '#112233' }))
    const refused = await agent.post(path, { ...whole, seen })
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('Somebody else has changed these settings')
    expect(refused.text).toContain('&lt;b&gt;Danke')
    expect((await settingsOf(form)).accent).toBe('#112233')
    // A form that does not say what it was written from could be of any time.
    expect((await agent.post(path, whole)).status).toBe(409)
    expect((await settingsOf(form)).accent).toBe('#112233')
    expect((await agent.post(path, { ...whole, seen: seenIn(refused.text) })).status).toBe(303)
  })

  test('take a logo, show it and take it away', async () => {
    const form = await createPublished(acme, [{ type: 'nps' }])
    const path = `/console/forms/${form.id}/settings`
    const send = async (fields: Record<string, string>, logo?: File) => {
      const body = new FormData()
      const seen = seenIn((await agent.get(path)).text)
      const entries = { csrf: await agent.csrf(), seen, mode: 'page', scheme: 'auto', ...fields }
      for (const [name, value] of Object.entries(entries)) body.set(name, value)
      if (logo) body.set('logo', logo)
      return agent.request('POST', path, body as never)
    }
    expect((await send({}, new File(['<svg/>'], 'a.png'))).status).toBe(400)
    expect((await send({}, new File([png], 'a.png'))).status).toBe(303)
    expect((await agent.get(path)).text).toContain('The logo as it is now')
    const logo = await agent.get(`/console/forms/${form.id}/logo`)
    expect([logo.status, logo.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect((await send({ removeLogo: 'on' })).status).toBe(303)
    expect((await settingsOf(form)).logo).toBe(null)
    expect((await agent.get(`/console/forms/${form.id}/logo`)).status).toBe(404)
  })

  test('take the other pictures and a font, show them and take them away', async () => {
    const form = await createPublished(acme, [{ type: 'nps' }])
    const path = `/console/forms/${form.id}/settings`
    const send = async (fields: Record<string, string | File>) => {
      const body = new FormData()
      const seen = seenIn((await agent.get(path)).text)
      const entries = { csrf: await agent.csrf(), seen, mode: 'page', scheme: 'auto', ...fields }
      for (const [name, value] of Object.entries(entries)) body.set(name, value)
      return agent.request('POST', path, body as never)
    }
    const files = {
      cover: new File([png], 'a.png'),
      backgroundImage: new File([png], 'b.png'),
      fontFile: new File([woff2({ family: 'Acme <b>' })], 'c.woff2'),
    }
    const look = { font: 'serif', corners: 'square', background: '#F4D9B0' }
    expect((await send({ ...look, ...files })).status).toBe(303)
    expect(await settingsOf(form)).toMatchObject({ ...look, background: '#f4d9b0', cover: { width: 1 } })
    const { text } = await agent.get(path)
    expect(text).toContain('The font as it is now: Acme &lt;b&gt;')
    expect(text).toMatch(/<option value="serif" selected>/)
    for (const kind of Object.keys(files))
      expect((await agent.get(`/console/forms/${form.id}/${kind}`)).status).toBe(200)
    const refused = await send({ fontFile: new File(['OTTO'], 'd.woff2') })
    expect([refused.status, refused.text.includes('Must be a font in the WOFF2 format.')]).toEqual([400, true])
    const removals = { removeCover: 'on', removeBackgroundImage: 'on', removeFontFile: 'on' }
    expect((await send(removals)).status).toBe(303)
    const plain = {
      font: 'sans',
      corners: 'round',
      background: null,
      cover: null,
      backgroundImage: null,
      fontFile: null,
    }
    expect(await settingsOf(form)).toMatchObject(plain)
    for (const kind of Object.keys(files))
      expect((await agent.get(`/console/forms/${form.id}/${kind}`)).status).toBe(404)
  })

  test('show in their preview what is tried, and nothing that is none', async () => {
    const form = await createPublished(acme, [{ type: 'nps' }])
    await acme.perform((tx, caller) => changeSettings(tx, caller, form.id, { accent: '#112233', font: 'mono' }))
    const preview = async (looks: string) => (await agent.get(`/console/forms/${form.id}/preview${looks}`)).text
    expect(await preview('')).toMatch(/--face:ui-monospace.*--accent:#112233/)
    const tried = await preview('?corners=square&font=&background=%23f4d9b0&accent=red&language=de&mode=step')
    expect(tried).toContain('--round:0')
    expect(tried).not.toContain('--face')
    expect(tried).toMatch(/--accent:#112233;.*--page:#f4d9b0/)
    expect(tried).toMatch(/<html lang="de".*data-mode="step"/s)
    expect(await settingsOf(form)).toMatchObject({ corners: 'round', background: null, language: null, mode: 'page' })
  })

  test('keep the seconds of a time that was given them elsewhere', async () => {
    const form = await createPublished(acme, [{ type: 'nps' }])
    const closes = '2027-01-01T10:00:59.000Z'
    await acme.perform((tx, caller) => changeSettings(tx, caller, form.id, { closes }))
    const path = `/console/forms/${form.id}/settings`
    const seen = seenIn((await agent.get(path)).text)
    await agent.post(path, { seen, mode: 'step', scheme: 'auto', closes: '2027-01-01T10:00' })
    expect(await settingsOf(form)).toMatchObject({ closes, mode: 'step' })
  })

  test('say so where they end the form at once', async () => {
    const form = await createPublished(acme, [{ type: 'nps' }])
    const path = `/console/forms/${form.id}/settings`
    const save = async (closes: string) => {
      const seen = seenIn((await agent.get(path)).text)
      const { text } = await agent.follow(await agent.post(path, { seen, mode: 'page', scheme: 'auto', closes }))
      return text.includes('They have ended the form')
    }
    expect([await save('2099-01-01T10:00'), await save('2020-01-01T10:00'), await save('2020-01-02T10:00')]).toEqual([
      false,
      true,
      false,
    ])
  })
})
