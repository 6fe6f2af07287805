import { connect, createServer, type Socket } from 'node:net'
import { until } from '../patience.ts'
import { emptyFolder, type Program, record } from '../processes/program.ts'
import { runSql, startPostgres } from './postgres.ts'

/** Rows of what a dump takes some time for. */
const ROWS = 400_000

/** More than any connection brings but that of a dump, in bytes. */
const MUCH = 1_000_000

/** A server of the test's own with an installation, whose dump can be held up, to be killed amid it. */
export async function startFilledPostgres(program: Program) {
  const server = await startPostgres()
  const way = await startWay(server.url)
  const cwd = emptyFolder()
  const environment = {
    FRONTDESK_DATABASE_URL: way.url,
    FRONTDESK_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  }
  await record(program, ['tenant', 'create', '--name', 'Acme'], { cwd, environment })
  await runSql(server.url, `CREATE TABLE filler AS SELECT md5(n::text) AS text FROM generate_series(1, ${ROWS}) AS n`)
  const dumps = async () =>
    (await runSql(server.url, `SELECT 1 FROM pg_stat_activity WHERE application_name = 'pg_dump'`)).length
  return {
    cwd,
    environment,
    holdDump: way.hold,
    /** Resolves once none is under way. */
    noDumpIsLeft: async () => void (await until(async () => (await dumps()) === 0)),
    async stop() {
      way.close()
      await server.stop()
    },
  }
}

/** Passes all connections on to a server. */
async function startWay(url: string) {
  const { hostname, port } = new URL(url)
  let holding: { isReached(): void; released: Promise<void> } | null = null
  const server = createServer((client: Socket) => {
    const upstream = connect(Number(port), hostname)
    const ends = [client, upstream]
    for (const [end, other] of [ends, ends.toReversed()] as [Socket, Socket][]) {
      end.on('error', () => {})
      end.on('close', () => other.destroy())
    }
    client.pipe(upstream)
    let came = 0
    const pass = async () => {
      for await (const piece of upstream) {
        came += piece.length
        if (came > MUCH && holding) {
          holding.isReached()
          await holding.released
        }
        if (!client.write(piece)) await new Promise((resolve) => client.once('drain', resolve))
      }
      client.end()
    }
    pass().catch(() => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const own = new URL(url)
  own.port = String((server.address() as { port: number }).port)
  return {
    url: own.href,
    /** The next dump comes to stand still amid its rows, once `isHeld` resolves, until it is told to go on. */
    hold() {
      const [isHeld, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      holding = { isReached: isHeld.resolve, released: released.promise }
      return {
        isHeld: isHeld.promise,
        goOn() {
          holding = null
          released.resolve()
        },
      }
    },
    close: () => server.close(),
  }
}
