import { METHODS } from '../http/observed.ts'
import { receivedOutcomes } from '../kinds/received-mails.ts'
import { type Meter, refusals } from '../ports/meter.ts'
import { catalogue, type MetricName } from './catalogue.ts'
import { Counts, labelled, type Sample, Times } from './instruments.ts'

/** What stands for the route of a request that has none. */
const NO_ROUTE = 'unknown'
/** What stands for a method that is none of ours. */
const OTHER_METHOD = 'other'

/** What has been counted since the start. */
export interface Counted extends Meter {
  samples(): Partial<Record<MetricName, Iterable<Sample>>>
}

/** A meter that keeps what it is told. Its memory is bounded by how many routes, statuses and jobs there are. */
export function createMeter(): Counted {
  const requests = new Requests()
  const refused = new Counts('reason', refusals)
  const commits = new Times(catalogue.frontdesk_commit_duration_seconds.buckets)
  const deliveries = new Counts('outcome', ['delivered'])
  const mails = new Counts('outcome', [...receivedOutcomes, 'sent'])
  const ruleRuns = new Counts('outcome', ['done', 'failed', 'not_matched'])
  const backups = new Counts('outcome', ['made', 'failed'])
  const lateness = new Map<string, Times>()
  const stalls = new Times(catalogue.frontdesk_loop_stall_seconds.buckets)
  return {
    answered: (method, route, status, seconds) => requests.add(method, route, status, seconds),
    refused: (reason) => refused.add(reason),
    committed: (seconds) => commits.add(seconds),
    attempted: (outcome) => deliveries.add(outcome),
    mail: (outcome) => mails.add(outcome),
    ruleRan: (outcome) => ruleRuns.add(outcome),
    backup: (outcome) => backups.add(outcome),
    jobBegan(job, late) {
      const { buckets } = catalogue.frontdesk_job_lateness_seconds
      lateness.getOrInsertComputed(job, () => new Times(buckets)).add(Math.max(0, late))
    },
    loopWasLate: (seconds) => stalls.add(seconds),
    samples: () => ({
      frontdesk_http_requests_total: requests.counts(),
      frontdesk_http_request_duration_seconds: requests.times(),
      frontdesk_refused_total: refused.samples(),
      frontdesk_commit_duration_seconds: commits.samples(),
      frontdesk_deliveries_total: deliveries.samples(),
      frontdesk_mails_total: mails.samples(),
      frontdesk_rule_runs_total: ruleRuns.samples(),
      frontdesk_job_lateness_seconds: [...lateness].flatMap(([job, times]) => [
        ...times.samples(labelled(['job'], [job])),
      ]),
      frontdesk_backups_total: backups.samples(),
      frontdesk_loop_stall_seconds: stalls.samples(),
    }),
  }
}

/** Requests by route, method and status. Every one comes by here, so that it takes two look-ups and no new text. */
class Requests {
  /** By route; then by the place of the method, 1 for the first and 0 for any other, times 1000, plus the status. */
  readonly #routes = new Map<string, Map<number, Times>>()
  /** The same by the path as people write it: Elysia has a slash behind a room's own. */
  readonly #paths = new Map<string, Map<number, Times>>()

  add(method: string, route: string = NO_ROUTE, status: number, seconds: number): void {
    const answers = this.#routes.get(route) ?? this.#addRoute(route)
    const key = (METHODS.indexOf(method as (typeof METHODS)[number]) + 1) * 1000 + status
    let times = answers.get(key)
    if (times === undefined) {
      times = new Times(catalogue.frontdesk_http_request_duration_seconds.buckets)
      answers.set(key, times)
    }
    times.add(seconds)
  }

  #addRoute(route: string): Map<number, Times> {
    const path = route.length > 1 ? route.replace(/\/$/, '') : route
    const answers = this.#paths.get(path) ?? new Map<number, Times>()
    this.#paths.set(path, answers)
    this.#routes.set(route, answers)
    return answers
  }

  *counts(): Generator<Sample> {
    for (const { labels, times } of this.#all()) yield { suffix: '', labels, value: times.count }
  }

  *times(): Generator<Sample> {
    for (const { labels, times } of this.#all()) yield* times.samples(labels)
  }

  *#all() {
    for (const [path, answers] of this.#paths) {
      for (const [key, times] of answers) {
        const method = METHODS[Math.floor(key / 1000) - 1] ?? OTHER_METHOD
        yield { labels: labelled(catalogue.frontdesk_http_requests_total.labels, [path, method, key % 1000]), times }
      }
    }
  }
}
