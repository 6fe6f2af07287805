import '../../src/production.ts'
import { benchForms } from './forms.ts'
import { benchHttp } from './http.ts'
import { benchMicro } from './micro.ts'
import { benchWebhooks } from './webhooks.ts'

/** `bun run bench [name …]`: all benches, or those named. Figures are ratios to floors measured in the same run. */
const benches: Record<string, () => Promise<void>> = {
  micro: benchMicro,
  http: benchHttp,
  forms: benchForms,
  webhooks: benchWebhooks,
}

const wanted = process.argv.slice(2)
const unknown = wanted.find((name) => !(name in benches))
if (unknown) {
  process.stderr.write(`there is no bench ${unknown}: ${Object.keys(benches).join(', ')}\n`)
  process.exit(2)
}
for (const name of wanted.length > 0 ? wanted : Object.keys(benches)) await benches[name]?.()
