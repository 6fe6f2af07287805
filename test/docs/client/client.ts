import createClient from 'openapi-fetch'
// Written by `../typed-client.test.ts`, which compiles this file and runs it.
import type { components, paths, webhooks } from './schema.d.ts'

type Schemas = components['schemas']
type Batch = webhooks['events']['post']['requestBody']['content']['application/json']

/** One of each type: the compiler says when one is missing, or has a field that is not its own. */
const questions: { [T in Schemas['QuestionCreate']['type']]: Extract<Schemas['QuestionCreate'], { type: T }> } = {
  choose_one: { type: 'choose_one', text: 'Which plan?', options: ['Free', 'Pro'], required: true },
  dropdown: { type: 'dropdown', options: ['Free', 'Pro'], otherText: 'Another' },
  choose_any: { type: 'choose_any', options: ['A', 'B', 'C'], minSelections: 1, maxSelections: 2 },
  multi_dropdown: { type: 'multi_dropdown', options: ['A', 'B'], maxSelections: null },
  likert: { type: 'likert', scales: [{ text: 'Low', opposingText: 'High' }], scaleStart: 1, scaleEnd: 7 },
  likert_slider: { type: 'likert_slider' },
  nps: { type: 'nps' },
  binary: { type: 'binary', trueLabel: 'Yes', falseLabel: 'No', icon: 'faces' },
  star_rating: { type: 'star_rating', maxStars: 10 },
  textbox: { type: 'textbox', rows: 3, inputLimitation: 'email' },
  matrix: { type: 'matrix', rowHeadings: ['Speed'], columnHeadings: ['Bad', 'Good'], lastColumnIsNotWeighted: false },
  ranking: { type: 'ranking', rankOptions: ['One', 'Two'] },
  contact_details: { type: 'contact_details', contactFields: [{ field: 'email', visible: true }] },
  date: { type: 'date', datePlaceholder: 'When?', collectTime: true },
  date_range: { type: 'date_range', startDatePlaceholder: 'From', endDatePlaceholder: 'To' },
  numeric: { type: 'numeric', friendlyId: 'SEATS' },
  file_upload: { type: 'file_upload', fileUploadSlots: ['Photo'] },
  signature: { type: 'signature' },
  payment: { type: 'payment', currency: 'EUR', formula: '{SEATS} * 1200' },
}

// @ts-expect-error options are required
export const incomplete: Schemas['QuestionCreate'] = { type: 'choose_one' }
// @ts-expect-error there is no such type
export const unknown: Schemas['QuestionCreate'] = { type: 'choose_two', options: ['A', 'B'] }

/** Creates a form of every type, and gives what came back. */
export async function createForm(baseUrl: string, key: string) {
  const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } })
  const { data, error } = await client.POST('/v1/forms', {
    body: { title: 'Everything', questions: Object.values(questions) },
  })
  if (!data) throw new Error(error ? `${error.error}: ${error.message}` : 'refused without a word')
  return data.pages.flatMap(({ questions }) => questions.map(describe))
}

/** Each type has its own fields when read, too. */
function describe(question: Schemas['Question']): string {
  switch (question.type) {
    case 'choose_one':
      return `${question.type} ${question.options.length}`
    case 'payment':
      return `${question.type} ${question.currency?.toLowerCase()}`
    default:
      return question.type
  }
}

/** Creates the same contact twice, and gives the id that the refusal names. */
export async function createTwice(baseUrl: string, key: string): Promise<[string | undefined, string | undefined]> {
  const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } })
  const body = { email: 'twice@acme.test' }
  const first = await client.POST('/v1/contacts', { body })
  const second = await client.POST('/v1/contacts', { body })
  const refusal = second.error
  return [first.data?.id, refusal && 'contactId' in refusal ? refusal.contactId : undefined]
}

/** A receiver routes by `event`, and has the payload of that event. */
export function subjectsOf({ events }: Batch): string[] {
  const subjectOf = (event: Batch['events'][number]): string => {
    switch (event.event) {
      case 'response.created':
        return event.payload.form.title
      case 'contact.created_or_updated':
      case 'contact.unsubscribed':
        return event.payload.email
      case 'ticket.created':
        return event.payload.subject
      case 'ticket.replied':
        return event.payload.excerpt
      case 'ticket.status_changed':
        return event.payload.previousStatus
      case 'response.partial':
        return event.payload.response.status
      case 'payment.paid':
        return event.payload.reference
      case 'form.published':
        return event.payload.form.title
      case 'contact.deleted':
        return event.payload.contact.name ?? ''
      case 'ticket.assigned':
        return event.payload.previousAssignee?.name ?? ''
      case 'ticket.tagged':
        return event.payload.added.join()
      case 'ticket.rated':
        return String(event.payload.satisfaction)
    }
  }
  return events.map(subjectOf)
}
