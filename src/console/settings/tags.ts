import { html, type Insert, type Markup } from '../../lib/html/markup.ts'
import { followTag } from '../../rules/tag-names.ts'
import type { Tag } from '../../tags/model.ts'
import { MAX_NAME } from '../../tags/names.ts'
import { createTag, deleteTag, mergeTags, updateTag } from '../../tags/operations.ts'
import { getTag, listTags } from '../../tags/read.ts'
import { backLink, card, pageHead } from '../components/display.ts'
import { button, confirmed, field, form, select } from '../components/forms.ts'
import { table } from '../components/lists.ts'
import type { FormFields } from '../form-fields.ts'
import type { Guard } from '../guard.ts'
import { requireSeen, seenInput } from '../seen.ts'
import { type Again, type PageContent, redirectTo, type Visit } from '../visit.ts'
import { settingsHead } from './head.ts'

const role = 'admin'
export const TAGS = '/console/settings/tags'
const TAG = `${TAGS}/:id`

const pathOf = ({ id }: Pick<Tag, 'id'>) => `${TAGS}/${id}`

/** Tags are made, renamed, coloured, merged and deleted, as the command line does (decisions §16). */
export function tagPages(add: Guard): void {
  add.page(TAGS, { role }, (visit) => tagsPage(visit))
  add.action(TAGS, { role, again: tagsPage }, async (visit, sent) => {
    const { name } = await visit.change((tx, caller) => createTag(tx, caller, typed(sent)))
    return redirectTo(TAGS, visit.wording.say('tagCreated', { name }))
  })

  add.page(TAG, { role }, (visit) => tagPage(visit))
  add.action(TAG, { role, again: tagPage }, async (visit, sent) => {
    const { id } = await tagOf(visit)
    await visit.change(async (tx, caller) => {
      requireSeen(sent, seenOf(await getTag(tx, caller.tenantId, id)))
      await updateTag(tx, caller, id, typed(sent), followTag)
    })
    return redirectTo(TAGS, visit.wording.say('settingsSaved'))
  })

  add.action(`${TAG}/merge`, { role, again: tagPage }, async (visit, sent) => {
    const { id, name } = await tagOf(visit)
    const into = await visit.change((tx, caller) => mergeTags(tx, caller, id, sent.text('into'), followTag))
    return redirectTo(TAGS, visit.wording.say('tagMerged', { name, into: into.name }))
  })

  add.action(`${TAG}/delete`, { role }, async (visit) => {
    const { id, name } = await tagOf(visit)
    await visit.change((tx, caller) => deleteTag(tx, caller, id))
    return redirectTo(TAGS, visit.wording.say('tagDeleted', { name }))
  })
}

async function tagsPage(visit: Visit, again?: Again): Promise<PageContent> {
  const { say } = visit.wording
  const tags = byName(visit, await listTags(visit.db, visit.principal.tenantId))
  return {
    title: say('settingsTags'),
    width: 'narrow',
    body: html`${settingsHead(visit, TAGS, say('tagsIntro'))}
${table({
  caption: say('settingsTags'),
  hidesCaption: true,
  columns: [{ label: say('tagColumn') }, { label: say('tagTickets'), kind: 'number' }],
  rows: tags.map((tag) => [
    html`<a class="coloured" href="${visit.href(pathOf(tag))}">${swatch(tag)}<bdi>${tag.name}</bdi></a>`,
    visit.wording.write(tag.ticketCount),
  ]),
  empty: say('tagsNone'),
})}
${card(say('tagNew'), form(visit, { action: TAGS }, [...fieldsOf(visit, null, again), button(say('tagCreate'))]))}`,
  }
}

/** One tag: what it is called, and how it ends. */
async function tagPage(visit: Visit, again?: Again): Promise<PageContent> {
  const { say } = visit.wording
  const tag = await tagOf(visit)
  const others = byName(visit, await listTags(visit.db, visit.principal.tenantId)).filter(({ id }) => id !== tag.id)
  const options = others.map(({ id, name }) => [id, name] as const)
  const into = select(visit, { name: 'into', label: say('tagMergeInto'), options, required: true })
  return {
    title: tag.name,
    width: 'narrow',
    body: html`${backLink(visit, TAGS, say('settingsTags'))}
${pageHead(tag.name)}
<div class="card">${form(visit, { action: pathOf(tag) }, [
      seenInput(seenOf(tag)),
      ...fieldsOf(visit, tag, again?.form.has('name') ? again : undefined),
      button(say('save')),
    ])}</div>
<div class="card">${
      others.length > 0 &&
      confirmed(visit, {
        label: say('tagMerge'),
        question: say('tagMergeAsk', { name: tag.name }),
        action: `${pathOf(tag)}/merge`,
        fields: into,
        kind: 'primary',
      })
    }${confirmed(visit, {
      label: say('tagDelete'),
      question: say('tagDeleteAsk', { count: tag.ticketCount }),
      action: `${pathOf(tag)}/delete`,
    })}</div>`,
  }
}

function fieldsOf(visit: Visit, tag: Tag | null, again?: Again): Insert[] {
  const { say } = visit.wording
  return [
    field(visit, {
      name: 'name',
      label: say('tagColumn'),
      value: tag?.name,
      required: true,
      maxLength: MAX_NAME,
      autocomplete: 'off',
      again,
    }),
    field(visit, {
      name: 'colour',
      label: say('tagColour'),
      help: say('tagColourHelp'),
      value: tag?.colour,
      maxLength: 7,
      autocomplete: 'off',
      again,
    }),
  ]
}

/** Its colour, which repeats nothing that is not written beside it. */
function swatch({ colour }: Tag): Markup {
  return html`<svg class="swatch${colour === null && ' none'}" viewBox="0 0 12 12" aria-hidden="true"><circle cx="6" cy="6" r="5"${colour !== null && html` fill="${colour}"`}/></svg>`
}

function tagOf({ db, principal, params }: Visit): Promise<Tag> {
  return getTag(db, principal.tenantId, params.id as string)
}

/** What the form of a tag was written from: tickets come and go meanwhile. */
const seenOf = ({ name, colour }: Tag) => ({ name, colour })

const typed = (sent: FormFields) => ({ name: sent.text('name'), colour: sent.text('colour') || null })

function byName({ wording }: Visit, tags: readonly Tag[]): Tag[] {
  return tags.toSorted((one, other) => one.name.localeCompare(other.name, wording.locale))
}
