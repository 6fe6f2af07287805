import { RuleError } from '../../../errors.ts'
import { promiseKinds } from '../../../kinds/promises.ts'
import { html, type Insert } from '../../../lib/html/markup.ts'
import type { KnownPromise } from '../../../promises/model.ts'
import { createPromise, deletePromise, getPromise, movePromiseUp, updatePromise } from '../../../promises/operations.ts'
import { parsePromise } from '../../../promises/parse.ts'
import { promisesOf } from '../../../promises/read.ts'
import { backLink, linkButton, pageHead } from '../../components/display.ts'
import { confirmed, form } from '../../components/forms.ts'
import { table } from '../../components/lists.ts'
import type { FormFields } from '../../form-fields.ts'
import type { Guard } from '../../guard.ts'
import { priorityWords } from '../../inbox/labels.ts'
import { Refusal, refusalOf } from '../../refusal.ts'
import { requireSeen, seenInput } from '../../seen.ts'
import { type Again, type PageContent, redirectTo, type Visit } from '../../visit.ts'
import { settingsHead } from '../head.ts'
import { type Choices, choicesOf } from '../rules/choices.ts'
import { controlAt, emptyCondition } from '../rules/draft.ts'
import { organisationsIn } from '../rules/list.ts'
import { conditionsSentence } from '../rules/sentence.ts'
import {
  blankPromise,
  type PromiseDraft,
  promiseAsJson,
  promiseDraftOf,
  promisedPriorities,
  sentPromise,
} from './draft.ts'
import { promiseForm } from './form.ts'
import { kindWords } from './words.ts'

const role = 'admin'
const PROMISES = '/console/settings/promises'
const PROMISE = `${PROMISES}/:id`

const pathOf = (id: string) => `${PROMISES}/${id}`

/** What customers are promised (decisions §18): made, changed, put in order and deleted. */
export function promisePages(add: Guard): void {
  add.page(PROMISES, { role }, (visit) => promisesPage(visit))
  add.page(`${PROMISES}/new`, { role }, (visit) => newPage(visit, blankPromise))
  const againNew = (visit: Visit, again: Again) => newPage(visit, sentPromise(again.form), again)
  add.action(`${PROMISES}/new`, { role, again: againNew }, async (visit, sent) => {
    const draft = sentPromise(sent)
    const changed = stepped(sent, draft)
    if (changed) return newPage(visit, changed)
    const { name } = await atControls(visit, draft, () => {
      const input = parsePromise(promiseAsJson(draft))
      return visit.change((tx, caller) => createPromise(tx, caller, input))
    })
    return redirectTo(PROMISES, visit.wording.say('promiseCreated', { name }))
  })

  add.page(PROMISE, { role }, (visit) => promisePage(visit))
  const again = (visit: Visit, back: Again) => promisePage(visit, sentPromise(back.form), back)
  add.action(PROMISE, { role, again }, async (visit, sent) => {
    const draft = sentPromise(sent)
    const changed = stepped(sent, draft)
    if (changed) return promisePage(visit, changed)
    await atControls(visit, draft, () => {
      const input = parsePromise(promiseAsJson(draft))
      return visit.change(async (tx, caller) => {
        const before = await getPromise(tx, caller.tenantId, visit.params.id as string)
        requireSeen(sent, before)
        await updatePromise(tx, caller, before.id, input)
      })
    })
    return redirectTo(PROMISES, visit.wording.say('settingsSaved'))
  })

  add.action(`${PROMISE}/up`, { role }, async (visit) => {
    const id = visit.params.id as string
    await visit.change((tx, caller) => movePromiseUp(tx, caller, id))
    // To its button again, or to the name of what is first now.
    return redirectTo(`${PROMISES}#up-${id}`, visit.wording.say('settingsSaved'))
  })
  add.action(`${PROMISE}/delete`, { role }, async (visit) => {
    const { id, name } = await getPromise(visit.db, visit.principal.tenantId, visit.params.id as string)
    await visit.change((tx, caller) => deletePromise(tx, caller, id))
    return redirectTo(PROMISES, visit.wording.say('promiseDeleted', { name }))
  })
}

async function promisesPage(visit: Visit): Promise<PageContent> {
  const { say } = visit.wording
  const promises = await promisesOf(visit.db, visit.principal.tenantId)
  const choices = await choicesOf(visit, promises.flatMap(organisationsIn))
  return {
    title: say('settingsPromises'),
    body: html`${settingsHead(visit, PROMISES, say('promisesIntro'), linkButton(visit, `${PROMISES}/new`, say('promiseNew')))}
${table({
  caption: say('settingsPromises'),
  hidesCaption: true,
  columns: [
    { label: say('promiseName') },
    { label: say('promiseFor') },
    { label: say('promiseTargets') },
    { label: say('ruleOrder'), kind: 'actions' },
  ],
  rows: promises.map((promise, index) => [
    html`<a${index === 0 && html` id="up-${promise.id}"`} href="${visit.href(pathOf(promise.id))}"><bdi>${promise.name}</bdi></a>`,
    forWhich(visit, choices, promise),
    targetsInWords(visit, promise),
    html`<div class="moves">${index > 0 && moveUp(visit, promise)}</div>`,
  ]),
  empty: say('promisesNone'),
})}`,
  }
}

function forWhich(visit: Visit, choices: Choices, { conditions }: KnownPromise): string {
  return conditions === null ? visit.wording.say('promiseAll') : conditionsSentence(visit, choices, conditions)
}

/** A line for each priority: “Urgent: first answer 30m, closing 8h”. */
function targetsInWords({ wording: { say } }: Visit, { targets }: KnownPromise): Insert {
  return promisedPriorities(targets).map((priority) => {
    const target = targets[priority] ?? {}
    const times = promiseKinds.flatMap((kind) => (target[kind] ? [`${say(kindWords[kind])} ${target[kind]}`] : []))
    return html`<div>${say(priorityWords[priority])}: ${times.join(', ')}</div>`
  })
}

function moveUp(visit: Visit, { id, name }: KnownPromise) {
  const label = visit.wording.say('promiseUp', { name })
  return form(
    visit,
    { action: `${pathOf(id)}/up`, inline: true },
    html`<button id="up-${id}" class="quiet" title="${label}"><span aria-hidden="true">↑</span><span class="sr">${label}</span></button>`,
  )
}

async function newPage(visit: Visit, draft: PromiseDraft, again?: Again): Promise<PageContent> {
  const { say } = visit.wording
  const choices = await choicesOf(visit)
  return {
    title: say('promiseNew'),
    width: 'narrow',
    body: html`${backLink(visit, PROMISES, say('settingsPromises'))}
${pageHead(say('promiseNew'))}
<div class="card">${promiseForm(visit, { action: `${PROMISES}/new`, draft, choices, again, label: say('promiseCreate') })}</div>`,
  }
}

async function promisePage(visit: Visit, draft?: PromiseDraft, again?: Again): Promise<PageContent> {
  const { say } = visit.wording
  const { tenantId } = visit.principal
  const promise = await getPromise(visit.db, tenantId, visit.params.id as string)
  const known = (await promisesOf(visit.db, tenantId)).find(({ id }) => id === promise.id) as KnownPromise
  const choices = await choicesOf(visit, organisationsIn(known))
  const shown = draft ?? promiseDraftOf(known)
  return {
    title: promise.name,
    width: 'narrow',
    body: html`${backLink(visit, PROMISES, say('settingsPromises'))}
${pageHead(promise.name, undefined, forWhich(visit, choices, known))}
<div class="card">${
      shown === null
        ? html`<p>${say('promiseByCommand')}</p>`
        : promiseForm(visit, {
            action: pathOf(promise.id),
            draft: shown,
            choices,
            again,
            extra: seenInput(promise),
            label: say('save'),
          })
    }</div>
<div class="card">${confirmed(visit, { label: say('promiseDelete'), question: say('promiseDeleteAsk'), action: `${pathOf(promise.id)}/delete` })}</div>`,
  }
}

/** What the buttons within the form do: the page is shown again with a condition more or less. */
function stepped(sent: FormFields, draft: PromiseDraft): PromiseDraft | null {
  const [step = '', what = ''] = sent.text('step').split(' ')
  const { conditions } = draft
  if (step === 'add' && (what === 'all' || what === 'any')) {
    return { ...draft, conditions: { ...conditions, [what]: [...conditions[what], emptyCondition] } }
  }
  const [list = '', index = ''] = what.split('.')
  if (step === 'remove' && (list === 'all' || list === 'any')) {
    const left = conditions[list].filter((_, at) => at !== Number(index))
    return { ...draft, conditions: { ...conditions, [list]: left } }
  }
  return step === 'show' ? draft : null
}

/** What operations refuse is told at the control that it is about. */
async function atControls<T>(visit: Visit, draft: PromiseDraft, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const refusal = error instanceof RuleError && error.code === 'invalid_request' ? refusalOf(visit, error) : null
    if (!refusal) throw error
    const { field, text } = refusal.problem
    throw new Refusal({ field: controlAt(field, draft.conditions), text }, refusal.status)
  }
}
