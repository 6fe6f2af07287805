import { expect, test } from 'bun:test'
import { png } from '../support/hosted.ts'
import { emptyFolder, executable, record, serve } from '../support/program.ts'

test('the executable carries the pages of forms with their files, and keeps an upload over a restart', async () => {
  const program = await executable()
  const cwd = emptyFolder()
  const { tenantId } = await record(program, ['tenant', 'create', '--name', 'Acme'], { cwd })
  const user = ['user', 'create', '--tenant', tenantId, '--email', 'a@acme.test', '--role', 'admin', '--billable']
  await record(program, user, { cwd })
  const scopes = ['--scopes', 'forms:write,responses:read']
  const { key } = await record(program, ['key', 'create', '--tenant', tenantId, '--name', 'test', ...scopes], { cwd })
  const headers = { authorization: `Bearer ${key}` }

  let service = await serve(program, { cwd })
  const questions = [{ type: 'signature', text: 'Sign here' }]
  const made = await fetch(`${service.url}/v1/forms`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Contract', active: true, questions }),
  })
  const { id, launchCode } = (await made.json()) as { id: string; launchCode: string }
  await record(program, ['form', 'publish', '--tenant', tenantId, '--form', id], { cwd })

  const page = await (await fetch(`${service.url}/f/${launchCode}`)).text()
  expect(page).toContain('Sign here')
  const files = [...page.matchAll(/(?:src|href)="(\/f\/assets\/[^"]+)"/g)].map(([, path]) => path as string)
  expect(files.length).toBe(2)
  for (const path of [...files, '/embed.js']) {
    const file = await fetch(service.url + path)
    expect([file.status, (await file.text()).length > 500]).toEqual([200, true])
  }

  const body = new FormData()
  body.set('file', new File([png], 'me.png'))
  const sent = await fetch(`${service.url}/f/${launchCode}/uploads`, { method: 'POST', body })
  const { uploadId } = (await sent.json()) as { uploadId: string }
  await service.stop()
  service = await serve(program, { cwd })
  const file = await fetch(`${service.url}/v1/uploads/${uploadId}`, { headers })
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(new Uint8Array(await file.arrayBuffer())).toEqual(png)
  await service.stop()
})
