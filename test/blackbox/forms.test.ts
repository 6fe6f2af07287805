import { expect, test } from 'bun:test'
import { clientLibrary } from '../support/api/client.ts'
import { png } from '../support/forms/hosted.ts'
import { emptyFolder, executable, record, serve } from '../support/processes/program.ts'

test('the executable carries the pages of forms with their files, and keeps an upload over a restart', async () => {
  const program = await executable()
  const cwd = emptyFolder()
  const { tenantId } = await record(program, ['tenant', 'create', '--name', 'Acme'], { cwd })
  const user = ['user', 'create', '--tenant', tenantId, '--email', 'a@acme.test', '--role', 'admin', '--billable']
  await record(program, user, { cwd })
  const scopes = ['--scopes', 'forms:write,responses:read']
  const { key } = await record(program, ['key', 'create', '--tenant', tenantId, '--name', 'test', ...scopes], { cwd })
  const { createClient } = await clientLibrary()

  let service = await serve(program, { cwd })
  const questions = [{ type: 'signature', text: 'Sign here' }]
  const desk = createClient({ baseUrl: service.url, key })
  const { id, launchCode } = await desk.createForm({ title: 'Contract', active: true, questions })
  await record(program, ['form', 'publish', '--tenant', tenantId, '--form', id], { cwd })

  const page = await (await fetch(`${service.url}/f/${launchCode}`)).text()
  expect(page).toContain('Sign here')
  const files = [...page.matchAll(/(?:src|href)="(\/f\/assets\/[^"]+)"/g)].map(([, path]) => path as string)
  expect(files.length).toBe(2)
  for (const path of [...files, '/embed.js']) {
    const file = await fetch(service.url + path)
    expect([file.status, (await file.text()).length > 500]).toEqual([200, true])
  }

  const { uploadId } = await desk.uploadFile(launchCode, { file: new File([png], 'me.png') })
  await service.stop()
  service = await serve(program, { cwd })
  const file = await createClient({ baseUrl: service.url, key }).downloadUpload(uploadId)
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(new Uint8Array(await file.arrayBuffer())).toEqual(png)
  await service.stop()
})
