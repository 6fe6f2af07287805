import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { chapters } from '../../src/guide/chapters.ts'
import board from '../../src/guide/monitoring/board.json'
import { catalogue, type Description } from '../../src/metrics/catalogue.ts'
import { startApp } from '../support/app.ts'
import { serverUrl } from '../support/data/postgres.ts'
import { until } from '../support/patience.ts'
import { emptyFolder, executable, serve } from '../support/processes/program.ts'
import { hasPrometheus, promtool, startPrometheus } from '../support/servers/prometheus.ts'
import { blocksOf } from '../support/sources/text-blocks.ts'
import { ask, mailPortOf, newDesk } from '../support/tickets/desk.ts'

/* The alert rules and the board of the guide, and a Prometheus that fetches what they are about. */

const folder = join(import.meta.dir, '../../src/guide/monitoring')
const alerts = Bun.YAML.parse(await Bun.file(join(folder, 'alerts.yml')).text()) as {
  groups: { rules: { alert: string; expr: string; labels: { severity: string }; annotations: object }[] }[]
}
const rules = alerts.groups.flatMap((group) => group.rules)

/** The expressions of the board, by the title of their panel. */
const drawn = board.panels.flatMap((panel) => {
  const { title, targets } = panel as { title: string; targets?: { expr: string }[] }
  return (targets ?? []).map(({ expr }) => [title, expr] as const)
})
/** As Grafana fills in its variables. */
const filledIn = (expr: string) =>
  expr.replaceAll('$job', 'frontdesk').replaceAll('$instance', '.*').replaceAll('$__rate_interval', '1m')

const metrics: Readonly<Record<string, Description>> = catalogue
/** Names of our metrics as an expression has them, with the labels it asks for. */
const expressions = [...rules.map(({ alert, expr }) => [alert, expr] as const), ...drawn]
const known = new Set(
  Object.entries(metrics).flatMap(([name, { type }]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  ),
)

describe('what the rules and the board name', () => {
  test.each(expressions)('%s: metrics that there are, with labels that they have', (_, expr) => {
    const names = expr.match(/\b(frontdesk|process)_\w+/g) ?? []
    if (!/\bup\{/.test(expr)) expect(names.length).toBeGreaterThan(0)
    expect(names.filter((name) => !known.has(name))).toEqual([])
    const own = names.flatMap(
      (name) => metrics[name.replace(/_(bucket|sum|count)$/, '')]?.labels ?? metrics[name]?.labels ?? [],
    )
    const labels = ['job', 'instance', 'le', ...own.map((label) => (label === 'job' ? 'exported_job' : label))]
    const asked = [
      ...[...expr.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label]) => label as string),
      ...[...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/, */)),
    ]
    expect(asked.filter((label) => !labels.includes(label))).toEqual([])
  })

  test('is all there is: each of our metrics is in one of them, and told in the guide', () => {
    const text = chapters.find(({ slug }) => slug === 'monitoring')?.markdown ?? ''
    for (const name of Object.keys(metrics)) {
      expect([name, expressions.some(([, expr]) => expr.includes(name))]).toEqual([name, true])
      expect([name, text.includes(`\`${name}\``)]).toEqual([name, true])
    }
  })

  test('tells what to do in every alert', () => {
    for (const { alert, labels, annotations } of rules) {
      expect([alert, ['critical', 'warning', 'info'].includes(labels.severity)]).toEqual([alert, true])
      expect([alert, Object.keys(annotations)]).toEqual([alert, ['summary', 'description']])
    }
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  })

  test('the service hands out as it is, without a key', async () => {
    const app = await startApp()
    for (const [name, type] of [
      ['alerts.yml', 'application/yaml; charset=utf-8'],
      ['board.json', 'application/json'],
    ]) {
      const answer = await app.request('GET', `/docs/guide/monitoring/${name}`)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type as string])
      expect(answer.text).toBe(await Bun.file(join(folder, name as string)).text())
    }
    await app.close()
  })
})

describe.if(hasPrometheus)('Prometheus', () => {
  test('takes the rules, and they fire when they should and not before', async () => {
    const rulesFile = join(folder, 'alerts.yml')
    const checked = await promtool(['check', 'rules', rulesFile])
    expect([checked.code, checked.said]).toEqual([0, expect.stringContaining(`SUCCESS: ${rules.length} rules found`)])
    const file = join(emptyFolder(), 'tests.yml')
    writeFileSync(file, JSON.stringify(unitTests(rulesFile)))
    const tested = await promtool(['test', 'rules', file])
    expect([tested.code, tested.said]).toEqual([0, expect.stringContaining('SUCCESS')])
  })

  test('fetches the metrics as the guide says, and goes by the rules', async () => {
    const { service, prometheus } = await startScraped({ cwd: emptyFolder() })
    const ours = 'frontdesk_http_requests_total{route="/healthz",method="GET",status="200"}'
    const [found] = await until(
      async () => {
        const series = await prometheus.ask(ours)
        return series.length > 0 && series
      },
      () => fetch(`${service.url}/healthz`),
    )
    expect(found?.metric).toMatchObject({ job: 'frontdesk', route: '/healthz' })
    // Whichever fetch was the last: on a busy machine one may have taken longer than the second that it has.
    await until(async () => (await prometheus.ask('up{job="frontdesk"} == 1')).length > 0)
    const [late] = await until(async () => {
      const series = await prometheus.ask('frontdesk_job_lateness_seconds_count')
      return series.length > 0 && series
    })
    expect(late?.metric.exported_job).toMatch(/\w/)
    const { data } = await prometheus.get('/api/v1/rules')
    const health = data.groups.flatMap((group: { rules: { name: string; health: string }[] }) => group.rules)
    expect(health.map(({ name }: { name: string }) => name).sort()).toEqual(rules.map(({ alert }) => alert).sort())
    await service.stop()
    await until(async () => (await prometheus.ask('up{job="frontdesk"} == 0')).length > 0)
  })

  test('has something to draw for every expression of the board, of a service at work where nothing fails', async () => {
    const desk = await newDesk(await executable())
    const { service, prometheus } = await startScraped({
      cwd: desk.cwd,
      environment: {
        FRONTDESK_INBOUND_SMTP_PORT: '0',
        FRONTDESK_PUBLIC_RATE_LIMIT: '100000',
        FRONTDESK_BACKUP_TO: join(emptyFolder(), 'kept'),
      },
    })
    const transport = createTransport({ host: '127.0.0.1', port: mailPortOf(service) })
    const work = async () => {
      await transport.sendMail({ from: 'ada@acme.test', to: desk.address, subject: 'Hello', text: 'Where is it?' })
      await ask(service, desk, '/v1/tickets')
      await fetch(`${service.url}/v1/tickets`)
      // Prometheus looks by its own clock, once a second.
      await Bun.sleep(200)
    }
    const hasPoints = async (expr: string) =>
      (await prometheus.ask(filledIn(expr))).some(({ value }) => Number.isFinite(value))
    // Only one that has a replica tells of it, and PostgreSQL's log is of its whole server.
    const absent = serverUrl
      ? /frontdesk_(list_reads_total|replica_lag_seconds|wal_bytes)\b/
      : /frontdesk_(list_reads_total|replica_lag_seconds)\b/
    for (const [title, expr] of drawn.filter(([, expr]) => !absent.test(expr))) {
      await until(() => hasPoints(expr), work).catch((error) => Promise.reject(new Error(`${title}: ${error}`)))
    }
    for (const [, expr] of drawn.filter(([, expr]) => absent.test(expr))) expect(await hasPoints(expr)).toBe(false)
    expect(await chosenFrom(prometheus)).toEqual([
      ['job', ['frontdesk']],
      ['instance', [expect.any(String)]],
    ])
    await service.stop()
  })
})

/** A service, and a Prometheus that fetches its metrics as the guide says, but every second. */
async function startScraped({ cwd, environment }: { cwd: string; environment?: Record<string, string> }) {
  const told = { FRONTDESK_METRICS_PORT: '0', ...environment }
  const service = await serve(await executable(), { cwd, environment: told })
  const target = /at http:\/\/(\S+)\/metrics$/m.exec(service.output.stdout)?.[1] ?? ''
  const [block] = blocksOf('src/guide/monitoring.md').filter(({ language }) => language === 'yaml')
  const configuration = (block?.text ?? '')
    .replace('/etc/prometheus/frontdesk-alerts.yml', join(folder, 'alerts.yml'))
    .replace("'127.0.0.1:9464'", `'${target}'`)
    .replace('scrape_interval: 15s', 'scrape_interval: 1s')
  expect(configuration).toContain(target)
  return { service, prometheus: await startPrometheus(configuration) }
}

/** What the board's variables can be, by their queries: each asks for the values of a label. */
async function chosenFrom(prometheus: Awaited<ReturnType<typeof startPrometheus>>): Promise<[string, string[]][]> {
  const variables = board.templating.list.filter(({ type }) => type === 'query')
  return Promise.all(
    variables.map(async ({ name, query }) => {
      const text = (query as { query: string }).query
      const [, series = '', label = ''] = /^label_values\((.+), (\w+)\)$/.exec(filledIn(text)) ?? []
      const { data } = await prometheus.get(`/api/v1/label/${label}/values?match[]=${encodeURIComponent(series)}`)
      return [name, data] as [string, string[]]
    }),
  )
}

/** What promtool plays through: series minute by minute, and which alerts are to fire then. */
function unitTests(rulesFile: string) {
  const node = 'job="frontdesk",instance="a"'
  const played = (series: Record<string, string>, alertname: string, at: string) => ({
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    alert_rule_test: [{ eval_time: at, alertname, exp_alerts: [] as object[] }],
  })
  const requests = (status: string) =>
    `frontdesk_http_requests_total{${node},route="/",method="GET",status="${status}"}`
  const stalls = (le: string) => `frontdesk_loop_stall_seconds_bucket{${node},le="${le}"}`
  const [last, period, damaged, failed] = [
    `frontdesk_last_backup_timestamp_seconds{${node}}`,
    `frontdesk_backup_period_seconds{${node}}`,
    `frontdesk_damaged_backups{${node}}`,
    `frontdesk_backups_total{${node},outcome="failed"}`,
  ] as const
  const quiet = [
    played({ [`up{${node}}`]: '1x30' }, 'FrontdeskDown', '20m'),
    played({ [`up{${node}}`]: '1 0 1x20' }, 'FrontdeskDown', '20m'),
    played({ [requests('200')]: '0+600x30', [requests('500')]: '0+1x30' }, 'FrontdeskRequestsFail', '20m'),
    played({ [`frontdesk_disk_free_bytes{${node}}`]: '5e9x30' }, 'FrontdeskDiskFull', '20m'),
    played({ [`frontdesk_oldest_event_seconds{${node}}`]: '0 90 0x20' }, 'FrontdeskEventsWait', '3m'),
    played({ [`frontdesk_mailboxes{${node},state="failing"}`]: '0x30' }, 'FrontdeskMailboxFails', '25m'),
    // Time begins at 0 there: a backup of then, made every 20 minutes, is overdue from minute 40 on.
    played({ [last]: '0x90', [period]: '1200x90' }, 'FrontdeskBackupOverdue', '54m'),
    // Nor where none are made by themselves.
    played({ [`up{${node}}`]: '1x90' }, 'FrontdeskBackupOverdue', '60m'),
    played({ [failed]: '0 1 1x90' }, 'FrontdeskBackupFails', '60m'),
    played({ [damaged]: '0x30' }, 'FrontdeskBackupDamaged', '20m'),
    played(
      { [`frontdesk_loop_stall_seconds_count{${node}}`]: '0+1200x40', [stalls('0.2')]: '0+1200x40' },
      'FrontdeskStandsStill',
      '35m',
    ),
  ]
  return { rule_files: [rulesFile], evaluation_interval: '1m', tests: [...quiet, ...firing()] }

  /** Labels and annotations have to be exact, so the rule's own are filled in here. */
  function firing() {
    const fires = (series: Record<string, string>, alertname: string, at: string, labels: Record<string, string>) => {
      const rule = rules.find(({ alert }) => alert === alertname)
      const fill = (text: string) =>
        text.replace(/\{\{ \$labels\.(\w+) \}\}/g, (_, label: string) => labels[label] ?? '')
      const exp_annotations = Object.fromEntries(
        Object.entries(rule?.annotations ?? {}).map(([name, text]) => [name, fill(String(text))]),
      )
      const all = { severity: rule?.labels.severity, ...labels }
      return {
        ...played(series, alertname, at),
        alert_rule_test: [{ eval_time: at, alertname, exp_alerts: [{ exp_labels: all, exp_annotations }] }],
      }
    }
    const a = { job: 'frontdesk', instance: 'a' }
    return [
      fires({ [`up{${node}}`]: '0x30' }, 'FrontdeskDown', '5m', a),
      fires({ [requests('200')]: '0+60x30', [requests('500')]: '0+6x30' }, 'FrontdeskRequestsFail', '20m', {
        instance: 'a',
      }),
      fires({ [`frontdesk_disk_free_bytes{${node}}`]: '5e8x30' }, 'FrontdeskDiskFull', '10m', a),
      fires({ [`frontdesk_oldest_event_seconds{${node}}`]: '0+60x30' }, 'FrontdeskEventsWait', '20m', a),
      fires({ [last]: '0x90', [period]: '1200x90' }, 'FrontdeskBackupOverdue', '60m', a),
      fires({ [period]: '1200x90' }, 'FrontdeskBackupOverdue', '20m', a),
      fires({ [failed]: '0 1 2 3 3x90' }, 'FrontdeskBackupFails', '60m', { instance: 'a' }),
      fires({ [damaged]: '1x30' }, 'FrontdeskBackupDamaged', '20m', {}),
      fires({ [`frontdesk_mailboxes{${node},state="failing"}`]: '1x30' }, 'FrontdeskMailboxFails', '25m', {
        state: 'failing',
      }),
      fires(
        { [`frontdesk_loop_stall_seconds_count{${node}}`]: '0+1200x40', [stalls('0.2')]: '0+1190x40' },
        'FrontdeskStandsStill',
        '35m',
        a,
      ),
      fires(
        {
          [`frontdesk_job_lateness_seconds_count{${node},exported_job="mail alerts"}`]: '0+5x40',
          [`frontdesk_job_lateness_seconds_bucket{${node},exported_job="mail alerts",le="60"}`]: '0x40',
        },
        'FrontdeskJobsLate',
        '35m',
        { instance: 'a', exported_job: 'mail alerts' },
      ),
    ]
  }
}
