import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { mailText } from '../../../support/mail/smtp.ts'
import { until } from '../../../support/patience.ts'
import { executable, run, serve } from '../../../support/processes/program.ts'
import { openShell } from '../../../support/sources/shell.ts'
import { codeOf } from '../../../support/sources/text-blocks.ts'
import { ask, newDesk } from '../../../support/tickets/desk.ts'

const program = await executable()
const BLOCKS = ['sh', 'sh', 'sh', 'sh', 'sh', 'sh', 'sh'] as const

test('the chapter on backup and upgrade saves what is served, puts it back and checks it', async () => {
  const [backUp, , , , , check, upgrade] = codeOf('src/guide/backup-and-upgrade.md', ...BLOCKS)
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
    places: { '/backups': join(cwd, 'backups'), './frontdesk-new': program.command[0] as string },
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
  await shell.run(upgrade, { after: (_, printed) => expect(printed).toContain('would start on the database as it is') })
  await service.stop()
  await shell.close()
})

test('the chapter restores the backup of yesterday that was made by itself, and rehearses that', async () => {
  const [, place, list, restore, drill] = codeOf('src/guide/backup-and-upgrade.md', ...BLOCKS)
  const desk = await newDesk(program)
  const { cwd } = desk
  mkdirSync(join(cwd, 'backups'), { mode: 0o777 })
  Bun.spawnSync(['chmod', 'a+rwx', join(cwd, 'backups')])
  const folder = join(cwd, 'backups/frontdesk')
  const deliver = (Subject: string) =>
    run(program, ['mail', 'deliver', '--inbox', desk.inboxId], { cwd, stdin: mailText({ Subject }) })
  await deliver('Yesterday')
  const environment = { FRONTDESK_BACKUP_TO: folder }
  let service = await serve(program, { cwd, environment })
  const made = () => (existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.tar')) : [])
  await until(() => made().length === 1)
  const [name = ''] = made()
  await deliver('Today')
  await service.stop()
  const shell = await openShell(program, {
    cwd,
    places: { '/backups': join(cwd, 'backups'), 'frontdesk-2026-11-23T03-00-00Z-1f0c9a3e.tar': name },
  })
  await shell.run(place)
  await shell.run(list, { after: (_, printed) => expect(printed).toMatch(new RegExp(`${name} .* true`)) })
  await shell.run(drill, { after: (_, printed) => expect(printed).toContain(`${name} is in order`) })
  service = await serve(program, { cwd })
  expect((await ask(service, desk, '/v1/tickets')).items).toHaveLength(2)
  await service.stop()
  await shell.run(restore)
  service = await serve(program, { cwd })
  expect((await ask(service, desk, '/v1/tickets')).items).toMatchObject([{ subject: 'Yesterday' }])
  await service.stop()
  await shell.close()
})
