import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandTree } from '../../src/cli/index.ts'
import { loadConfig } from '../../src/config.ts'
import { fileOf } from '../../src/packaging/targets.ts'
import { emptyFolder, executable, run, serve } from '../support/processes/program.ts'

const FOLDER = join(import.meta.dir, '../../src/packaging')
const [containerfile, compose, caddyfile] = ['Containerfile', 'compose.yaml', 'Caddyfile'].map((name) =>
  readFileSync(join(FOLDER, name), 'utf8'),
) as [string, string, string]

/** What an administrator writes into `.env`. */
const OWN = { DOMAIN: 'desk.acme.test', DATABASE_PASSWORD: 'hush', SECRET_KEY: Buffer.alloc(32, 1).toString('base64') }

interface Node {
  environment?: Record<string, string>
  volumes: string[]
  read_only?: boolean
  stop_grace_period?: string
}

describe('the container', () => {
  test('has what the executable needs, which is a C library alone', async () => {
    const { command } = await executable()
    const needed = Bun.spawnSync(['ldd', command[0] as string]).stdout.toString()
    const libraries = [...needed.matchAll(/(lib\w+|ld-linux-[\w-]+)\.so/g)].map(([, name]) => name)
    expect(
      [...new Set(libraries)].filter((name) => !/^(libc|libm|libdl|libpthread|ld-linux-.*)$/.test(name ?? '')),
    ).toEqual([])
    expect(containerfile).toContain(`ARG EXECUTABLE=dist/packages/${fileOf('linux-x64')}\n`)
  })

  test('is configured with variables that there are, runs as nobody, and asks a command for its health', async () => {
    const [, set = ''] = /^ENV (.*)$/m.exec(containerfile) ?? []
    const config = loadConfig(Object.fromEntries(set.split(' ').map((pair) => pair.split('='))))
    expect([config.dataDir, config.host]).toEqual(['/data', '0.0.0.0'])
    expect(containerfile).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m)
    const commands = (await commandTree()).commands.map((command) => command.name())
    const [, check = '[]'] = /^HEALTHCHECK .* CMD (.*)$/m.exec(containerfile) ?? []
    const [, start = '[]'] = /^CMD (.*)$/m.exec(containerfile) ?? []
    expect(commands).toContain(JSON.parse(check)[1])
    expect(commands).toContain(JSON.parse(start)[0])
  })
})

describe('three nodes', () => {
  const filled = compose.replace(/\$\{(\w+):\?\}/g, (_, name: keyof typeof OWN) => OWN[name])
  const { services, networks } = Bun.YAML.parse(filled) as {
    services: Record<string, Node>
    networks: { inside: { ipam: { config: [{ subnet: string }] } } }
  }
  const nodes = Object.entries(services).filter(([name]) => name.startsWith('node'))

  test('start with what they are told, on one database, one key and one place for files', () => {
    expect(nodes).toHaveLength(3)
    const configs = nodes.map(([, { environment = {} }]) => loadConfig(environment))
    for (const config of configs) expect(config).toEqual(configs[0] as (typeof configs)[0])
    expect(configs[0]).toMatchObject({
      baseUrl: 'https://desk.acme.test',
      databaseUrl: 'postgres://frontdesk:hush@database/frontdesk',
      files: { url: 'file:///files' },
      trustedProxies: [networks.inside.ipam.config[0].subnet],
    })
    const folders = nodes.map(([, { volumes }]) => volumes.find((volume) => volume.endsWith(':/data')))
    expect(new Set(folders).size).toBe(3)
    for (const [, node] of nodes) expect(node).toMatchObject({ read_only: true, stop_grace_period: '80s' })
  })

  test('are those that the proxy asks', () => {
    const [, upstreams = ''] = /reverse_proxy (.*) \{/.exec(caddyfile) ?? []
    expect(upstreams.split(' ')).toEqual(nodes.map(([name]) => `${name}:3000`))
  })
})

describe('frontdesk health', () => {
  test('is content with a service that is well, and not with one that is not there', async () => {
    const program = await executable()
    const cwd = emptyFolder()
    const service = await serve(program, { cwd })
    const environment = { FRONTDESK_PORT: new URL(service.url).port }
    expect(await run(program, ['health'], { cwd, environment })).toMatchObject({ code: 0, stdout: 'well\n' })
    await service.stop()
    // What a service has had may be another's by now: nobody listens on this one.
    const gone = await run(program, ['health'], { cwd, environment: { FRONTDESK_PORT: '1' } })
    expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining('nobody answers at http://127.0.0.1:')])
  })

  test('says why a service is not well', async () => {
    const program = await executable()
    const cwd = emptyFolder()
    const service = await serve(program, { cwd, environment: { FRONTDESK_MIN_FREE_MB: '1000000000' } })
    const environment = { FRONTDESK_PORT: new URL(service.url).port }
    const full = await run(program, ['health'], { cwd, environment })
    expect([full.code, full.stderr]).toEqual([1, expect.stringContaining('MB are free on the disk')])
    await service.stop()
  })
})
