import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientPackage } from '../../support/api/client.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { emptyFolder, executable } from '../../support/processes/program.ts'
import { openShell } from '../../support/sources/shell.ts'
import { codeOf } from '../../support/sources/text-blocks.ts'

const { command } = await executable()
const blocks = codeOf('src/guide/contacts.md', 'sh', 'sh', 'sh', 'json', 'js', 'sh', 'sh')
const [, byEmail, batch, answer, people, organisation, group] = blocks

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

  test('sends a whole list by a program, and says what became of it', async () => {
    const tenant = await app.createTenant()
    const cwd = emptyFolder()
    cpSync(await clientPackage(), join(cwd, 'node_modules/frontdesk-client'), { recursive: true })
    writeFileSync(join(cwd, 'people.mjs'), people.text)
    const list = Array.from({ length: 250 }, (_, at) => ({ email: at === 150 ? 'x' : `p${at}@example.com`, name: 'P' }))
    writeFileSync(join(cwd, 'people.json'), JSON.stringify(list))
    const ran = async () => {
      const env = { PATH: process.env.PATH ?? '', DESK: app.url, KEY: tenant.key }
      const child = Bun.spawn(['node', 'people.mjs'], { cwd, env, stdout: 'pipe', stderr: 'pipe' })
      return Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited])
    }
    const refused = 'x: email: must be an email address of at most 320 characters\n'
    expect(await ran()).toEqual(['249 created, 0 there already, 1 refused\n', refused, 0])
    expect(await ran()).toEqual(['0 created, 249 there already, 1 refused\n', refused, 0])
  })

  test('makes an organisation, and the same one when the command is given again', async () => {
    const made = await printed(organisation)
    expect(made).toMatchObject({ name: 'Example', domain: 'example.com', contactCount: 0 })
    expect(await printed(organisation)).toEqual(made)
    expect((await acme.get('/v1/organisations')).body.items).toEqual([made])
  })

  test('makes a group', async () => {
    const made = await printed(group)
    expect(made).toMatchObject({ name: 'News', consentGroupType: 'newsletter', contactCount: 0 })
    expect((await acme.get('/v1/groups')).body.items).toEqual([made])
  })
})
