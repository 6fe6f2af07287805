import { afterAll } from 'bun:test'
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../patience.ts'
import { unusedPort } from '../processes/ports.ts'
import { emptyFolder } from '../processes/program.ts'

const NOBODY = 65_534
const BIN = '/usr/sbin:/usr/bin:/bin'
const CERTS = join(import.meta.dir, 'certs')

/** Whether a proxy's configuration can be tried here. Without nginx such tests are left out on a desk, and fail in CI. */
export const hasNginx = Bun.which('nginx', { PATH: BIN }) !== null || process.env.CI === 'true'

if (!hasNginx) console.error('no nginx: its configuration in the guide is not tried (apt install nginx-light)')

const servers = new Set<Bun.Subprocess>()
// Where a test fails, nobody else ends what it started.
afterAll(() => {
  for (const server of servers) server.kill('SIGTERM')
})

/**
 * Debian's nginx, unprivileged, in a temporary folder, with what a text has for its `http` block: on another port, and
 * with the certificate of the tests' authority. `places` says what else is called differently here. Close it when done.
 */
export async function startNginx(configuration: string, places: Record<string, string>) {
  const folder = emptyFolder()
  const port = unusedPort()
  const isRoot = process.getuid?.() === 0
  const here = Object.entries({
    'listen 443': `listen 127.0.0.1:${port}`,
    '/etc/letsencrypt/live/desk.example.com/fullchain.pem': join(CERTS, 'receiver.pem'),
    '/etc/letsencrypt/live/desk.example.com/privkey.pem': join(folder, 'key.pem'),
    ...places,
  }).reduce((text, [word, actual]) => {
    if (!text.includes(word)) throw new Error(`${word} is not in the configuration`)
    return text.replaceAll(word, actual)
  }, configuration)
  writeFileSync(join(folder, 'key.pem'), await Bun.file(join(CERTS, 'receiver-key.pem')).text(), { mode: 0o600 })
  writeFileSync(join(folder, 'config'), configOf(folder, here))
  mkdirSync(join(folder, 'temp'))
  chmodSync(folder, 0o755)
  if (isRoot) for (const name of ['', 'temp', 'key.pem']) chownSync(join(folder, name), NOBODY, NOBODY)
  const as = isRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : []
  const log = join(folder, 'log')
  const server = Bun.spawn([...as, 'nginx', '-c', join(folder, 'config'), '-e', log, '-p', folder], {
    cwd: folder,
    env: { PATH: BIN },
    stdout: 'ignore',
    stderr: 'ignore',
  })
  servers.add(server)
  const url = `https://127.0.0.1:${port}`
  const tls = { rejectUnauthorized: false }
  await until(
    () =>
      fetch(url, { tls }).then(
        () => true,
        () => false,
      ),
    async () => {
      if (server.exitCode !== null) throw new Error(`nginx has ended: ${await Bun.file(log).text()}`)
    },
  )
  return {
    url,
    tls,
    async close() {
      server.kill('SIGQUIT')
      await server.exited
    },
  }
}

function configOf(folder: string, configuration: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
daemon off;
worker_processes 1;
pid ${folder}/pid;
events { worker_connections 64; }
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${folder}/temp/${name};`).join('\n  ')}
  ${configuration}
}
`
}
