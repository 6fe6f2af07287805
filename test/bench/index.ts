import '../../src/production.ts'

import { benchAsk } from './ask.ts'
import { benchBackup } from './backup.ts'

import { benchChat } from './chat.ts'
import { benchConsole } from './console.ts'
import { benchDesk } from './desk/index.ts'

import { benchEvents } from './events.ts'
import { benchForms } from './forms.ts'
import { benchHttp } from './http.ts'
import { benchMail } from './mail.ts'
import { benchMcp } from './mcp.ts'
import { benchMetrics } from './metrics.ts'
import { benchMicro } from './micro.ts'
import { benchPostgres } from './postgres.ts'
import { benchReplica } from './replica.ts'
import { benchRules } from './rules.ts'
import { benchSearch } from './search.ts'
import { benchWebhooks } from './webhooks.ts'

/** `bun run bench [name …]`: all benches, or those named; `postgres` and `replica` only when named. Figures are ratios to floors measured in the same run. */
const benches: Record<string, () => Promise<void>> = {
  micro: benchMicro,
  metrics: benchMetrics,
  http: benchHttp,
  forms: benchForms,
  webhooks: benchWebhooks,
  events: benchEvents,
  backup: benchBackup,
  mail: benchMail,
  ask: benchAsk,
  chat: benchChat,
  mcp: benchMcp,
  rules: benchRules,
  search: () => benchSearch(),
  console: benchConsole,
  desk: benchDesk,
  postgres: benchPostgres,
  replica: benchReplica,
}

/** What needs a server of its own. */
const onlyNamed = new Set(['postgres', 'replica'])

const wanted = process.argv.slice(2)
const unknown = wanted.find((name) => !(name in benches))
if (unknown) {
  process.stderr.write(`there is no bench ${unknown}: ${Object.keys(benches).join(', ')}\n`)
  process.exit(2)
}
for (const name of wanted.length > 0 ? wanted : Object.keys(benches).filter((name) => !onlyNamed.has(name)))
  await benches[name]?.()
