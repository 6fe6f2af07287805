import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { saveDraft } from '../../../src/forms/drafts.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { createPublished, type TestForm } from '../../support/forms/collecting.ts'
import { translate } from '../../support/forms/translated.ts'
import { signedIn } from '../../support/pages/console.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
})
afterAll(() => app?.close())

async function opened(name: string) {
  const acme = await app.createTenant(name)
  const form = await createPublished(acme, [
    { type: 'choose_one', text: 'Which <b>colour</b>?', options: ['Red', 'Blue'] },
    { type: 'textbox', text: 'Why?' },
  ])
  const [colour, why] = form.questionIds
  return {
    acme,
    form,
    colour,
    why,
    agent: await signedIn(app, acme, 'agent'),
    path: `/console/forms/${form.id}/languages`,
  }
}

const definition = async ({ launchCode }: TestForm, lang = 'de') =>
  (await app.request('GET', `/f/${launchCode}/definition?lang=${lang}`)).body

const decoded = (text: string) => text.replace(/&(lt|gt|amp|quot);/g, (_, name) => ENTITIES[name as 'lt'])
const ENTITIES = { lt: '<', gt: '>', amp: '&', quot: '"' }

/** What a page's form holds, by the names of its fields. */
function fieldsOf(text: string): Record<string, string> {
  const [, form = ''] = /<form [^>]*\/languages\/de[^>]*>([\s\S]*?)<\/form>/.exec(text) ?? []
  const inputs = [...form.matchAll(/<input [^>]*name="([^"]+)"[^>]*?value="([^"]*)"/g)]
  const areas = [...form.matchAll(/<textarea [^>]*name="([^"]+)"[^>]*>\n([^<]*)<\/textarea>/g)]
  const fields = [...inputs, ...areas].map(([, name = '', value = '']) => [name, decoded(value)])
  return Object.fromEntries(fields.filter(([name = '']) => !name.startsWith('fits ')))
}

describe('the languages of a form', () => {
  test('stand side by side with its own texts, are counted, and hold once they are saved', async () => {
    const { agent, form, path, colour, why } = await opened('Side by side')
    const empty = await agent.get(path)
    expect(empty.text).toContain('There is no other language yet')
    const begun = await agent.post(path, { language: 'de' })
    expect([begun.status, begun.headers.get('location')]).toEqual([303, `${path}/de`])
    const { text } = await agent.get(`${path}/de`)
    expect(text).toContain('<b>colour</b>')
    expect(text).toContain('5 missing')
    const fields = fieldsOf(text)
    const typed = {
      title: 'Umfrage',
      [`q${colour}.text`]: 'Welche <i>Farbe</i>?<script>x</script>',
      [`q${colour}.options[0]`]: 'Rot',
    }
    const saved = await agent.post(`${path}/de`, { ...fields, ...typed })
    expect([saved.status, saved.headers.get('location')]).toEqual([303, `${path}/de`])
    expect(await definition(form)).toMatchObject({
      title: 'Umfrage',
      pages: [{ questions: [{ text: 'Welche <i>Farbe</i>?', labels: ['Rot', 'Blue'] }, { text: 'Why?' }] }],
    })
    expect((await agent.get(path)).text).toContain('2 missing')
    const missing = await agent.get(`${path}/de?show=missing`)
    expect(
      Object.keys(fieldsOf(missing.text))
        .filter((name) => /^(q|title)/.test(name))
        .sort(),
    ).toEqual([`q${colour}.options[1]`, `q${why}.text`].sort())
    // An emptied field takes its text away.
    await agent.post(`${path}/de`, { ...fieldsOf((await agent.get(`${path}/de`)).text), title: '' })
    expect((await definition(form)).title).toBe('Survey')
  })

  test('are not written over where somebody else has changed them meanwhile', async () => {
    const { acme, agent, form, path } = await opened('Meanwhile')
    const fields = fieldsOf((await agent.get(`${path}/de`)).text)
    await translate(acme, form, 'de', { title: 'Befragung' })
    const late = await agent.post(`${path}/de`, { ...fields, title: 'Umfrage' })
    expect(late.status).toBe(409)
    expect(late.text).toContain('value="Umfrage"')
    expect((await definition(form)).title).toBe('Befragung')
  })

  test('say at the field what is wrong, keep what was typed, and change nothing', async () => {
    const { agent, form, path, colour } = await opened('Wrong')
    const fields = fieldsOf((await agent.get(`${path}/de`)).text)
    const long = 'x'.repeat(501)
    const refused = await agent.post(`${path}/de`, { ...fields, title: 'Umfrage', [`q${colour}.options[0]`]: long })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain(`id="field-q${colour}-options-0--error"`)
    expect(refused.text).toContain('value="Umfrage"')
    expect((await definition(form)).languages).toEqual(['en'])
    for (const language of ['en', 'nonsense!', '']) expect((await agent.post(path, { language })).status).toBe(400)
    expect((await agent.get(`${path}/en`)).status).toBe(400)
  })

  test('say which texts are to be checked, since the form says something else now, until somebody has', async () => {
    const { agent, acme, form, path, why } = await opened('Check')
    await translate(acme, form, 'de', { [`q${why}.text`]: 'Warum?' })
    const page = { ...(await acme.get(`/v1/forms/${form.id}`)).body.pages[0] }
    page.questions = page.questions.map((question: { id: number }) =>
      question.id === why ? { ...question, text: 'Why is that?' } : question,
    )
    await acme.perform((tx, caller) => saveDraft(tx, caller, form.id, { title: 'Survey', pages: [page] }))
    const { text } = await agent.get(`${path}/de?show=outdated`)
    expect(text).toContain('The original has changed')
    const fields = fieldsOf(text)
    await agent.post(`${path}/de`, fields)
    expect((await agent.get(path)).text).toContain('1 to check')
    await agent.post(`${path}/de`, { ...fields, [`fits q${why}.text`]: 'on' })
    expect((await agent.get(path)).text).not.toContain('to check')
  })

  test('go out and come in as CSV, with what is wrong said at the file', async () => {
    const { agent, form, path, colour } = await opened('Files')
    const csv = await agent.get(`${path}/de/texts.csv`)
    expect(csv.headers.get('content-disposition')).toContain(`texts-${form.launchCode}-de.csv`)
    expect(csv.text).toContain(`q${colour}.options[0],Red,`)
    const send = async (text: string) => {
      const body = new FormData()
      body.set('file', new File([text], 'texts.csv'))
      body.set('csrf', await agent.csrf())
      return agent.request('POST', `${path}/de/import`, body)
    }
    expect((await send(csv.text.replace('title,Survey,', 'title,Survey,Umfrage'))).status).toBe(303)
    expect((await definition(form)).title).toBe('Umfrage')
    const refused = await send('key,text\ntitle,Anders\nq0.text,x\n')
    expect(refused.status).toBe(400)
    expect(refused.text).toMatch(/id="field-file-error">Row 3: The form has no text/)
    expect((await definition(form)).title).toBe('Umfrage')
  })

  test('are previewed as they are drafted, and can be removed', async () => {
    const { agent, acme, form, path } = await opened('Preview')
    await translate(acme, form, 'ar', { title: 'استبيان' })
    const { text } = await agent.get(`/console/forms/${form.id}/preview?lang=ar`)
    expect(text).toContain('<html lang="ar" dir="rtl"')
    expect(text).toContain('استبيان</h1>')
    expect((await agent.post(`${path}/ar/remove`, {})).status).toBe(303)
    expect((await definition(form, 'ar')).languages).toEqual(['en'])
  })

  test('are nobody else’s', async () => {
    const { form, path, acme } = await opened('Mine')
    await translate(acme, form, 'de', { title: 'Umfrage' })
    const stranger = await signedIn(app, await app.createTenant('Stranger'), 'admin')
    for (const address of [path, `${path}/de`, `${path}/de/texts.csv`]) {
      expect((await stranger.get(address)).status).toBe(404)
    }
    for (const address of [`${path}/de`, `${path}/de/remove`]) {
      expect((await stranger.post(address, { title: 'Mein' })).status).toBe(404)
    }
    expect((await definition(form)).title).toBe('Umfrage')
  })
})
