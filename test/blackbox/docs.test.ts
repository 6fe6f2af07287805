import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { emptyFolder, executable, type Running, run, serve } from '../support/processes/program.ts'

const program = await executable()

describe('the docs', () => {
  const cwd = emptyFolder()
  let service: Running
  beforeAll(async () => {
    service = await serve(program, { cwd })
  })
  afterAll(() => service.stop())

  test('come with every file their page names, and lead to the guide', async () => {
    const page = await fetch(`${service.url}/docs`)
    expect(page.status).toBe(200)
    const files = new Set([...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path))
    const named = ['swagger-ui.css', 'motion.css', 'icon.png', 'guide', 'changelog', 'swagger-ui-bundle.js', 'start.js']
    expect(files).toEqual(new Set(named.map((name) => `/docs/${name}`)))
    for (const file of files) expect((await fetch(service.url + file)).status).toBe(200)
  })

  test.each([
    '/docs/guide',
    '/docs/guide/forms',
    '/docs/changelog',
    '/docs/guide/search?q=mail',
    '/docs/guide/pictures/form.webp',
  ])('have the guide with them: %s', async (path) => {
    const answer = await fetch(service.url + path)
    expect([answer.status, (await answer.arrayBuffer()).byteLength > 1000]).toEqual([200, true])
  })

  test('hold the document that the openapi command prints', async () => {
    const printed = await run(program, ['openapi'], { cwd, environment: { FRONTDESK_BASE_URL: service.url } })
    expect(JSON.parse(printed.stdout)).toEqual(await (await fetch(`${service.url}/docs/json`)).json())
  })
})
