import { mkdirSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'

/** The floor of taking mail: a bare smtp-server that writes each mail to a synced file. Argument: a folder. */
const [folder] = process.argv.slice(2) as [string]
mkdirSync(folder, { recursive: true })
let count = 0

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['AUTH', 'STARTTLS'],
  disableReverseLookup: true,
  onData(stream, _, done) {
    const pieces: Buffer[] = []
    stream.on('data', (piece: Buffer) => pieces.push(piece))
    stream.on('end', () => keep(Buffer.concat(pieces)).then(() => done(), done))
  },
})

async function keep(mail: Buffer): Promise<void> {
  const file = await open(join(folder, `${++count}.eml`), 'w')
  await file.writeFile(mail)
  await file.sync()
  await file.close()
}

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.server.address() as { port: number }).port}\n`)
})
