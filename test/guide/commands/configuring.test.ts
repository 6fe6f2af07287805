import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '../../../src/config.ts'
import { openFiles } from '../../../src/files/index.ts'
import { emptyFolder, executable } from '../../support/processes/program.ts'
import { startS3 } from '../../support/servers/s3.ts'
import { openShell } from '../../support/sources/shell.ts'
import { codeOf } from '../../support/sources/text-blocks.ts'

const program = await executable()

test('the chapter on configuring fetches files back from the trash, of a folder and of a bucket', async () => {
  const [fetching] = codeOf('src/guide/configuring.md', 'sh')
  const cwd = emptyFolder()
  for (const folder of ['data/uploads', 'data/trash/uploads']) mkdirSync(join(cwd, folder), { recursive: true })
  for (const [file, text] of Object.entries({
    'uploads/kept': 'kept',
    'trash/uploads/kept': 'old',
    'trash/uploads/gone': 'back',
  }))
    writeFileSync(join(cwd, 'data', file), text)
  Bun.spawnSync(['chmod', '-R', 'a+rwX', join(cwd, 'data')])
  const store = await startS3()
  const files = openFiles(loadConfig(store.environment, { dataDir: join(cwd, 'data') }))
  const name = { kind: 'uploads', tenantId: crypto.randomUUID(), id: crypto.randomUUID() } as const
  await files.store(name, new Blob(['swept']).stream(), 100)
  for await (const { files: listed } of files.list('uploads')) for (const file of listed) await file.discard(Date.now())
  expect(await files.read(name)).toBeNull()
  const shell = await openShell(program, { cwd })
  await shell.run(fetching, {
    async instead({ command }) {
      if (command.startsWith('cp ')) return null
      // As Amazon's command does: what lies under the one prefix comes to lie under the other.
      const [from = '', to = ''] = command.match(/(?<=s3:\/\/bucket\/prefix\/)\S*/g) ?? []
      const { contents = [] } = await store.client.list({ prefix: `desk/${from}` })
      for (const { key } of contents)
        await store.client.write(`desk/${to}${key.slice(`desk/${from}`.length)}`, store.client.file(key))
      return ''
    },
  })
  const read = (file: string) => Bun.file(join(cwd, 'data/uploads', file)).text()
  expect([await read('kept'), await read('gone')]).toEqual(['kept', 'back'])
  expect(await new Response((await files.read(name)) ?? '').text()).toBe('swept')
  await shell.close()
  await store.stop()
})
