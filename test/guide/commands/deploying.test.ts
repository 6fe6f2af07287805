import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../../../package.json' with { type: 'json' }
import { chapters } from '../../../src/guide/chapters.ts'
import { emptyFolder, executable, type Running, record, run, serve } from '../../support/processes/program.ts'
import { Succession } from '../../support/processes/succession.ts'
import { startNameServer } from '../../support/servers/name-server.ts'
import { hasNginx, startNginx } from '../../support/servers/nginx.ts'
import { cloneTools, openShell } from '../../support/sources/shell.ts'
import { codeOf } from '../../support/sources/text-blocks.ts'

const program = await executable()
const [build, unit, start, reload, caddy, nginx, containers, first, look, release] = codeOf(
  'src/guide/deploying.md',
  'sh',
  'ini',
  'sh',
  'sh',
  'caddyfile',
  'nginx',
  'sh',
  'sh',
  'sh',
  'sh',
)

const hasSystemd = Bun.which('systemd-analyze') !== null || process.env.CI === 'true'
/** By the points of systemd-analyze, of which ten are nothing kept back. */
const EXPOSED_AT_MOST = 2
const CERTS = join(import.meta.dir, '../../support/servers/certs')
const cwd = emptyFolder()
const installed = join(cwd, 'server/usr/local/bin/frontdesk')
const dataDir = join(cwd, 'server/var/lib/frontdesk')
/** The commands that ask for a server of their own. */
const instead = {
  ...cloneTools,
  useradd: `[ "$*" = '--system --home-dir ${dataDir} frontdesk' ]`,
  systemctl: `[ "$*" = 'enable --now frontdesk' ]`,
  sudo: `[ "$*" = '-u frontdesk -s' ]`,
}

/** The directives of the unit, by section. */
function directivesOf(text: string): [section: string, name: string, value: string][] {
  let section = ''
  return text.split('\n').flatMap((line) => {
    section = /^\[(\w+)\]$/.exec(line)?.[1] ?? section
    const [, name, value] = /^(\w+)=(.+)$/.exec(line) ?? []
    return name === undefined ? [] : [[section, name, value as string] as [string, string, string]]
  })
}
const directives = directivesOf(unit.text)
const valuesOf = (name: string) => directives.filter((one) => one[1] === name).map(([, , value]) => value)

describe('the chapter on deploying', () => {
  let shell: Awaited<ReturnType<typeof openShell>>
  let service: Running
  let url: string

  beforeAll(async () => {
    for (const folder of [join(installed, '..'), dataDir]) mkdirSync(folder, { recursive: true, mode: 0o777 })
    Bun.spawnSync(['chmod', '-R', 'a+rwX', join(cwd, 'server')])
    const places = { '/usr/local/bin/frontdesk': installed, '/var/lib/frontdesk': dataDir }
    shell = await openShell(program, { cwd, dataDir, instead, places })
  })
  afterAll(async () => {
    await shell.close()
    await service?.stop()
  })

  test('builds the executable and brings it to the server', async () => {
    await shell.run(build)
    const { mode, size } = statSync(installed)
    expect(mode & 0o100).toBe(0o100)
    const [chapter] = chapters.filter(({ slug }) => slug === 'deploying')
    const figure = Number(/of some (\d+) MB/.exec(chapter?.markdown ?? '')?.[1])
    expect(Math.abs(size / 1_000_000 / figure - 1)).toBeLessThan(0.1)
  })

  test('says how a release is made', () => {
    const [, script = ''] = / run (\S+) /.exec(release.text) ?? []
    expect(manifest.scripts).toHaveProperty(script)
    const files = [...containers.text.matchAll(/--file (\S+)/g)].map(([, file]) => file as string)
    expect(files.map((file) => existsSync(join(import.meta.dir, '../../..', file)))).toEqual([true, true])
  })

  test('has a unit of known directives, each in its section', () => {
    const sections = { Unit: /^(Description|After|Wants)$/, Install: /^WantedBy$/, Service: /./ }
    const lines = unit.text.split('\n').filter((line) => line !== '' && !/^(#|\[\w+\]$)/.test(line))
    expect(directives.map(([, name, value]) => `${name}=${value}`)).toEqual(lines)
    for (const [section, name] of directives)
      expect([section, name, sections[section as keyof typeof sections]?.test(name)]).toEqual([section, name, true])
    expect(valuesOf('Environment')).toContain(`FRONTDESK_DATA=/var/lib/${valuesOf('StateDirectory')}`)
    expect(valuesOf('UnsetEnvironment').join(' ').split(' ').sort()).toEqual(['BUN_BE_BUN', 'BUN_OPTIONS'])
  })

  /** The unit as a file. */
  function unitFile(): string {
    const file = join(cwd, 'frontdesk.service')
    writeFileSync(file, unit.text.replace('/usr/local/bin/frontdesk', installed))
    return file
  }

  test.if(hasSystemd)('has a unit that systemd takes', () => {
    const file = unitFile()
    const { exitCode, stdout, stderr } = Bun.spawnSync(['systemd-analyze', 'verify', '--man=no', file])
    const said = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('frontdesk'))
    expect([exitCode, said]).toEqual([0, []])
  })

  test.if(hasSystemd)('has a unit that leaves little open', () => {
    const { exitCode, stdout } = Bun.spawnSync([
      'systemd-analyze',
      'security',
      '--offline=true',
      `--threshold=${EXPOSED_AT_MOST * 10}`,
      unitFile(),
    ])
    const [, exposure = ''] = /exposure level for \S+: ([\d.]+)/.exec(stdout.toString()) ?? []
    expect(Number(exposure)).toBeGreaterThan(0)
    expect([exitCode, Number(exposure) <= EXPOSED_AT_MOST]).toEqual([0, true])
  })

  test('starts as the unit says, for its user alone', async () => {
    await shell.run(start)
    const [path = '', ...args] = valuesOf('ExecStart').join(' ').split(' ')
    const environment = Object.fromEntries(
      valuesOf('Environment').map((one) => one.replace('/var/lib/frontdesk', dataDir).split(/=(.*)/) as string[]),
    )
    service = await serve(
      { ...program, command: [path.replace('/usr/local/bin/frontdesk', installed)] },
      {
        cwd,
        environment,
      },
      args,
    )
    url = service.url
    const health = await fetch(`${url}/healthz`)
    expect([health.status, health.headers.get('strict-transport-security')]).toEqual([200, 'max-age=31536000'])
  })

  test('makes the first tenant, person and key, and the key works', async () => {
    let key = ''
    await shell.run(first, {
      after: (_, printed) => {
        key = /\bsk_\S+/.exec(printed)?.[0] ?? key
      },
    })
    const answer = await fetch(`${url}/v1/contacts`, { headers: { authorization: `Bearer ${key}` } })
    expect(answer.status).toBe(200)
  })

  test('has a site of Caddy’s that leads to where frontdesk listens', () => {
    expect(caddy.text).toMatch(/^desk\.example\.com \{\n\treverse_proxy 127\.0\.0\.1:3000\n\}$/)
  })

  test.if(hasNginx)('has a server of nginx’s that serves pages, and the chat with its socket', async () => {
    const options = { cwd, environment: { FRONTDESK_DATA: dataDir } }
    const inbox = await record(program, ['inbox', 'create', '--name', 'Chat', '--channel', 'livechat'], options)
    const source = await record(program, ['source', 'create', '--name', 'Help', '--inbox', inbox.id], options)
    const proxy = await startNginx(nginx.text, { 'http://127.0.0.1:3000': url })
    const { tls } = proxy
    const outside = { FRONTDESK_BASE_URL: proxy.url, NODE_EXTRA_CA_CERTS: join(CERTS, 'ca.pem') }
    const names = await startNameServer({})
    const elsewhere = ['--time-server', '127.0.0.1:1', '--dns', names.address]
    const [, ...command] = (look.text.split('#')[0] ?? '').trim().split(/ +/)
    const found = await run(program, [...command, ...elsewhere, '--json'], {
      cwd,
      environment: { FRONTDESK_DATA: dataDir, FRONTDESK_TRUSTED_PROXIES: '127.0.0.1', ...outside },
    })
    names.close()
    const levels = (JSON.parse(found.stdout) as { level: string; about: string }[])
      .filter(({ about }) => ['TLS', 'proxy', 'WebSocket', 'uploads'].includes(about))
      .map(({ level, about }) => `${level} ${about}`)
    expect(found.stdout).toContain(`"bad",\n    "about": "test mail",\n    "says": "it became the file`)
    expect(levels).toEqual(['good TLS', 'good proxy', 'good WebSocket', 'good uploads'])
    const chat = `${proxy.url}/chat/${source.id}`
    expect((await fetch(`${proxy.url}/docs/guide`, { tls })).status).toBe(200)
    const visitor = await fetch(`${chat}/visitors`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
      tls,
    })
    const { token } = (await visitor.json()) as { token: string }
    const socket = new WebSocket(`${chat.replace('https', 'wss')}/socket`, { tls } as unknown as string[])
    const heard = new Promise((resolve) => {
      socket.onmessage = ({ data }) => resolve(JSON.parse(String(data)))
      socket.onclose = ({ code }) => resolve(`closed: ${code}`)
      socket.onopen = () => {
        socket.send(JSON.stringify({ token }))
        socket.send(JSON.stringify({ type: 'nonsense' }))
      }
    })
    expect(await heard).toMatchObject({ type: 'error' })
    socket.close()
    await proxy.close()
  })
  test('reloads as the unit says: another process follows', async () => {
    expect(reload.text).toBe('systemctl reload frontdesk')
    const succession = new Succession(service)
    const [command = ''] = valuesOf('ExecReload')
    await succession.follow(() => {
      const { exitCode } = Bun.spawnSync(['sh', '-c', command.replace('$MAINPID', String(service.pid))])
      expect(exitCode).toBe(0)
    })
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    expect(await succession.stop()).toMatchObject({ code: 0, stderr: '' })
  })
})
