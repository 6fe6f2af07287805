import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { complete, createPublished } from '../../support/forms/collecting.ts'
import { questionBody } from '../../support/forms/questions.ts'
import { emptyFolder, executable } from '../../support/processes/program.ts'
import { openShell } from '../../support/sources/shell.ts'
import { codeOf } from '../../support/sources/text-blocks.ts'
import { createEmailInbox } from '../../support/tickets/tickets.ts'

const { command } = await executable()
const [rule, making] = codeOf('src/guide/rules.md', 'json', 'sh')

describe('the chapter on rules', () => {
  let app: TestApp
  let acme: TestTenant
  beforeAll(async () => {
    app = await startApp()
    acme = await app.createTenant()
  })
  afterAll(() => app.close())

  test('makes the rule that it shows, which opens a ticket for a detractor', async () => {
    const cwd = emptyFolder()
    const environment = { FRONTDESK_DATA: app.dataDir }
    const form = await createPublished(acme, [
      { type: 'nps', text: 'How likely?', friendlyId: 'NPS' },
      questionBody('contact_details'),
    ])
    const inbox = await createEmailInbox(acme)
    const json = rule.text.replace('"FORM"', `"${form.id}"`).replace('"INBOX"', `"${inbox.id}"`)
    await Bun.write(join(cwd, 'detractors.json'), json)
    const shell = await openShell({ command }, { cwd, dataDir: app.dataDir, environment })
    await shell.run(making, {
      after: (done, printed) => {
        if (done.includes('rule create')) shell.places.set('RULE', /^id +(\S+)$/m.exec(printed)?.[1] ?? '')
      },
    })
    await shell.close()
    await complete(acme, form, [3, { email: 'ada@customer.test', first_name: 'Ada' }])
    await app.runDue()
    const { items } = (await acme.get('/v1/tickets')).body
    expect(items).toMatchObject([{ subject: 'Ada gave us 3', priority: 'urgent', teamInboxId: inbox.id }])
  })
})
