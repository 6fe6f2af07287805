import { expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ask, newDesk } from '../../../support/desk.ts'
import { executable, run, serve } from '../../../support/program.ts'
import { openShell } from '../../../support/shell.ts'
import { mailText } from '../../../support/smtp.ts'
import { codeOf } from '../../../support/text-blocks.ts'

const program = await executable()

test('the chapter on backup and upgrade saves what is served, puts it back and checks it', async () => {
  const [backUp, check] = codeOf('src/guide/backup-and-upgrade.md', 'sh', 'sh')
  const desk = await newDesk(program)
  const { cwd } = desk
  mkdirSync(join(cwd, 'backups'), { mode: 0o777 })
  Bun.spawnSync(['chmod', 'a+rwx', join(cwd, 'backups')])
  const deliver = (Subject: string) =>
    run(program, ['mail', 'deliver', '--inbox', desk.inboxId], { cwd, stdin: mailText({ Subject }) })
  await deliver('Before the backup')
  let service = await serve(program, { cwd })
  const shell = await openShell(program, {
    cwd,
    // The day on which the chapter was saved is the one of which it restores.
    instead: { date: 'echo 2026-11-21' },
    places: { '/backups': join(cwd, 'backups') },
  })
  await shell.run(backUp, {
    async after(command) {
      if (!command.startsWith('frontdesk backup')) return
      await service.stop()
      await deliver('After the backup')
    },
  })
  service = await serve(program, { cwd })
  expect((await ask(service, desk, '/v1/tickets')).items).toMatchObject([{ subject: 'Before the backup' }])
  await shell.run(check)
  await service.stop()
  await shell.close()
})
