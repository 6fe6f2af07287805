import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { until } from '../../support/patience.ts'
import { emptyFolder, executable, type Running, serve } from '../../support/program.ts'
import { openShell } from '../../support/shell.ts'
import { blocksOf } from '../../support/text-blocks.ts'

const program = await executable()
const blocks = blocksOf('README.md')
const minutes = blocks.filter(({ language }) => language === 'console')

test('the first five minutes go as the README shows them, line by line', async () => {
  const cwd = emptyFolder()
  const environment = { FRONTDESK_RATE_LIMIT: '120' }
  const shell = await openShell(program, { cwd, environment })
  let service: Running | undefined
  afterAll(() => service?.stop())
  for (const block of minutes) {
    await shell.run(block, {
      instead: async ({ command }) => {
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
