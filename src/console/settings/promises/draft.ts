import { type PromiseKind, promiseKinds, type Targets } from '../../../kinds/promises.ts'
import { priorities } from '../../../kinds/tickets.ts'
import type { KnownPromise } from '../../../promises/model.ts'
import type { FormFields } from '../../form-fields.ts'
import { draftAsJson, draftOf, type Draft as RuleDraft, sentDraft } from '../rules/draft.ts'

/* A promise as its form has it: its conditions as those of rules, and a text for each time. */

type Priority = (typeof priorities)[number]

/** The name of the control of a time, as operations name its place. */
export const targetName = (priority: Priority, kind: PromiseKind) => `targets.${priority}.${kind}`

export interface PromiseDraft {
  /** What the controls of conditions are written with: a rule about tickets that does nothing. */
  readonly conditions: RuleDraft
  /** By the names of their controls. */
  readonly targets: ReadonlyMap<string, string>
}

const about = { on: 'ticket.created', span: null, actions: [], enabled: true } as const

/** A promise as the form has it; null where the form could not say its conditions. */
export function promiseDraftOf({ name, conditions, targets }: KnownPromise): PromiseDraft | null {
  const draft = draftOf({ ...about, name, conditions })
  return draft && { conditions: draft, targets: new Map(eachTarget((priority, kind) => targets[priority]?.[kind])) }
}

/** A promise that says nothing yet. */
export const blankPromise: PromiseDraft = {
  conditions: { name: '', on: 'ticket.created', span: '', all: [], any: [], then: [] },
  targets: new Map(),
}

/** The draft that a form says. */
export function sentPromise(sent: FormFields): PromiseDraft {
  const targets = eachTarget((priority, kind) => sent.text(targetName(priority, kind)) || undefined)
  return { conditions: { ...sentDraft(sent), on: 'ticket.created', then: [] }, targets: new Map(targets) }
}

/** The JSON of a draft, as `parsePromise` takes it. */
export function promiseAsJson({ conditions, targets }: PromiseDraft): object {
  const { name, when } = draftAsJson(conditions, true) as { name: string; when: object | null }
  const given: Record<string, Record<string, string>> = {}
  for (const priority of priorities) {
    for (const kind of promiseKinds) {
      const span = targets.get(targetName(priority, kind))
      if (span !== undefined) given[priority] = { ...given[priority], [kind]: span.replace(/\s+/g, '') }
    }
  }
  return { name, when, targets: given }
}

function eachTarget(span: (priority: Priority, kind: PromiseKind) => string | undefined): [string, string][] {
  return priorities.flatMap((priority) =>
    promiseKinds.flatMap((kind): [string, string][] => {
      const text = span(priority, kind)
      return text === undefined ? [] : [[targetName(priority, kind), text]]
    }),
  )
}

/** The priorities that have any, the most urgent first. */
export const promisedPriorities = (targets: Targets) => priorities.toReversed().filter((priority) => targets[priority])
