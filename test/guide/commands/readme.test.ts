import { afterAll, expect, test } from 'bun:test'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientPackage } from '../../support/api/client.ts'
import { until } from '../../support/patience.ts'
import { emptyFolder, executable, type Running, serve } from '../../support/processes/program.ts'
import { cloneTools, openShell } from '../../support/sources/shell.ts'
import { codeOf } from '../../support/sources/text-blocks.ts'
import { inserted } from '../../support/sources/transcript.ts'

const program = await executable()
const console = <N extends number>(count: N) => Array<'console'>(count).fill('console')
const code = codeOf('README.md', 'sh', ...console(4), 'js', ...console(4), 'sh')

test('commands of the README work, and the first five minutes go as it shows them, line by line', async () => {
  const cwd = emptyFolder()
  const environment = { FRONTDESK_RATE_LIMIT: '120' }
  const places = { '/usr/local/bin/frontdesk': join(cwd, 'frontdesk') }
  const shell = await openShell(program, { cwd, environment, places, instead: cloneTools })
  let service: Running | undefined
  afterAll(() => service?.stop())
  cpSync(await clientPackage(), join(cwd, 'dist/client'), { recursive: true })
  Bun.spawnSync(['chmod', '-R', 'a+rwX', join(cwd, 'dist')])
  for (const block of code) {
    if (block.language === 'js') {
      const [, file = ''] = /^\/\/ (\S+)\n/.exec(block.text) ?? []
      writeFileSync(join(cwd, file), inserted(block.text, shell.known))
      continue
    }
    await shell.run(block, {
      instead: async ({ command }) => {
        // The first block says it as well, with what it is.
        if (!/^npx -y bun@[\d.]+ run demo$/.test(command)) return null
        const running = await serve(program, { cwd, environment }, ['demo'])
        service = running
        await until(() => running.output.stdout.includes('Try it in another terminal'))
        return running.output.stdout.replace(/^\{.*\n/gm, '')
      },
    })
  }
  await shell.close()
  expect(service).toBeDefined()
})
