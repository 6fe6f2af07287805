/** Of what kind something is that the service said it has; an answer is one that it said it will mail. */
export type Kind = 'contact' | 'response' | 'message' | 'mail' | 'answer'

const KEPT_FAULTS = 20

/** What was done, what the service acknowledged, and what went wrong. */
export class Ledger {
  /** How often each thing was done. */
  readonly done = new Map<string, number>()
  readonly faults: string[] = []
  faultCount = 0
  private readonly acknowledged: Record<Kind, Set<string>> = {
    contact: new Set(),
    response: new Set(),
    message: new Set(),
    mail: new Set(),
    answer: new Set(),
  }

  count(name: string): void {
    this.done.set(name, (this.done.get(name) ?? 0) + 1)
  }

  /** The service has said that it has this: an id, a Message-ID, or the text of a message. */
  acknowledge(kind: Kind, what: string): void {
    this.acknowledged[kind].add(what)
  }

  fault(text: string): void {
    this.faultCount++
    if (this.faults.length < KEPT_FAULTS) this.faults.push(text)
  }

  /** What was acknowledged and is not among what there is. */
  missing(kind: Kind, existing: ReadonlySet<string>): string[] {
    return [...this.acknowledged[kind].difference(existing)]
  }
}
