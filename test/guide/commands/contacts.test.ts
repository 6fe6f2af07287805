import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { emptyFolder, executable } from '../../support/program.ts'
import { openShell } from '../../support/shell.ts'
import { codeOf } from '../../support/text-blocks.ts'

const { command } = await executable()
const blocks = codeOf('src/guide/contacts.md', 'sh', 'sh', 'sh', 'json', 'sh')
const [, byEmail, batch, answer, organisation] = blocks

describe('the chapter on contacts from other systems', () => {
  let app: TestApp
  let acme: TestTenant
  let shell: Awaited<ReturnType<typeof openShell>>

  beforeAll(async () => {
    app = await startApp()
    acme = await app.createTenant()
    const environment = { DESK: app.url, KEY: acme.key }
    shell = await openShell({ command }, { cwd: emptyFolder(), dataDir: app.dataDir, environment })
  })
  afterAll(async () => {
    await shell.close()
    await app.close()
  })

  /** What the one command of a block prints. */
  async function printed(block: typeof byEmail): Promise<unknown> {
    let all = ''
    await shell.run(block, {
      after: (_, text) => {
        all += text
      },
    })
    return JSON.parse(all)
  }

  test('creates a contact by its email, and changes nothing the second time', async () => {
    const made = await printed(byEmail)
    expect(made).toMatchObject({ email: 'ada@example.com', name: 'Ada', lastName: 'Lovelace' })
    expect(await printed(byEmail)).toEqual(made)
    expect((await acme.get('/v1/contacts')).body.items).toEqual([made])
  })

  test('sends a batch, and shows what is answered', async () => {
    const shown = JSON.parse(answer.text.replaceAll('"01a1…"', '"an id"'))
    const { results } = (await printed(batch)) as { results: { id: string | null }[] }
    expect({ results: results.map((result) => ({ ...result, id: result.id && 'an id' })) }).toEqual(shown)
  })

  test('makes an organisation, and the same one when the command is given again', async () => {
    const made = await printed(organisation)
    expect(made).toMatchObject({ name: 'Example', domain: 'example.com', contactCount: 0 })
    expect(await printed(organisation)).toEqual(made)
    expect((await acme.get('/v1/organisations')).body.items).toEqual([made])
  })
})
