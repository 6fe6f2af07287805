import { expect, test } from 'bun:test'
import { join } from 'node:path'

const src = join(import.meta.dir, '../src')

/** Where a table is written by another room than its own, and why that is so. */
const EXCEPTIONS = [
  // A contact that is deleted, or merged into another, takes along or lets go of what points to it: one file does all of it.
  'contacts/linked.ts writes messages',
  'contacts/linked.ts writes responses',
  'contacts/linked.ts writes tickets',
  'contacts/linked.ts writes visitors',
  // Planned in the transaction of the answer; livechat/ sends them.
  'tickets/chat-mails.ts writes chatMails',
  // The mail that a visitor gets is what their answer names.
  'livechat/send-mail.ts writes messages',
  // A ticket goes with the mails that it came as, a response with what it was to pay.
  'tickets/deletion/deletion.ts writes receivedMails',
  'tickets/deletion/erasure.ts writes receivedMails',
  'responses/deletion.ts writes checkouts',
  // A tenant leaves with everything: one file deletes from all tables.
  'leaving/deletion.ts writes deliveredBatches',
  'leaving/deletion.ts writes eventQueue',
  'leaving/deletion.ts writes tenants',
  // That a vector is due is written with its article.
  'articles/rows.ts writes articleVectors',
]

test('a table stands in a file of its room, which alone writes it', async () => {
  const rooms = new Map<string, string>()
  for (const name of new Bun.Glob('*.ts').scanSync(join(src, 'db/tables'))) {
    const text = await Bun.file(join(src, 'db/tables', name)).text()
    const room = name.replace(/(-\w+)*\.ts$/, '')
    for (const [, table = ''] of text.matchAll(/^export const (\w+) = sqliteTable\(/gm)) rooms.set(table, room)
  }
  expect(rooms.size).toBeGreaterThan(50)
  const written = new Set<string>()
  for (const path of new Bun.Glob('**/*.ts').scanSync(src)) {
    const text = await Bun.file(join(src, path)).text()
    for (const [, table = ''] of text.matchAll(/\.(?:insert|update|delete)\(\s*(\w+)\s*\)/g)) {
      if (rooms.has(table) && rooms.get(table) !== path.split('/')[0]) written.add(`${path} writes ${table}`)
    }
  }
  expect([...written].sort()).toEqual([...EXCEPTIONS].sort())
})
