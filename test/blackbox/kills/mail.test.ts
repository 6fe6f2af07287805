import { beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { tickets } from '../../../src/db/schema.ts'
import { openDataOf } from '../../support/data/postgres.ts'
import { connectSmtp, mailText } from '../../support/mail/smtp.ts'
import { executable, type Running, run, serve } from '../../support/processes/program.ts'
import { type Desk, mailPortOf, newDesk } from '../../support/tickets/desk.ts'

/** `bun run chaos` asks for more. */
const KILLS = Number(process.env.CHAOS_KILLS ?? 10)
const SENDERS = 4
/** Mails larger than this lie in files of their own, which is one more thing to be interrupted in. */
const LARGE = 100_000

beforeAll(() => executable().then(() => {}))

const environment = { FRONTDESK_INBOUND_SMTP_PORT: '0', FRONTDESK_PUBLIC_RATE_LIMIT: '1000000' }
const start = ({ program, cwd }: Desk) => serve(program, { cwd, environment })

let count = 0

/** A mail with a file, whose subject no other has. */
function nextMail(): { subject: string; text: string } {
  const subject = `Mail ${++count}`
  const size = count % 3 === 0 ? LARGE : 100
  const file = Buffer.alloc(size, `${count} `).toString('base64').replace(/.{76}/g, '$&\r\n')
  const body = [
    '--b',
    'Content-Type: text/plain',
    '',
    'See the file.',
    '--b',
    'Content-Type: application/octet-stream',
    'Content-Disposition: attachment; filename="a.bin"',
    'Content-Transfer-Encoding: base64',
    '',
    file,
    '--b--',
  ].join('\r\n')
  const headers = { 'MIME-Version': '1.0', 'Content-Type': 'multipart/mixed; boundary="b"', Subject: subject }
  return { subject, text: mailText(headers, body) }
}

/** Sends a mail; `until` says when the service dies. Returns whether it was acknowledged. */
async function send(port: number, text: string, midway: () => Promise<void> | void = () => {}): Promise<boolean> {
  const client = await connectSmtp(port)
  try {
    await client.begin('help@acme.test')
    client.write(text.slice(0, text.length / 2))
    await midway()
    client.write(`${text.slice(text.length / 2)}.\r\n`)
    return (await client.answer()).startsWith('250')
  } catch {
    return false
  } finally {
    client.close()
  }
}

async function kill(service: Running): Promise<void> {
  service.kill('SIGKILL')
  await service.exited
}

async function subjectsOf({ cwd }: Desk): Promise<string[]> {
  const database = await openDataOf(join(cwd, 'data'))
  const rows = await database.db.select({ subject: tickets.subject }).from(tickets)
  await database.close()
  return rows.map(({ subject }) => subject).sort()
}

test('a mail that kill -9 cut off in the middle leaves nothing, and is one ticket once it is sent again', async () => {
  const desk = await newDesk(await executable())
  const { subject, text } = nextMail()
  const service = await start(desk)
  expect(await send(mailPortOf(service), text, () => kill(service))).toBe(false)
  expect(await subjectsOf(desk)).toEqual([])
  const again = await start(desk)
  expect(await send(mailPortOf(again), text)).toBe(true)
  await again.stop()
  expect(await subjectsOf(desk)).toEqual([subject])
})

test(`${KILLS} kills at random while mails come in: each is exactly one ticket once its sender has heard so`, async () => {
  const desk = await newDesk(await executable())
  const sent: string[] = []
  const unheard: { subject: string; text: string }[] = []
  for (let kills = 0; kills < KILLS; kills++) {
    const service = await start(desk)
    const port = mailPortOf(service)
    const before = sent.length
    const senders = Array.from({ length: SENDERS }, async () => {
      for (;;) {
        const mail = unheard.shift() ?? nextMail()
        if (await send(port, mail.text)) sent.push(mail.subject)
        else {
          unheard.push(mail)
          return
        }
      }
    })
    // Every other time not before something was acknowledged: a busy machine may take longer than any pause.
    while (kills % 2 === 0 && sent.length === before) await Bun.sleep(1)
    await Bun.sleep(Math.random() * 200)
    await kill(service)
    await Promise.all(senders)
  }
  const service = await start(desk)
  for (const { subject, text } of unheard) {
    expect(await send(mailPortOf(service), text)).toBe(true)
    sent.push(subject)
  }
  expect(await run(desk.program, ['check'], { cwd: desk.cwd })).toMatchObject({ code: 0 })
  await service.stop()
  expect(sent.length).toBeGreaterThanOrEqual(KILLS / 2)
  expect(await subjectsOf(desk)).toEqual(sent.sort())
})
