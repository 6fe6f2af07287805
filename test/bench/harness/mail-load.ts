import { connect } from 'node:net'

/** What the load generator of mails is told, as JSON on its standard input. */
export interface MailPlan {
  port: number
  to: string
  connections: number
  seconds: number
}

/** Characters of a mail's text; its HTML is as long again. */
const TEXT = 2_000
const SENDERS = 1_000

const words = 'we booked the blue room for two nights and would like to know whether breakfast is in the price'
const text = `${words}. `.repeat(Math.ceil(TEXT / words.length)).slice(0, TEXT)

/** Mails of 5 KB with text and HTML, each with an id of its own and from one of a thousand people. */
function mail(to: string, number: number): string {
  const sender = `person${number % SENDERS}@senders.test`
  const id = `${process.pid}.${Date.now()}.${number}`
  const wrapped = text.replace(/(.{1,70}) /g, '$1\r\n')
  const lines = [
    'Received: from mx.senders.test (mx.senders.test [192.0.2.7]) by relay.acme.test; Sun, 22 Nov 2026 05:00:00 +0000',
    `From: Person ${number % SENDERS} <${sender}>`,
    `To: Help <${to}>`,
    `Subject: About booking ${number}`,
    `Message-ID: <${id}@senders.test>`,
    'Date: Sun, 22 Nov 2026 05:00:00 +0000',
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary="b1"',
    '',
    '--b1',
    'Content-Type: text/plain; charset=utf-8',
    '',
    wrapped,
    '--b1',
    'Content-Type: text/html; charset=utf-8',
    '',
    `<html><body><p>${wrapped}</p></body></html>`,
    '--b1--',
    '',
  ]
  return lines.join('\r\n')
}

/** Connections that each send a mail and wait for its 250, again and again. Resolves to mails a second. */
async function generate({ port, to, connections, seconds }: MailPlan): Promise<number> {
  let taken = 0
  let number = 0
  const end = performance.now() + seconds * 1000

  const send = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1' })
      const steps = ['EHLO bench.test']
      let heard = ''
      socket.setNoDelay(true)
      socket.on('error', reject)
      socket.on('close', () => resolve())
      socket.on('data', (chunk) => {
        heard += chunk
        if (!/^\d{3} [^\n]*\n$/m.test(heard)) return
        const reply = heard
        heard = ''
        if (!/^[23]/.test(reply)) return reject(new Error(reply))
        if (reply.startsWith('221')) return
        if (reply.startsWith('250 taken') || reply.startsWith('250 OK: message')) taken++
        if (steps.length === 0) {
          // What follows the 250 of a mail, or of EHLO.
          if (performance.now() >= end) return void socket.end('QUIT\r\n')
          steps.push(
            `MAIL FROM:<person${number % SENDERS}@senders.test>`,
            `RCPT TO:<${to}>`,
            'DATA',
            mail(to, number++),
          )
        }
        const step = steps.shift() as string
        if (step.startsWith('Received:')) socket.write(`${step}.\r\n`)
        else socket.write(`${step}\r\n`)
      })
    })
  await Promise.all(Array.from({ length: connections }, send))
  return taken / seconds
}

if (import.meta.main) await Bun.write(Bun.stdout, JSON.stringify(await generate(await Bun.stdin.json())))
