import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '../../../src/config.ts'
import { emptyFolder, executable, type Running, serve } from '../../support/processes/program.ts'
import { openShell } from '../../support/sources/shell.ts'
import { codeOf } from '../../support/sources/text-blocks.ts'

// What is fetched by the `yaml` of the chapter, test/metrics/prometheus.test.ts tries with a Prometheus.
const [unit, look, fetched, prometheus] = codeOf('src/guide/monitoring.md', 'ini', 'sh', 'sh', 'yaml')

describe('the chapter on monitoring', () => {
  const cwd = emptyFolder()
  const server = join(cwd, 'server/etc/prometheus')
  let shell: Awaited<ReturnType<typeof openShell>>
  let service: Running

  beforeAll(async () => {
    const program = await executable()
    mkdirSync(server, { recursive: true, mode: 0o777 })
    Bun.spawnSync(['chmod', '-R', 'a+rwX', join(cwd, 'server')])
    service = await serve(program, { cwd, environment: { FRONTDESK_METRICS_PORT: '0' } })
    const metrics = /at (http:\S+)\/metrics$/m.exec(service.output.stdout)?.[1] ?? ''
    const places = {
      'http://127.0.0.1:9464': metrics,
      'http://127.0.0.1:3000': service.url,
      '/etc/prometheus': server,
    }
    shell = await openShell(program, { cwd, places })
  })
  afterAll(async () => {
    await shell.close()
    await service.stop()
  })

  test('has the metrics where its unit and its Prometheus look for them', async () => {
    const [, name = '', port = ''] = /^Environment=(\w+)=(\d+)$/.exec(unit.text.trim()) ?? []
    expect(loadConfig({ [name]: port }).metrics).toEqual({ host: '127.0.0.1', port: 9464 })
    expect(prometheus.text).toContain(`'127.0.0.1:${port}'`)
    let printed = ''
    await shell.run(look, {
      after: (_, said) => {
        printed += said
      },
    })
    expect(printed).toContain('# TYPE frontdesk_http_requests_total counter')
  })

  test('fetches the rules to where Prometheus is told that they are, and the board', async () => {
    await shell.run(fetched)
    const own = (name: string) => readFileSync(join(import.meta.dir, '../../../src/guide/monitoring', name), 'utf8')
    expect(prometheus.text).toContain('  - /etc/prometheus/frontdesk-alerts.yml\n')
    expect(readFileSync(join(server, 'frontdesk-alerts.yml'), 'utf8')).toBe(own('alerts.yml'))
    expect(readFileSync(join(cwd, 'frontdesk-board.json'), 'utf8')).toBe(own('board.json'))
  })
})
