// Prints the rules of Spectral and of its OWASP ruleset that a document breaks, each with the first place, as JSON.
import { readFileSync } from 'node:fs'
import core from '@stoplight/spectral-core'
import owasp from '@stoplight/spectral-owasp-ruleset'
import rulesets from '@stoplight/spectral-rulesets'

const spectral = new core.Spectral()
spectral.setRuleset({ extends: [rulesets.oas, owasp.default ?? owasp] })
const broken = {}
for (const { code, path, message } of await spectral.run(JSON.parse(readFileSync(process.argv[2], 'utf8')))) {
  broken[code] ??= `${path.join('.')}: ${message}`
}
process.stdout.write(JSON.stringify(broken))
