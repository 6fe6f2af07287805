import { catalogue, type MetricName } from './catalogue.ts'
import type { Sample } from './instruments.ts'

/** The content type of Prometheus' text format. */
export const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8'

/** Metrics as text, each with what it means, though it has no samples yet. Of one that could not be found out nothing is said. */
export function exposition(samples: Partial<Record<MetricName, Iterable<Sample>>>): string {
  const lines: string[] = []
  for (const name of Object.keys(catalogue) as MetricName[]) {
    const own = samples[name]
    if (!own) continue
    const { help, type } = catalogue[name]
    lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`)
    for (const { suffix, labels, value } of own) {
      lines.push(`${name}${suffix}${labels === '' ? '' : `{${labels}}`} ${value}`)
    }
  }
  return `${lines.join('\n')}\n`
}
