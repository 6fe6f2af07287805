import { expect, test } from 'bun:test'
import { unusedPort } from '../support/processes/ports.ts'
import { executable, logLines, type Running, record, serve } from '../support/processes/program.ts'
import { ask, type Desk, newDesk } from '../support/tickets/desk.ts'

const mailsOf = ({ output }: Running) => logLines(output.stdout).filter(({ message }) => message === 'mail')

test('two frontdesks that mail each other exchange what their agents write, in one ticket each, and then are silent', async () => {
  const program = await executable()
  const [here, there] = [await newDesk(program, 'help@here.test'), await newDesk(program, 'help@there.test')]
  const [herePort, therePort] = [unusedPort(), unusedPort()]
  const start = ({ cwd }: Desk, port: number, others: number) =>
    serve(program, {
      cwd,
      environment: {
        FRONTDESK_INBOUND_SMTP_PORT: String(port),
        FRONTDESK_SMTP_URL: `smtp://127.0.0.1:${others}`,
      },
    })
  const one = await start(here, herePort, therePort)
  const other = await start(there, therePort, herePort)

  const opened = [
    'ticket',
    'create',
    '--inbox',
    here.inboxId,
    '--email',
    there.address,
    '--subject',
    'Hello',
    '--text',
    'Hi',
  ]
  const { ticketId } = await record(program, opened, { cwd: here.cwd })
  const answer = (service: Running, desk: Desk, id: string) =>
    ask(service, desk, `/v1/tickets/${id}/replies`, { html: '<p>An answer</p>' })
  await answer(one, here, ticketId)
  const [theirs] = (await ask(other, there, '/v1/tickets')).items
  for (let i = 0; i < 2; i++) {
    await answer(other, there, theirs.id)
    await answer(one, here, ticketId)
  }

  expect((await ask(one, here, '/v1/tickets')).items).toMatchObject([{ id: ticketId, messageCount: 6 }])
  expect((await ask(other, there, '/v1/tickets')).items).toMatchObject([{ id: theirs.id, messageCount: 5 }])
  for (const service of [one, other]) expect(await service.stop()).toMatchObject({ code: 0, stderr: '' })
  const outcomes = (service: Running) => mailsOf(service).map(({ deliveries }) => deliveries[0].outcome)
  expect(outcomes(one)).toEqual(['threaded', 'threaded'])
  expect(outcomes(other)).toEqual(['created', 'threaded', 'threaded'])
})
