import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ImapFlow } from 'imapflow'
import { until } from '../patience.ts'
import { unusedPort } from '../processes/ports.ts'

const NOBODY = 65_534
/** Where Debian has it. */
const BIN = '/usr/sbin:/usr/bin:/bin'
const CERTS = join(import.meta.dir, '../servers/certs')

/** Whether mailboxes can be tested here. Without dovecot such tests are skipped on a desk, and fail in CI. */
export const hasDovecot = Bun.which('dovecot', { PATH: BIN }) !== null || process.env.CI === 'true'

if (!hasDovecot) console.error('no dovecot: tests of mailboxes are skipped (apt install dovecot-imapd)')

export interface ImapServerOptions {
  /** Of each user. */
  passwords?: Record<string, string>
  /** What the server says it can; its own list when left out. */
  capability?: string
  /** Speaks TLS from the first byte, with this certificate of `certs/`. */
  certificate?: string
  /** Where it asks whose an access token is: anything but a 200 refuses it. */
  tokenInfoUrl?: string
}

export type ImapServer = Awaited<ReturnType<typeof startImapServer>>

/** Debian's dovecot, unprivileged, in a temporary folder, on a port that nobody else has. Close it when done. */
export async function startImapServer(options: ImapServerOptions = {}) {
  const { passwords = { 'help@acme.test': 'secret' }, certificate } = options
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-dovecot-'))
  const isRoot = process.getuid?.() === 0
  const uid = isRoot ? NOBODY : (process.getuid?.() as number)
  const port = unusedPort()
  const passwd = Object.entries(passwords).map(([user, password]) => `${user}:{PLAIN}${password}\n`)
  writeFileSync(join(folder, 'passwd'), passwd.join(''))
  if (options.tokenInfoUrl) {
    writeFileSync(
      join(folder, 'oauth2'),
      `tokeninfo_url = ${options.tokenInfoUrl}?token=\nusername_attribute = email\nactive_attribute = active\nactive_value = true\n`,
    )
  }
  writeFileSync(join(folder, 'config'), configOf(folder, port, uid, options))
  for (const name of ['home', 'state']) mkdirSync(join(folder, name))
  if (isRoot) for (const name of ['', 'home', 'state', 'passwd', 'config']) chownSync(join(folder, name), uid, uid)
  const as = isRoot ? ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'] : []
  const run = () => {
    // What one that was killed has left would keep the next from starting.
    rmSync(join(folder, 'run'), { recursive: true, force: true })
    mkdirSync(join(folder, 'run'))
    if (isRoot) chownSync(join(folder, 'run'), uid, uid)
    return Bun.spawn([...as, 'dovecot', '-F', '-c', join(folder, 'config')], {
      cwd: folder,
      env: { PATH: BIN, HOME: folder },
      stdout: 'ignore',
      stderr: Bun.file(join(folder, 'stderr')),
    })
  }
  let server = run()
  const log = () => Bun.file(join(folder, 'log')).text()
  const answers = () =>
    until(
      // Where the client speaks first, to be let in says enough.
      () => isAnswering(port, certificate ? 'connect' : 'data'),
      async () => {
        if (!isRunning(server)) throw new Error(`dovecot has ended: ${await log().catch(() => '')}`)
      },
    )
  process.once('exit', () => {
    if (isRunning(server)) killAll(server.pid)
  })
  await answers()
  let count = 0
  const inboxOf = (user: string) => join(folder, 'home', user, 'mail')

  /** A connection of the test's own. */
  async function look<T>(user: string, work: (client: ImapFlow) => Promise<T>): Promise<T> {
    const client = new ImapFlow({
      host: '127.0.0.1',
      port,
      secure: certificate !== undefined,
      tls: { rejectUnauthorized: false },
      auth: { user, pass: passwords[user] ?? '' },
      logger: false,
    })
    await client.connect()
    try {
      await client.mailboxOpen('INBOX', { readOnly: true })
      return await work(client)
    } finally {
      await client.logout()
    }
  }

  return {
    port,
    url: (user = 'help@acme.test') =>
      `${certificate ? 'imaps' : 'imap'}://${encodeURIComponent(user)}@127.0.0.1:${port}`,
    /** Puts a mail into an INBOX, as the mail server behind it would; `at` is when it arrived. */
    deliver(raw: string | Uint8Array, { user = 'help@acme.test', at }: { user?: string; at?: Date } = {}) {
      const name = `${Date.now()}.${process.pid}_${++count}.test`
      const inbox = inboxOf(user)
      for (const part of ['', 'tmp', 'new', 'cur']) {
        if (existsSync(join(inbox, part))) continue
        mkdirSync(join(inbox, part), { recursive: true })
        if (isRoot) chownSync(join(inbox, part), uid, uid)
      }
      if (isRoot) chownSync(join(inbox, '..'), uid, uid)
      const file = join(inbox, 'tmp', name)
      writeFileSync(file, raw)
      if (isRoot) chownSync(file, uid, uid)
      if (at) utimesSync(file, at, at)
      renameSync(file, join(inbox, 'new', name))
    },
    /** Subjects of an INBOX's mails, in their order, and whether they are marked as seen. */
    mails: (user = 'help@acme.test') =>
      look(user, async (client) => {
        const mails = await client.fetchAll('1:*', { envelope: true, flags: true })
        return mails.map(({ envelope, flags }) => [envelope?.subject ?? '', flags?.has('\\Seen') ?? false] as const)
      }).catch(() => [] as (readonly [string, boolean])[]),
    /** Numbers the mails of an INBOX anew, while the server stands still. */
    async renumber(user = 'help@acme.test') {
      await this.stop()
      const inbox = inboxOf(user)
      for (const name of ['dovecot.index.log', 'dovecot.index', 'dovecot.index.cache']) {
        rmSync(join(inbox, name), { force: true })
      }
      const [header = ''] = readFileSync(join(inbox, 'dovecot-uidlist'), 'utf8').split('\n')
      const next = header.replace(/ V(\d+) N\d+/, (_, validity) => ` V${Number(validity) + 1} N1`)
      writeFileSync(join(inbox, 'dovecot-uidlist'), `${next}\n`)
      await this.start()
    },
    /** As if the machine lost its power: asked politely, it would let clients go on for ten seconds. */
    async stop() {
      if (isRunning(server)) killAll(server.pid)
      await server.exited
      // A child that is still ending would take connections yet.
      await until(async () => !(await isAnswering(port, 'connect')))
    },
    async start() {
      server = run()
      await answers()
    },
    log,
    async close() {
      await this.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function isRunning({ exitCode, signalCode }: Bun.Subprocess): boolean {
  return exitCode === null && signalCode === null
}

/** The server with its processes, of which it makes no more meanwhile. */
function killAll(pid: number): void {
  process.kill(pid, 'SIGSTOP')
  const { stdout } = Bun.spawnSync(['ps', '-o', 'pid=', '--ppid', String(pid)])
  const children = stdout.toString().split('\n').map(Number).filter(Boolean)
  for (const one of [pid, ...children]) {
    try {
      process.kill(one, 'SIGKILL')
    } catch {
      // It has ended meanwhile.
    }
  }
}

function configOf(folder: string, port: number, uid: number, options: ImapServerOptions): string {
  const { capability, certificate, tokenInfoUrl } = options
  const owner = Bun.spawnSync(['id', '-un', String(uid)])
    .stdout.toString()
    .trim()
  const group = Bun.spawnSync(['id', '-gn', String(uid)])
    .stdout.toString()
    .trim()
  return `
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
protocols = imap
listen = 127.0.0.1
default_login_user = ${owner}
default_internal_user = ${owner}
default_internal_group = ${group}
disable_plaintext_auth = no
auth_mechanisms = plain login${tokenInfoUrl ? ' xoauth2' : ''}
auth_failure_delay = 0
mail_location = maildir:~/mail
first_valid_uid = 1
first_valid_gid = 1
mail_max_userip_connections = 0
${capability ? `imap_capability = ${capability}` : ''}
${certificate ? `ssl = required\nssl_cert = <${CERTS}/${certificate}.pem\nssl_key = <${CERTS}/receiver-key.pem` : 'ssl = no'}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${certificate ? 0 : port}
  }
  inet_listener imaps {
    port = ${certificate ? port : 0}
  }
}
service anvil {
  chroot =
  # It would make those wait who often sign in wrongly.
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service stats {
  chroot =
}
passdb {
  driver = passwd-file
  mechanisms = plain login
  args = username_format=%u ${folder}/passwd
}
${tokenInfoUrl ? `passdb {\n  driver = oauth2\n  mechanisms = xoauth2\n  args = ${folder}/oauth2\n}` : ''}
userdb {
  driver = static
  args = uid=${uid} gid=${uid} home=${folder}/home/%u
}
`
}

function isAnswering(port: number, sign: 'data' | 'connect'): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once(sign, () => {
      resolve(true)
      socket.destroy()
    })
    socket.once('error', () => resolve(false))
    socket.once('close', () => resolve(false))
  })
}
