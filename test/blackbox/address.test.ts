import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ADDRESS_FILE } from '../../src/folder/names.ts'
import { serverUrl } from '../support/data/postgres.ts'
import { emptyFolder, ownExecutable, record, run, serve } from '../support/processes/program.ts'

const program = await ownExecutable()

test('a command prints the address of the service that runs on its data folder, whatever it was started with itself', async () => {
  const cwd = emptyFolder()
  const { tenantId } = await record(program, ['tenant', 'create', '--name', 'Acme'], { cwd })
  await record(program, ['user', 'create', '--email', 'a@acme.test', '--role', 'admin', '--billable'], { cwd })
  const scopes = ['--name', 'k', '--scopes', 'forms:read,forms:write']
  const { key } = await record(program, ['key', 'create', '--tenant', tenantId, ...scopes], { cwd })
  const service = await serve(program, { cwd, environment: { FRONTDESK_BASE_URL: 'https://desk.acme.test/help' } })
  const created = await fetch(`${service.url}/v1/forms`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Lunch' }),
  })
  const { id, launchCode } = (await created.json()) as { id: string; launchCode: string }
  const publish = async (environment: Record<string, string>) => {
    const { stdout } = await run(program, ['form', 'publish', '--form', id], { cwd, environment })
    return stdout.trim()
  }
  for (const environment of [{}, { FRONTDESK_PORT: '4000' }, { FRONTDESK_BASE_URL: 'https://other.test' }]) {
    expect(await publish(environment)).toBe(`https://desk.acme.test/help/f/${launchCode}`)
  }
  await service.stop()
  expect(existsSync(join(cwd, 'data', ADDRESS_FILE))).toBe(serverUrl !== null)
  if (serverUrl) return
  expect(await publish({ FRONTDESK_BASE_URL: 'https://other.test' })).toBe(`https://other.test/f/${launchCode}`)
  // Without settings the port tells, which is chosen as it starts.
  const plain = await serve(program, { cwd })
  expect(await publish({})).toBe(`${plain.url}/f/${launchCode}`)
  await plain.stop()
})

test('restore and backup say what they want where they are given a folder', async () => {
  const cwd = emptyFolder()
  const restored = await run(program, ['restore', cwd], { cwd })
  expect([restored.code, restored.stderr]).toEqual([
    1,
    `frontdesk: ${cwd} is a folder: name the file that frontdesk backup made; the data folder it goes into is FRONTDESK_DATA, or --data\n`,
  ])
  expect(existsSync(join(cwd, 'data'))).toBe(false)
  const made = await run(program, ['backup', cwd, '--force'], { cwd })
  expect([made.code, made.stderr]).toEqual([
    1,
    `frontdesk: ${cwd} is a folder: name the file in it that is to be made\n`,
  ])
})
