import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { changeSettings } from '../../../src/forms/settings/operations.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { answersTo, createPublished, type TestForm } from '../../support/forms/collecting.ts'

let app: TestApp
let acme: TestTenant
let form: TestForm

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
})
beforeEach(async () => {
  acme = await app.createTenant()
  form = await createPublished(acme, [{ type: 'nps' }])
  await declare(['campaign', 'source'])
})
afterAll(() => app.close())

const declare = (hidden: string[]) => acme.perform((tx, caller) => changeSettings(tx, caller, form.id, { hidden }))
const begin = (hiddenFields: unknown, complete = true) =>
  app.request('POST', `/f/${form.launchCode}/responses`, {
    body: { answers: answersTo(form, [9]), complete, hiddenFields },
  })
const resume = ({ id, resumeToken }: { id: string; resumeToken: string }, hiddenFields: unknown) =>
  app.request('PUT', `/f/${form.launchCode}/responses/${id}`, {
    body: { answers: [], complete: true, resumeToken, hiddenFields },
  })
const stored = async () => (await acme.get(`/v1/forms/${form.id}/responses`)).body.items

describe('hidden fields', () => {
  test('are stored with the response, listed, read and told of', async () => {
    const hiddenFields = { campaign: 'Frühling <b>', source: 'x'.repeat(500) }
    const { body } = await begin(hiddenFields)
    expect((await stored())[0].hiddenFields).toEqual(hiddenFields)
    const read = (await acme.get(`/v1/forms/${form.id}/responses/${body.id}`)).body
    expect(read.hiddenFields).toEqual(hiddenFields)
    const [event] = (await acme.events()).filter(({ event }) => event === 'response.created')
    expect(event?.payload.response).toEqual(read)
  })

  test.each([[undefined], [null], [{}], [{ campaign: null }]])('are none when %j is sent', async (hiddenFields) => {
    expect((await begin(hiddenFields)).status).toBe(201)
    expect((await stored())[0].hiddenFields).toEqual({})
  })

  test('that come with a later save replace those stored, and null takes one back', async () => {
    const { body: begun } = await begin({ campaign: 'spring', source: 'mail' }, false)
    expect((await resume(begun, { campaign: 'autumn', source: null })).status).toBe(200)
    expect((await stored())[0].hiddenFields).toEqual({ campaign: 'autumn' })
  })

  test('stay as they are when a save brings none, and once they are declared no more', async () => {
    const { body: begun } = await begin({ campaign: 'spring' }, false)
    await declare([])
    expect((await resume(begun, undefined)).status).toBe(200)
    expect((await stored())[0].hiddenFields).toEqual({ campaign: 'spring' })
  })

  test.each<[unknown, string]>([
    [{ medium: 'mail' }, 'hiddenFields: the form has no hidden field "medium"'],
    [{ toString: 'x' }, 'hiddenFields.toString: unknown field'],
    [{ ['x'.repeat(1000)]: '' }, 'hiddenFields: the form has no hidden field "xxx'],
    [{ campaign: 'x'.repeat(501) }, 'hiddenFields.campaign: must be at most 500 characters'],
    [{ campaign: 7 }, 'hiddenFields.campaign: must be a string'],
    [['campaign'], 'hiddenFields: must be an object'],
    ['campaign=spring', 'hiddenFields: must be an object'],
  ])('%j is a 400, and nothing is stored', async (hiddenFields, message) => {
    const { status, body } = await begin(hiddenFields)
    expect([status, body.message.startsWith(message) || body.message]).toEqual([400, true])
    expect((await acme.get(`/v1/forms/${form.id}/responses?status=all`)).body.items).toEqual([])
  })
})
